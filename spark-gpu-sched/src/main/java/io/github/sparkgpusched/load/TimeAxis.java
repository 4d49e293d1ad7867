package io.github.sparkgpusched.load;

/**
 * A fixed number of equal intervals from the application's first report on. When time runs past the
 * last one, two become one. Not thread-safe.
 */
final class TimeAxis {
  static final int BUCKETS = 96;
  private static final long FIRST_BUCKET_MILLIS = 250;

  private long startMillis = -1;
  private long bucketMillis = FIRST_BUCKET_MILLIS;

  long startMillis() {
    return startMillis;
  }

  long bucketMillis() {
    return bucketMillis;
  }

  /** Sets what a replayed application had first; nothing if there is an axis. */
  void restoreOnce(long start, long millis) {
    if (startMillis < 0) {
      startMillis = start;
      bucketMillis = millis;
    }
  }

  /** Times before this are put into the first interval. */
  void startAt(long millis) {
    if (startMillis < 0) {
      startMillis = millis;
    }
  }

  /** True if the intervals are too short for a time: then halve all figures by {@link #halve}. */
  boolean endsBefore(long millis) {
    return millis >= startMillis + BUCKETS * bucketMillis;
  }

  void doubleBuckets() {
    bucketMillis *= 2;
  }

  /** Makes one of every two figures. */
  static void halve(float[] figures) {
    for (int i = 0; i < BUCKETS / 2; i++) {
      figures[i] = figures[2 * i] + figures[2 * i + 1];
    }
    for (int i = BUCKETS / 2; i < BUCKETS; i++) {
      figures[i] = 0;
    }
  }

  /** Spreads an amount evenly over a time that this axis has, {@code from} before {@code until}. */
  void spread(float[] figures, long from, long until, double amount) {
    double length = Math.max(1, until - from);
    int last = bucket(until);
    for (int i = bucket(from); i <= last; i++) {
      double begin = Math.max((double) from, startMillis + i * (double) bucketMillis);
      double end = Math.min(from + length, startMillis + (i + 1) * (double) bucketMillis);
      if (end > begin) {
        figures[i] += (float) (amount * (end - begin) / length);
      }
    }
  }

  private int bucket(long millis) {
    return (int) Math.max(0, Math.min(BUCKETS - 1, (millis - startMillis) / bucketMillis));
  }
}
