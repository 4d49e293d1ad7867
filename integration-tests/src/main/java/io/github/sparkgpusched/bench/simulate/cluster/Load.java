package io.github.sparkgpusched.bench.simulate.cluster;

import java.util.List;

/**
 * A stage's work.
 *
 * @param heavy how many partitions have 90% of it; 0 if all are even
 * @param boundNanos what all cores take for it
 * @param rowNanos what a row takes
 */
record Load(int heavy, double boundNanos, double rowNanos) {
  private static final double PART = 0.9;
  private static final int WAVES = 3;

  List<Partition> partitions(Setting setting) {
    return heavy == 0
        ? Skew.even(setting, boundNanos, WAVES)
        : Skew.heavy(setting, boundNanos, heavy, PART);
  }

  String name() {
    return switch (heavy) {
      case 0 -> rowNanos < 2_000 ? "cheap" : "even";
      case 1 -> "one heavy";
      default -> heavy + " heavy";
    };
  }
}
