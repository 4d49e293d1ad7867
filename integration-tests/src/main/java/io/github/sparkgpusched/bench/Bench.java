package io.github.sparkgpusched.bench;

import java.util.Arrays;

/** What benchmarks share. */
public final class Bench {
  private Bench() {}

  /** The middle of the values, or the mean of the two in the middle. */
  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
