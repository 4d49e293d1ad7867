package io.github.sparkgpusched.bench.cluster;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Executors that share cores, on a standalone cluster of real processes on this machine.
 *
 * <p>Whether executors share is a setting of an application. So there are two applications, one
 * where they do and one where they do not. They take turns: of a round, each query runs once in
 * either, and once as plain Spark, in the executors of the one and of the other by turns, always in
 * another order; only one of them works at a time. As the JIT compiler decides otherwise in each
 * JVM, there are several pairs of applications.
 *
 * <p>Usage: {@code ClusterBench OUT_DIRECTORY [PAIRS [CASE]]}; with a part of a case's name, only
 * such cases. The class path begins with the plugin's jar and the benches' classes.
 */
public final class ClusterBench {
  private static final int GENERATIONS = 3;
  private static final int PAIRS = 3;

  /** As bench spark does: until then the compiler is busy with Spark, on the cores that compute. */
  private static final int SMALL_SECONDS = 60;

  private static final int FIRST_SECONDS = 10;
  private static final int PHASE_SECONDS = 15;
  private static final int SAMPLES_A_PAIR = 10;
  private static final double SKEWED_BAR = 1.6;
  private static final double EVEN_BAR = 0.99;

  private final LocalCluster cluster;
  private final ClusterTable table;
  private final int pairs;
  private final String part;
  private int turn;

  private ClusterBench(LocalCluster cluster, ClusterTable table, int pairs, String part) {
    this.cluster = cluster;
    this.table = table;
    this.pairs = pairs;
    this.part = part;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path out = Path.of(args[0]);
    int pairs = args.length > 1 ? Integer.parseInt(args[1]) : PAIRS;
    System.out.printf(
        "load of this machine before: %.2f%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    try (LocalCluster cluster = new LocalCluster(out);
        ClusterTable table = new ClusterTable(out)) {
      new ClusterBench(cluster, table, pairs, args.length > 2 ? args[2] : "").run();
      table.print();
    }
  }

  private void run() throws IOException, InterruptedException {
    List<ClusterCase> cases = new ArrayList<>();
    for (ClusterCase c : ClusterCase.values()) {
      if (c.title().contains(part)) {
        cases.add(c);
      }
    }
    boolean lender = ClusterTable.LENDER.contains(part);
    boolean nothing = ClusterTable.NOTHING.contains(part);
    boolean both = !cases.isEmpty() || lender || nothing;
    for (int i = 0; both && i < (pairs == 1 ? 1 : GENERATIONS); i++) {
      try (SubmittedApp on = cluster.submit(2, Map.of());
          SubmittedApp off = cluster.submit(2, Map.of("spark.gpusched.remote", "off"))) {
        warm(on, off);
        for (ClusterCase c : cases) {
          ratios(c, on, off);
        }
        if (lender) {
          lend(on, off);
        }
        if (nothing && i == 0) {
          nothingToSteal(on);
        }
      }
    }
    if (ClusterTable.THREE.contains(part)) {
      three();
    }
  }

  /** Both at once: what is measured is measured later. */
  private static void warm(SubmittedApp on, SubmittedApp off) throws IOException {
    on.tell("warm", SMALL_SECONDS);
    off.ask("warm", SMALL_SECONDS);
    on.answer();
  }

  private void ratios(ClusterCase c, SubmittedApp on, SubmittedApp off) throws IOException {
    // The second one of each is nearly as fast as later ones.
    for (int i = 0; i < 2; i++) {
      next(c, on, off);
    }
    for (int i = 0; i < pairs; i++) {
      table.add(c, next(c, on, off), c.isSkewed() ? SKEWED_BAR : EVEN_BAR);
    }
  }

  /** Of one query: plain Spark, the plugin without sharing, the plugin. */
  private ClusterTable.Three next(ClusterCase c, SubmittedApp on, SubmittedApp off)
      throws IOException {
    ClusterTable.Run[] runs = new ClusterTable.Run[3];
    // What else a JVM has run decides how it compiles: both have run plain Spark.
    SubmittedApp plain = turn % 2 == 0 ? on : off;
    for (int i = 0; i < runs.length; i++) {
      int which = (turn + i) % runs.length;
      SubmittedApp app = which == 0 ? plain : which == 1 ? off : on;
      runs[which] = ClusterTable.Run.of(app.ask("run", c, which > 0));
    }
    turn++;
    ClusterTable.Three all = new ClusterTable.Three(runs[0], runs[1], runs[2]);
    if (!all.isExact()) {
      throw new IllegalStateException(c + ": " + all);
    }
    return all;
  }

  /** Three executors have two cores, or so many as there are: only the answers count. */
  private void three() throws IOException {
    try (SubmittedApp on = cluster.submit(3, Map.of())) {
      on.ask("warm", SMALL_SECONDS / 2);
      for (ClusterCase c : ClusterCase.values()) {
        if (c.isSkewed()) {
          ClusterTable.Run plain = ClusterTable.Run.of(on.ask("run", c, false));
          ClusterTable.Run plugin = ClusterTable.Run.of(on.ask("run", c, true));
          plugin = plugin.rows() > 0 ? plugin : ClusterTable.Run.of(on.ask("run", c, true));
          table.addThree(c, plain, plugin);
        }
      }
    }
  }

  private void nothingToSteal(SubmittedApp on) throws IOException {
    for (ClusterApp.Phase phase : ClusterApp.Phase.values()) {
      // After a silence, executors ask more often for a while.
      table.addPhase(phase, true, on.ask("phase", phase, FIRST_SECONDS));
      table.addPhase(phase, false, on.ask("phase", phase, PHASE_SECONDS));
    }
  }

  private void lend(SubmittedApp on, SubmittedApp off) throws IOException {
    on.ask("lend", true, 2);
    off.ask("lend", false, 2);
    for (int i = 0; i < pairs; i++) {
      table.addLent(off.ask("lend", false, SAMPLES_A_PAIR), on.ask("lend", true, SAMPLES_A_PAIR));
    }
  }
}
