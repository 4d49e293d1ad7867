package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.jobs.CityCountries;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * What it costs to show the load, in two parts.
 *
 * <p>On the way of the rows: that each block is counted and traced for its task. Each plan reads
 * {@code spark.gpusched.ui.enabled} anew, so rounds of one application run it with the key on and
 * twice with it off, in an order drawn by chance. Of the rounds' ratios, the median and the
 * quartiles are shown, by wall clock and by processor time of the whole process, which other
 * processes disturb less. "off / off" is what the method finds where there is nothing to find.
 * Applications are not compared with each other: two with the same settings differ by a tenth, as
 * the JIT compiler decides otherwise.
 *
 * <p>Beside it: processor time of the thread that reports, and of Spark's listener threads, of
 * which one serves the tab; for these, an application with the key on and one with it off.
 *
 * <p>Usage: {@code SurfacingBench OUT_DIRECTORY [ROUNDS [QUERY]]}; two cores ({@code local[2]}).
 */
public final class SurfacingBench {
  private static final double BAR = 1.01;

  private static final int BESIDE_RUNS = 25;

  private static final String KEY = "spark.gpusched.ui.enabled";

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private enum Mode {
    OFF,
    ON,
    OFF_AGAIN
  }

  /**
   * What is measured.
   *
   * @param unmeasuredRuns runs before the rounds, in which the JIT compiler finds its way
   * @param weight rounds for each of the main job's
   */
  private record Query(String name, int unmeasuredRuns, int weight, Consumer<SparkSession> run) {}

  private record Times(double wallSeconds, double cpuSeconds) {}

  /** Processor time of threads by group, in nanoseconds. */
  private record Beside(long reporterNanos, long listenerNanos) {
    static Beside now() {
      long reporter = 0;
      long listeners = 0;
      for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
        if (thread != null) {
          long nanos = Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
          reporter += thread.getThreadName().equals("gpusched-load") ? nanos : 0;
          listeners += thread.getThreadName().startsWith("spark-listener-group") ? nanos : 0;
        }
      }
      return new Beside(reporter, listeners);
    }

    Beside since(Beside before) {
      return new Beside(reporterNanos - before.reporterNanos, listenerNanos - before.listenerNanos);
    }
  }

  private final StringBuilder csv =
      new StringBuilder("case,clock,offSeconds,onSeconds,ratio,low,high,control,low,high,bar\n");

  private SurfacingBench() {}

  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[0]);
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 25;
    Files.createDirectories(out);
    String only = args.length > 2 ? args[2] : "";
    List<Query> queries =
        queries(out.toAbsolutePath().getParent().getParent().resolve("data")).stream()
            .filter(query -> query.name().startsWith(only))
            .toList();
    new SurfacingBench().run(queries, rounds, out);
  }

  private void run(List<Query> queries, int rounds, Path out) throws IOException {
    System.out.printf(
        "%-10s %-10s %8s %8s | %-23s | %-23s%n",
        "case", "clock", "off [s]", "on [s]", "on / off (quartiles)", "off / off (quartiles)");
    List<String> beside = new ArrayList<>();
    SparkSession on = session(true);
    List<Beside> withTab = new ArrayList<>();
    List<Double> cpuSeconds = new ArrayList<>();
    for (Query query : queries) {
      List<Map<Mode, Times>> results = rounds(on, query, rounds * query.weight());
      print(query.name(), "wall", results, Times::wallSeconds);
      print(query.name(), "processor", results, Times::cpuSeconds);
      cpuSeconds.add(
          Bench.median(results.stream().mapToDouble(r -> r.get(Mode.ON).cpuSeconds()).toArray()));
      show(on, true);
      withTab.add(beside(on, query));
    }
    close(on);
    SparkSession off = session(false);
    for (int i = 0; i < queries.size(); i++) {
      Query query = queries.get(i);
      Beside with = withTab.get(i);
      Beside without = beside(off, query);
      double percent = 1e-7 / BESIDE_RUNS / cpuSeconds.get(i);
      beside.add(
          String.format(
              Locale.ROOT,
              "%-10s reporter %.2f ms a query (%.2f%% of its processor time), listeners %.2f ms with the tab, %.2f ms without (%+.2f%%)",
              query.name(),
              with.reporterNanos() / 1e6 / BESIDE_RUNS,
              with.reporterNanos() * percent,
              with.listenerNanos() / 1e6 / BESIDE_RUNS,
              without.listenerNanos() / 1e6 / BESIDE_RUNS,
              (with.listenerNanos() - without.listenerNanos()) * percent));
    }
    close(off);
    System.out.println();
    beside.forEach(System.out::println);
    Path file = out.resolve("surfacing.csv");
    Files.writeString(file, csv);
    System.out.println("written: " + file);
  }

  private static List<Query> queries(Path data) {
    return List.of(
        new Query(
            "main job",
            10,
            1,
            spark ->
                new CityCountries(
                        spark.read().parquet(data + "/cities.parquet").where("city_id % 4 = 0"),
                        spark.read().parquet(data + "/rings.parquet"))
                    .answer()
                    .selectExpr("count(found_country)")
                    .collectAsList()),
        new Query(
            "cheap UDF",
            60,
            4,
            spark ->
                spark
                    .sql(
                        "select sum(multiply_add(cast(id as double), 2D, 1D))"
                            + " from range(0, 20000000, 1, 4)")
                    .collectAsList()));
  }

  private static SparkSession session(boolean shown) {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("bench surfacing")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.port", "0")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config(KEY, shown)
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
    CityCountries.register(spark);
    spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
    return spark;
  }

  private static void close(SparkSession spark) {
    spark.stop();
    SparkSession.clearDefaultSession();
    SparkSession.clearActiveSession();
  }

  private static List<Map<Mode, Times>> rounds(SparkSession spark, Query query, int rounds) {
    List<Map<Mode, Times>> results = new ArrayList<>();
    List<Mode> order = new ArrayList<>(List.of(Mode.values()));
    Random random = new Random(1);
    for (int i = -(query.unmeasuredRuns() + 2) / 3; i < rounds; i++) {
      Collections.shuffle(order, random);
      Map<Mode, Times> result = new EnumMap<>(Mode.class);
      for (Mode mode : order) {
        show(spark, mode == Mode.ON);
        result.put(mode, measure(spark, query));
      }
      if (i >= 0) {
        results.add(result);
      }
    }
    return results;
  }

  /** Users set the key at the start alone, so the session refuses it: its settings do not. */
  private static void show(SparkSession spark, boolean shown) {
    ((org.apache.spark.sql.classic.SparkSession) spark)
        .sessionState()
        .conf()
        .setConfString(KEY, String.valueOf(shown));
  }

  private static Times measure(SparkSession spark, Query query) {
    long cpuNanos = Bench.processorNanos();
    long start = System.nanoTime();
    query.run().accept(spark);
    return new Times((System.nanoTime() - start) / 1e9, (Bench.processorNanos() - cpuNanos) / 1e9);
  }

  /** Of some runs, after two that are not counted. */
  private static Beside beside(SparkSession spark, Query query) {
    query.run().accept(spark);
    query.run().accept(spark);
    Beside before = Beside.now();
    for (int i = 0; i < BESIDE_RUNS; i++) {
      query.run().accept(spark);
    }
    return Beside.now().since(before);
  }

  private interface Clock {
    double seconds(Times times);
  }

  private void print(String name, String clock, List<Map<Mode, Times>> results, Clock of) {
    Map<Mode, double[]> seconds = new EnumMap<>(Mode.class);
    for (Mode mode : Mode.values()) {
      seconds.put(mode, results.stream().mapToDouble(r -> of.seconds(r.get(mode))).toArray());
    }
    double[] off = seconds.get(Mode.OFF);
    double[] offAgain = seconds.get(Mode.OFF_AGAIN);
    double[] bothOff = new double[off.length];
    Arrays.setAll(bothOff, i -> (off[i] + offAgain[i]) / 2);
    double[] ratio = quartiles(seconds.get(Mode.ON), bothOff);
    double[] control = quartiles(offAgain, off);
    double offSeconds = Bench.median(bothOff);
    double onSeconds = Bench.median(seconds.get(Mode.ON));
    System.out.printf(
        Locale.ROOT,
        "%-10s %-10s %8.3f %8.3f | %.3f (%.3f to %.3f) | %.3f (%.3f to %.3f) %s%n",
        name,
        clock,
        offSeconds,
        onSeconds,
        ratio[1],
        ratio[0],
        ratio[2],
        control[1],
        control[0],
        control[2],
        ratio[1] <= BAR ? "" : "MISSED");
    csv.append(
        String.format(
            Locale.ROOT,
            "%s,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.2f%n",
            name,
            clock,
            offSeconds,
            onSeconds,
            ratio[1],
            ratio[0],
            ratio[2],
            control[1],
            control[0],
            control[2],
            BAR));
  }

  /** Lower quartile, median and upper quartile of the ratios. */
  private static double[] quartiles(double[] numerators, double[] denominators) {
    double[] ratios = new double[numerators.length];
    Arrays.setAll(ratios, i -> numerators[i] / denominators[i]);
    Arrays.sort(ratios);
    return new double[] {
      ratios[ratios.length / 4], Bench.median(ratios), ratios[(3 * ratios.length) / 4]
    };
  }
}
