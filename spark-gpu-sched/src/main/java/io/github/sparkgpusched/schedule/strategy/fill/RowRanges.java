package io.github.sparkgpusched.schedule.strategy.fill;

/** A set of rows, as few ranges. Not thread-safe. */
final class RowRanges {
  /** Called with ranges of rows. */
  @FunctionalInterface
  interface Visitor {
    void range(long from, long until);
  }

  /** Starts and ends of ranges that neither overlap nor touch, in order. */
  private long[] bounds = {};

  /**
   * Tells the visitor, in order, the parts of [from, until) that were not in the set; adds them.
   */
  void add(long from, long until, Visitor added) {
    gaps(from, until, added);
    merge(from, until);
  }

  /** Tells the visitor, in order, the parts of [from, until) that are not in the set. */
  void gaps(long from, long until, Visitor missing) {
    long at = from;
    for (int i = 0; i < bounds.length && bounds[i] < until; i += 2) {
      if (bounds[i] > at) {
        missing.range(at, bounds[i]);
      }
      at = Math.max(at, bounds[i + 1]);
    }
    if (at < until) {
      missing.range(at, until);
    }
  }

  /** True if all of [from, until) is in the set. */
  boolean contains(long from, long until) {
    for (int i = 0; i < bounds.length; i += 2) {
      if (bounds[i] <= from && until <= bounds[i + 1]) {
        return true;
      }
    }
    return false;
  }

  private void merge(long from, long until) {
    long[] merged = new long[bounds.length + 2];
    int length = 0;
    int i = 0;
    for (; i < bounds.length && bounds[i + 1] < from; i += 2) {
      merged[length++] = bounds[i];
      merged[length++] = bounds[i + 1];
    }
    long start = from;
    long end = until;
    for (; i < bounds.length && bounds[i] <= until; i += 2) {
      start = Math.min(start, bounds[i]);
      end = Math.max(end, bounds[i + 1]);
    }
    merged[length++] = start;
    merged[length++] = end;
    for (; i < bounds.length; i++) {
      merged[length++] = bounds[i];
    }
    bounds = java.util.Arrays.copyOf(merged, length);
  }
}
