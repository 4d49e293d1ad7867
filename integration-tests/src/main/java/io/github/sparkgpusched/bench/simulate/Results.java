package io.github.sparkgpusched.bench.simulate;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Results of many cases, and what tables say of them. */
record Results(List<Result> list) {
  Results where(Predicate<Case> condition) {
    return new Results(list.stream().filter(r -> condition.test(r.of())).toList());
  }

  Results of(String contender) {
    return where(c -> c.contender().name().equals(contender));
  }

  boolean isEmpty() {
    return list.isEmpty();
  }

  /** Geometric mean of the ratios; infinite if a run did not end. */
  double mean() {
    return Math.exp(
        list.stream().mapToDouble(r -> Math.log(r.ratio())).average().orElse(Double.NaN));
  }

  double worst() {
    return list.stream().mapToDouble(Result::ratio).max().orElse(Double.NaN);
  }

  Result worstResult() {
    return list.stream().max(Comparator.comparingDouble(Result::ratio)).orElseThrow();
  }

  /** Mean and worst, as a cell of a table. */
  String cell() {
    return isEmpty() ? "" : number(mean()) + " / " + number(worst());
  }

  /** Three figures or so. */
  static String number(double value) {
    return Double.isInfinite(value)
        ? "no end"
        : String.format(Locale.ROOT, value < 2 ? "%.3f" : value < 100 ? "%.1f" : "%.0f", value);
  }
}
