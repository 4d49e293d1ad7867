package io.github.sparkgpusched.it.testing;

import java.util.Arrays;

/**
 * How a series of values grows with time: the slope of Theil and Sen, the median of the slopes
 * between all pairs, which single outliers do not move; and what is called noise beside it.
 *
 * @param perHour by how much it grows
 * @param grown over the whole time, by that slope
 * @param noise the middle half of the values less the line is this wide
 */
public record Slope(double perHour, double grown, double noise) {
  private static final double SECONDS_AN_HOUR = 3600;

  /**
   * Of a series.
   *
   * @param seconds ascending
   * @param values as many
   */
  public static Slope of(double[] seconds, double[] values) {
    int n = seconds.length;
    if (n < 3 || values.length != n) {
      throw new IllegalArgumentException(n + " times and " + values.length + " values: too few");
    }
    double[] slopes = new double[n * (n - 1) / 2];
    int k = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        slopes[k++] = (values[i] - values[j]) / (seconds[i] - seconds[j]);
      }
    }
    double slope = median(slopes);
    double[] off = new double[n];
    Arrays.setAll(off, i -> values[i] - slope * seconds[i]);
    Arrays.sort(off);
    double noise = off[3 * n / 4] - off[n / 4];
    return new Slope(slope * SECONDS_AN_HOUR, slope * (seconds[n - 1] - seconds[0]), noise);
  }

  /**
   * True if it has grown by no more than its noise, or than so much.
   *
   * @param least what is nothing, in the values' unit
   */
  public boolean isFlat(double least) {
    return grown <= Math.max(noise, least);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    int n = values.length;
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
  }
}
