package io.github.sparkgpusched.bench.simulate.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A cluster with a stage, run once for each seed. */
final class ClusterCase {
  static final String CSV_HEADER =
      "table,executors,cores,load,boundSeconds,rowMicros,batchRows,borrowed,placing,variant,seed,"
          + "ratio,movedShare,messages,peakMessages,meanMessages,questionNanos,sentBytes,"
          + "borrowedCores\n";

  /** Of clusters so large, a block of a task that has no help counts for ten. */
  private static final int LARGE_CLUSTER = 64;

  private static final long LARGE_TARGET_NANOS = 1_000_000;

  final String table;
  final Load load;
  final Variant variant;
  final int executors;
  private final int cores;
  private final List<Setting> settings = new ArrayList<>();
  private final Outcome[] outcomes;

  ClusterCase(String table, int executors, int cores, Load load, Variant variant, int seeds) {
    this.table = table;
    this.executors = executors;
    this.cores = cores;
    this.load = load;
    this.variant = variant;
    for (int seed = 1; seed <= seeds; seed++) {
      Setting setting = new Setting();
      setting.executors = executors;
      setting.cores = cores;
      setting.seed = seed;
      setting.rowNanos = load.rowNanos();
      if (executors >= LARGE_CLUSTER) {
        setting.targetNanos = LARGE_TARGET_NANOS;
      }
      variant.applied().accept(setting);
      settings.add(setting);
    }
    this.outcomes = new Outcome[seeds];
  }

  int seeds() {
    return outcomes.length;
  }

  void run(int index) {
    Setting setting = settings.get(index);
    outcomes[index] = Cluster.run(setting, load.partitions(setting));
  }

  private List<Outcome> sorted() {
    List<Outcome> all = new ArrayList<>(List.of(outcomes));
    all.sort(Comparator.comparingDouble(Outcome::ratio));
    return all;
  }

  /** The run whose makespan is the median. */
  Outcome median() {
    return sorted().get(outcomes.length / 2);
  }

  double worst() {
    return sorted().get(outcomes.length - 1).ratio();
  }

  double peak() {
    return sorted().stream().mapToLong(Outcome::peak).max().orElse(0);
  }

  /** Messages of an executor in a second, over the stage; of the worst seed. */
  double messagesEach() {
    return sorted().stream().mapToDouble(Outcome::meanMessages).max().orElse(0) / executors;
  }

  String row() {
    Outcome median = median();
    return String.format(
        Locale.ROOT,
        "| %d x %d | %s | %s | %.1f s | %.2f / %.2f | %.0f%% | %.0f | %.0f | %.1f |%n",
        executors,
        cores,
        load.name(),
        variant.name(),
        load.boundNanos() / 1e9,
        median.ratio(),
        worst(),
        100 * median.moved() / median.rows(),
        peak(),
        median.meanMessages(),
        median.questionNanos() / 1e3);
  }

  String csv() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < outcomes.length; i++) {
      Setting setting = settings.get(i);
      Outcome outcome = outcomes[i];
      lines.append(
          String.format(
              Locale.ROOT,
              "%s,%d,%d,%s,%.3f,%.1f,%d,%d,%s,\"%s\",%d,%.5f,%.5f,%d,%d,%.2f,%.0f,%d,%d%n",
              table,
              executors,
              cores,
              load.name(),
              load.boundNanos() / 1e9,
              load.rowNanos() / 1e3,
              setting.batchRows,
              setting.borrowed,
              setting.placing.name().toLowerCase(Locale.ROOT),
              variant.name(),
              setting.seed,
              outcome.ratio(),
              outcome.moved() / outcome.rows(),
              outcome.messages(),
              outcome.peak(),
              outcome.meanMessages(),
              outcome.questionNanos(),
              outcome.bytes(),
              outcome.cores()));
    }
    return lines.toString();
  }
}
