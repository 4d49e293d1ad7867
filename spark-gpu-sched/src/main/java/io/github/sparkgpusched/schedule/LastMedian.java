package io.github.sparkgpusched.schedule;

import java.util.Arrays;

/**
 * The median of the last few values: one that says nothing, as a core was taken away or neighbours
 * differ, does not move it. Not thread-safe.
 */
final class LastMedian {
  private static final int MOST = 5;

  private final double[] last = new double[MOST];
  private int next;
  private int count;

  void add(double value) {
    last[next] = value;
    next = (next + 1) % MOST;
    count = Math.min(count + 1, MOST);
  }

  void clear() {
    next = 0;
    count = 0;
  }

  /** Values since the last {@link #clear} that are among the last few. */
  int count() {
    return count;
  }

  /** The lower one of two in the middle; 0 if there is no value. */
  double median() {
    if (count == 0) {
      return 0;
    }
    double[] known = Arrays.copyOf(last, count);
    Arrays.sort(known);
    return known[(known.length - 1) / 2];
  }
}
