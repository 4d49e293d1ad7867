package io.github.sparkgpusched.load;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * How long blocks took, as a histogram of four buckets an octave: a quantile is at most a quarter
 * too large. Immutable; merging is associative and commutative.
 *
 * @param counts blocks by bucket; those after the last one that is not 0 are left out
 * @param maxNanos the longest, exactly
 */
public record BlockTimes(List<Long> counts, long maxNanos) implements Serializable {
  public BlockTimes {
    counts = List.copyOf(counts);
  }

  /** No blocks. */
  public static final BlockTimes NONE = new BlockTimes(List.of(), 0);

  private static final int PER_OCTAVE_BITS = 2;
  private static final int PER_OCTAVE = 1 << PER_OCTAVE_BITS;

  /** Blocks of more than about 18 minutes are in the last bucket. */
  static final int BUCKETS = 40 * PER_OCTAVE;

  /** The bucket of a time. */
  static int bucket(long nanos) {
    if (nanos < PER_OCTAVE) {
      return (int) Math.max(0, nanos);
    }
    int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    int part = (int) (nanos >>> (octave - PER_OCTAVE_BITS)) & (PER_OCTAVE - 1);
    return Math.min(BUCKETS - 1, (octave - PER_OCTAVE_BITS + 1) * PER_OCTAVE + part);
  }

  /** The least time that is beyond a bucket. */
  static long bound(int bucket) {
    if (bucket < PER_OCTAVE) {
      return bucket + 1L;
    }
    int octave = bucket / PER_OCTAVE - 1;
    return (long) (PER_OCTAVE + bucket % PER_OCTAVE + 1) << octave;
  }

  /** Blocks counted. */
  public long count() {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }

  /**
   * A time that a part of the blocks did not exceed.
   *
   * @param part of the blocks, from 0 to 1
   * @return nanoseconds; 0 if there are no blocks
   */
  public long quantileNanos(double part) {
    long needed = (long) Math.ceil(count() * part);
    for (int bucket = 0; bucket < counts.size(); bucket++) {
      needed -= counts.get(bucket);
      if (needed <= 0 && counts.get(bucket) > 0) {
        return Math.min(bound(bucket), maxNanos);
      }
    }
    return maxNanos;
  }

  /** About the mean of all blocks: each counts as the middle of its bucket. */
  public double meanNanos() {
    double sum = 0;
    for (int bucket = 0; bucket < counts.size(); bucket++) {
      double least = bucket == 0 ? 0 : bound(bucket - 1);
      sum += counts.get(bucket) * Math.min((double) maxNanos, (least + bound(bucket)) / 2);
    }
    return sum / Math.max(1, count());
  }

  /** Both together. */
  public BlockTimes plus(BlockTimes other) {
    List<Long> sum = new ArrayList<>(counts);
    for (int i = 0; i < other.counts.size(); i++) {
      if (i < sum.size()) {
        sum.set(i, sum.get(i) + other.counts.get(i));
      } else {
        sum.add(other.counts.get(i));
      }
    }
    return new BlockTimes(sum, Math.max(maxNanos, other.maxNanos));
  }
}
