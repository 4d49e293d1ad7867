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

  private long rows;

  /** Number of rows in the set. */
  long rows() {
    return rows;
  }

  /**
   * Tells the visitor, in order, the parts of [from, until) that were not in the set; adds them.
   */
  void add(long from, long until, Visitor added) {
    long at = from;
    for (int i = 0; i < bounds.length && at < until; i += 2) {
      if (bounds[i] > at && bounds[i] < until) {
        added.range(at, bounds[i]);
        rows += bounds[i] - at;
      } else if (bounds[i] >= until) {
        break;
      }
      at = Math.max(at, bounds[i + 1]);
    }
    if (at < until) {
      added.range(at, until);
      rows += until - at;
    }
    merge(from, until);
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
