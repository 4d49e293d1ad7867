package io.github.sparkgpusched.bench.simulate;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The cases that all strategies run, and their tables: mean and worst ratio for each strategy. */
final class Grid {
  static final int ROWS = 1_000_000;

  private static final int[] DEVICES = {2, 8, 64, 512};

  /** Rivals take longest where there are most devices, and are not in doubt there. */
  private static final int QUICK_RIVAL_DEVICES = 64;

  private static final int[] SIZES = {15, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000};
  private static final int QUICK_SIZE = 1_000_000;

  private final Runner runner;
  private final boolean full;
  private final Bars bars;
  private final PrintStream out;

  Grid(Runner runner, boolean full, Bars bars, PrintStream out) {
    this.runner = runner;
    this.full = full;
    this.bars = bars;
    this.out = out;
  }

  /** The generic workloads on all kinds of machines: the bars are about these. */
  Results main() {
    List<Case> cases = new ArrayList<>();
    for (double launch : launches()) {
      for (int depth : depths(launch)) {
        for (Contender contender : Contender.all(launch)) {
          for (int devices : DEVICES) {
            if (full || contender.isAdaptive() || devices <= QUICK_RIVAL_DEVICES) {
              addAll(cases, Workload.GENERIC, ROWS, devices, launch, depth, contender);
            }
          }
        }
      }
    }
    Results results = runner.run(cases);
    out.printf(
        "%n## Generic workloads%n%n%d rows, %d workloads, %d profiles: geometric mean / worst of"
            + " makespan over lower bound%n",
        ROWS, Workload.GENERIC.size(), Machine.Profile.values().length);
    for (double launch : launches()) {
      for (int depth : depths(launch)) {
        table(
            results.where(c -> c.launch() == launch && c.machine().depth == depth), launch, depth);
      }
    }
    Results few = results.of(Contender.ADAPTIVE);
    few = few.where(c -> c.machine().devices <= 64 && c.launch() <= 10);
    bars.atMost(
        "worst single case, P up to 64, h up to 10",
        few.worst(),
        2,
        few.worstResult().of().toString());
    return results;
  }

  private double[] launches() {
    return full ? new double[] {0, 10, 100} : new double[] {10, 100};
  }

  /** A thread has one block in flight. */
  private static int[] depths(double launch) {
    return launch == 0 ? new int[] {1} : new int[] {1, 2};
  }

  private static void addAll(
      List<Case> cases,
      List<Workload.Shape> shapes,
      int mostRows,
      int devices,
      double launch,
      int depth,
      Contender contender) {
    for (Workload.Shape shape : shapes) {
      int rows = shape.paperRows() == 0 ? mostRows : (int) Math.min(shape.paperRows(), mostRows);
      for (Machine.Profile profile : Machine.Profile.values()) {
        cases.add(Case.of(shape, rows, devices, profile, launch, depth, contender));
      }
    }
  }

  private void table(Results results, double launch, int depth) {
    out.printf(Locale.ROOT, "%n| h = %.0f, depth %d |", launch, depth);
    for (int devices : DEVICES) {
      out.printf(" P = %d |", devices);
    }
    out.println("\n| --- | ---: | ---: | ---: | ---: |");
    for (Contender contender : Contender.all(launch)) {
      out.printf("| %s |", contender.name());
      for (int devices : DEVICES) {
        Results cell = results.of(contender.name()).where(c -> c.machine().devices == devices);
        out.printf(" %s |", cell.cell());
      }
      out.println();
      if (contender.isAdaptive()) {
        bars(results.of(contender.name()), launch, depth);
      }
    }
  }

  private void bars(Results results, double launch, int depth) {
    out.print("| its bar |");
    for (int devices : DEVICES) {
      double goal = Bars.goal(launch, depth, devices);
      if (Double.isNaN(goal)) {
        out.print(" |");
        continue;
      }
      bars.atMost(
          String.format(Locale.ROOT, "h = %.0f, depth %d, P = %d", launch, depth, devices),
          results.where(c -> c.machine().devices == devices).mean(),
          goal,
          "");
      out.printf(Locale.ROOT, " %.2f %s |", goal, bars.verdict());
    }
    out.println();
  }

  /** The paper's kernels with the paper's number of rows, most of them few and large. */
  Results paperKernels() {
    List<Case> cases = new ArrayList<>();
    for (double launch : full ? launches() : new double[] {10}) {
      for (int depth : full ? depths(launch) : new int[] {2}) {
        for (int devices : full ? DEVICES : new int[] {8}) {
          for (Contender contender : Contender.all(launch)) {
            addAll(cases, Workload.PAPER, ROWS, devices, launch, depth, contender);
          }
        }
      }
    }
    Results results = runner.run(cases);
    Results shown =
        results.where(c -> c.machine().devices == 8 && c.launch() == 10 && c.machine().depth == 2);
    out.printf(
        "%n## The paper's kernels%n%nIts own number of rows, at most %d; P = 8, h = 10, depth 2%n%n"
            + "| strategy | mean / worst | up to 150 rows | more |%n| --- | ---: | ---: | ---: |%n",
        ROWS);
    for (Contender contender : Contender.all(10)) {
      Results mine = shown.of(contender.name());
      out.printf(
          "| %s | %s | %s | %s |%n",
          contender.name(),
          mine.cell(),
          mine.where(c -> c.rows() <= 150).cell(),
          mine.where(c -> c.rows() > 150).cell());
    }
    return results;
  }

  /** From fewer rows than devices to many. */
  Results sizes() {
    List<Workload.Shape> shapes = List.of(Workload.shape("uniform"), Workload.shape("pareto"));
    List<Contender> contenders = Contender.all(10);
    List<Case> cases = new ArrayList<>();
    for (int rows : SIZES) {
      if (full || rows <= QUICK_SIZE) {
        for (Contender contender : contenders) {
          addAll(cases, shapes, rows, 8, 10, 2, contender);
        }
      }
    }
    Results results = runner.run(cases);
    out.printf(
        "%n## Numbers of rows%n%nUniform and Pareto; P = 8, h = 10, depth 2%n%n| strategy |");
    for (int rows : SIZES) {
      out.printf(" n = %d |", rows);
    }
    out.println("\n| --- |" + " ---: |".repeat(SIZES.length));
    for (Contender contender : contenders) {
      out.printf("| %s |", contender.name());
      for (int rows : SIZES) {
        out.printf(" %s |", results.of(contender.name()).where(c -> c.rows() == rows).cell());
      }
      out.println();
    }
    return results;
  }
}
