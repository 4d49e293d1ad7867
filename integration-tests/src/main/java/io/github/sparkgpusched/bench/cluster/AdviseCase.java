package io.github.sparkgpusched.bench.cluster;

import java.util.Arrays;
import java.util.Locale;

/**
 * A case of {@link AdviseBench}, in seconds.
 *
 * @param plain median without the plugin
 * @param low predicted at least, with the plugin
 * @param measured median with the plugin
 * @param batch likewise, by a batch method; {@link Double#NaN} where there is none
 */
record AdviseCase(
    String name,
    double plain,
    double predicted,
    double low,
    double high,
    double measured,
    double batch,
    String verdict) {
  /** Single pairs of even work differ by so much. */
  private static final double LOST = 1.02;

  /** Of a line that {@link #csv} has made. */
  static AdviseCase of(String csv) {
    String[] words = csv.split(",", -1);
    double[] numbers = Arrays.stream(words, 1, 7).mapToDouble(Double::parseDouble).toArray();
    return new AdviseCase(
        words[0], numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], words[7]);
  }

  String csv() {
    return String.format(
        Locale.ROOT,
        "%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%s",
        name,
        plain,
        predicted,
        low,
        high,
        measured,
        batch,
        verdict);
  }

  double error() {
    return Math.abs(predicted / measured - 1);
  }

  boolean isWrong() {
    return verdict.equals("PROFITS") && measured > LOST * plain;
  }

  /** As a line of the table in the docs. */
  String markdown() {
    return String.format(
        Locale.ROOT,
        "| %s | %.2f | %.2f | %.2f – %.2f | %.2f | %.0f%% | %s | %s |",
        name,
        plain,
        predicted,
        low,
        high,
        measured,
        100 * error(),
        isWrong() ? verdict + ": wrong" : verdict,
        Double.isNaN(batch) ? "" : String.format(Locale.ROOT, "%.2f", batch));
  }
}
