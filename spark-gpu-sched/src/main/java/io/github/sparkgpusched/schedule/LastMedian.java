package io.github.sparkgpusched.schedule;

import java.util.Arrays;

/**
 * The median of the last few values: one that says nothing, as a core was taken away or neighbours
 * differ, does not move it. Not thread-safe.
 */
final class LastMedian {
  private static final int MOST = 5;

  private final double[] last = new double[MOST];
  private int count;

  void add(double value) {
    last[count % MOST] = value;
    count++;
  }

  void clear() {
    count = 0;
  }

  /** Values since the last {@link #clear}, be they among the last or not. */
  int count() {
    return count;
  }

  /** The lower one of two in the middle; 0 if there is no value. */
  double median() {
    if (count == 0) {
      return 0;
    }
    double[] known = Arrays.copyOf(last, Math.min(count, MOST));
    Arrays.sort(known);
    return known[(known.length - 1) / 2];
  }
}
