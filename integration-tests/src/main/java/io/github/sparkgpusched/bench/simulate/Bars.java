package io.github.sparkgpusched.bench.simulate;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures that {@code adaptive} must reach, and which it has missed. */
final class Bars {
  /** What a trial reached: geometric means over the generic workloads and all profiles. */
  private record Goal(double launch, int depth, int devices, double ratio) {}

  private static final int[] DEVICES = {2, 8, 64, 512};

  private static final List<Goal> GRID = new ArrayList<>();

  static {
    grid(10, 1, 1.02, 1.02, 1.04, 1.23);
    grid(10, 2, 1.01, 1.00, 1.02, 1.18);
    grid(100, 1, 1.03, 1.05, 1.20, 1.76);
    grid(100, 2, 1.02, 1.01, 1.08, 1.57);
  }

  private record Bar(String what, double measured, double limit, boolean atMost, String note) {
    /** The limits have two decimals: a figure that rounds to the limit is at it. */
    boolean missed() {
      return !(atMost ? measured < limit + 0.005 : measured > limit);
    }
  }

  private final List<Bar> bars = new ArrayList<>();

  private static void grid(double launch, int depth, double... ratios) {
    for (int i = 0; i < ratios.length; i++) {
      GRID.add(new Goal(launch, depth, DEVICES[i], ratios[i]));
    }
  }

  /** The bar of one cell of the main table; NaN if there is none. */
  static double goal(double launch, int depth, int devices) {
    return GRID.stream()
        .filter(g -> g.launch() == launch && g.depth() == depth && g.devices() == devices)
        .mapToDouble(Goal::ratio)
        .findFirst()
        .orElse(Double.NaN);
  }

  void atMost(String what, double measured, double limit, String note) {
    bars.add(new Bar(what, measured, limit, true, note));
  }

  void above(String what, double measured, double limit, String note) {
    bars.add(new Bar(what, measured, limit, false, note));
  }

  /** "MISSED" if the bar that was added last is missed. */
  String verdict() {
    return bars.get(bars.size() - 1).missed() ? "MISSED" : "";
  }

  long missed() {
    return bars.stream().filter(Bar::missed).count();
  }

  void print(PrintStream out) {
    out.println("| bar | measured | limit | | beside |");
    out.println("| --- | ---: | ---: | --- | --- |");
    for (Bar bar : bars) {
      out.printf(
          Locale.ROOT,
          "| %s | %s | %s %.2f | %s | %s |%n",
          bar.what(),
          Results.number(bar.measured()),
          bar.atMost() ? "&le;" : "&gt;",
          bar.limit(),
          bar.missed() ? "MISSED" : "",
          bar.note());
    }
    out.printf("%n%d of %d bars missed%n", missed(), bars.size());
  }
}
