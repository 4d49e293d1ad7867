package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.Transfers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts of blocks and of how long they took. Any threads add and read; lock-free. All counts only
 * grow.
 */
final class WorkCounts {
  private static final int ROWS = 0;
  private static final int BUSY_NANOS = 1;
  private static final int STOLEN_BLOCKS = 2;
  private static final int MAX_NANOS = 3;

  private static final int TO_DEVICE_BYTES = 4;
  private static final int FROM_DEVICE_BYTES = 5;
  private static final int TRANSFER_NANOS = 6;

  private static final int ROWS_INLINE = 7;

  /** Blocks that ended in an error; they are in no other count. */
  private static final int FAILURES = 8;

  /** From here on, blocks by bucket of time. */
  private static final int BUCKETS = 9;

  /** In one array, so that a block that is counted touches two cache lines. */
  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS + BlockTimes.BUCKETS);

  void add(long rows, long nanos, boolean stolen) {
    counts.getAndAdd(ROWS, rows);
    counts.getAndAdd(BUSY_NANOS, nanos);
    if (stolen) {
      counts.getAndIncrement(STOLEN_BLOCKS);
    }
    counts.getAndIncrement(BUCKETS + BlockTimes.bucket(nanos));
    raiseMax(nanos);
  }

  /** Rows that are in no block. */
  void addInline(long rows, long nanos) {
    counts.getAndAdd(ROWS, rows);
    counts.getAndAdd(BUSY_NANOS, nanos);
    counts.getAndAdd(ROWS_INLINE, rows);
  }

  void addFailure() {
    counts.getAndIncrement(FAILURES);
  }

  long failures() {
    return counts.get(FAILURES);
  }

  void add(Transfers transfers) {
    counts.getAndAdd(TO_DEVICE_BYTES, transfers.toDeviceBytes());
    counts.getAndAdd(FROM_DEVICE_BYTES, transfers.fromDeviceBytes());
    counts.getAndAdd(TRANSFER_NANOS, transfers.nanos());
  }

  /** Adds the counts of another one, which nobody adds to any more. */
  void addAll(WorkCounts other) {
    for (int i = 0; i < counts.length(); i++) {
      long more = other.counts.get(i);
      if (i == MAX_NANOS) {
        raiseMax(more);
      } else if (more != 0) {
        counts.getAndAdd(i, more);
      }
    }
  }

  private void raiseMax(long nanos) {
    long max = counts.get(MAX_NANOS);
    while (nanos > max && !counts.compareAndSet(MAX_NANOS, max, nanos)) {
      max = counts.get(MAX_NANOS);
    }
  }

  /** The counts now; each is exact, and they are read one after the other. */
  Work work() {
    return work(times());
  }

  private Work work(BlockTimes times) {
    return new Work(
        counts.get(ROWS), times.count(), counts.get(STOLEN_BLOCKS), counts.get(BUSY_NANOS));
  }

  /** The counts now; each is exact, and they are read one after the other. */
  UdfLoad load(String udf) {
    BlockTimes times = times();
    return new UdfLoad(
        udf,
        work(times),
        times,
        new Transfers(
            counts.get(TO_DEVICE_BYTES), counts.get(FROM_DEVICE_BYTES), counts.get(TRANSFER_NANOS)),
        counts.get(ROWS_INLINE),
        counts.get(FAILURES));
  }

  private BlockTimes times() {
    int length = BlockTimes.BUCKETS;
    while (length > 0 && counts.get(BUCKETS + length - 1) == 0) {
      length--;
    }
    List<Long> times = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      times.add(counts.get(BUCKETS + i));
    }
    return new BlockTimes(times, counts.get(MAX_NANOS));
  }
}
