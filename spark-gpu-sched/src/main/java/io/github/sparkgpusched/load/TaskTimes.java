package io.github.sparkgpusched.load;

/** How long devices computed for each task of a stage. Bounded. Not thread-safe. */
final class TaskTimes {
  /** With fewer tasks than this, the median says nothing. */
  private static final int FEWEST = 4;

  private final long[] counts = new long[BlockTimes.BUCKETS];
  private long tasks;
  private long maxNanos;

  void add(long nanos) {
    counts[BlockTimes.bucket(nanos)]++;
    tasks++;
    maxNanos = Math.max(maxNanos, nanos);
  }

  /** The longest over the median, at least 1 and up to a quarter too small; null for few tasks. */
  Double skew() {
    if (tasks < FEWEST) {
      return null;
    }
    long before = 0;
    int bucket = 0;
    while (before + counts[bucket] < (tasks + 1) / 2) {
      before += counts[bucket++];
    }
    return Math.max(1.0, (double) maxNanos / Math.max(1, BlockTimes.bound(bucket)));
  }
}
