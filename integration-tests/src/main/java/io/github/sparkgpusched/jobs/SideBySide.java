package io.github.sparkgpusched.jobs;

import io.github.sparkgpusched.load.Work;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs one query with the plugin and as plain Spark, in one JVM and on the same cores.
 *
 * <p>Plain means {@code spark.gpusched.enabled=false}: Spark's own plan, with its row-wise UDF
 * call. Both sides are warmed up on a sample; then they take turns, and who goes first changes with
 * each turn. In the first, the plugin does, so what is still cold counts against it.
 */
final class SideBySide {
  /**
   * The result of a comparison.
   *
   * @param secondsPlugin median of the runs with the plugin
   * @param secondsPlain median of the runs without
   * @param last what the last run with the plugin counted
   */
  record Outcome(double secondsPlugin, double secondsPlain, PluginRun last) {}

  private static final String ENABLED = "spark.gpusched.enabled";

  private final SparkSession spark;
  private final PrintStream out;

  /** Where each side writes its answer, as Parquet. */
  private final String pluginPath;

  private final String plainPath;

  SideBySide(SparkSession spark, PrintStream out, String pluginPath, String plainPath) {
    this.spark = spark;
    this.out = out;
    this.pluginPath = pluginPath;
    this.plainPath = plainPath;
  }

  /**
   * @param sample the query on a small part of the input
   * @param query made anew for each run, so that no run profits from another's plan
   * @param repeat how often each side is timed
   * @throws JobFailedException if the answers differ in any row
   */
  Outcome run(Supplier<Dataset<Row>> sample, Supplier<Dataset<Row>> query, int repeat)
      throws InterruptedException {
    String before = spark.conf().get(ENABLED, "true");
    try {
      timed(sample, true);
      timed(sample, false);
      List<Double> plugin = new ArrayList<>();
      List<Double> plain = new ArrayList<>();
      PluginRun last = null;
      for (int turn = 1; turn <= repeat; turn++) {
        if (turn % 2 == 0) {
          plain.add(timed(query, false));
        }
        Map<String, Work> load = load();
        try (MetricsListener listener = new MetricsListener(spark)) {
          plugin.add(timed(query, true));
          last = new PluginRun(metrics(listener), PluginRun.since(load, load()));
        }
        if (turn % 2 == 1) {
          plain.add(timed(query, false));
        }
        out.printf(
            Locale.ROOT,
            "  run %d: with the plugin %.2f s, plain Spark %.2f s%n",
            turn,
            plugin.get(turn - 1),
            plain.get(turn - 1));
      }
      compare();
      return new Outcome(median(plugin), median(plain), last);
    } finally {
      spark.conf().set(ENABLED, before);
    }
  }

  private double timed(Supplier<Dataset<Row>> query, boolean plugin) {
    spark.conf().set(ENABLED, plugin);
    long start = System.nanoTime();
    query.get().write().mode("overwrite").parquet(plugin ? pluginPath : plainPath);
    return (System.nanoTime() - start) / 1e9;
  }

  private static Map<String, Long> metrics(MetricsListener listener) throws InterruptedException {
    return listener
        .await()
        .orElseThrow(
            () ->
                new JobFailedException(
                    "the plan has no batched node: see the log for the reason, or set"
                        + " spark.gpusched.explain=ALL"));
  }

  private Map<String, Work> load() {
    return LoadAccumulator.of(spark.sparkContext()).value();
  }

  /** Row by row, as multisets: neither answer may have a row that the other has not. */
  private void compare() {
    Dataset<Row> plugin = spark.read().parquet(pluginPath);
    Dataset<Row> plain = spark.read().parquet(plainPath);
    long different = plugin.exceptAll(plain).count() + plain.exceptAll(plugin).count();
    if (different > 0) {
      throw new JobFailedException(
          "the answers differ in "
              + different
              + " rows: compare "
              + pluginPath
              + " (plugin) with "
              + plainPath
              + " (plain Spark)");
    }
    out.println("  both answers are the same, row by row");
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
