package io.github.sparkgpusched.bench;

import com.sun.management.OperatingSystemMXBean;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.jobs.CityCountries;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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
 * What it costs to show the load: whole queries with {@code spark.gpusched.ui.enabled} on against
 * off, in one JVM, each in an application of its own, as the key holds for an application.
 *
 * <p>A round has an application with it on and two with it off, in an order drawn by chance. Of the
 * rounds' ratios, the median and the quartiles are shown, by wall clock and by processor time of
 * the whole process, which other processes disturb less. "off / off" is what the method finds where
 * there is nothing to find.
 *
 * <p>Usage: {@code SurfacingBench OUT_DIRECTORY [ROUNDS]}; two cores ({@code local[2]}).
 */
public final class SurfacingBench {
  private static final double BAR = 1.01;

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private enum Mode {
    OFF,
    ON,
    OFF_AGAIN
  }

  /** What is measured: in an application, some runs that are not, then the median of the others. */
  private record Query(String name, int unmeasuredRuns, int runs, Consumer<SparkSession> run) {}

  private record Times(double wallSeconds, double cpuSeconds) {}

  private SurfacingBench() {}

  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[0]);
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 7;
    Files.createDirectories(out);
    List<Query> queries = queries(out.toAbsolutePath().getParent().getParent().resolve("data"));
    for (int i = 0; i < 2; i++) {
      for (Mode mode : Mode.values()) {
        measure(queries, mode); // Spark's own code is compiled for a minute and more
      }
    }
    List<Map<Mode, List<Times>>> results = new ArrayList<>();
    List<Mode> order = new ArrayList<>(List.of(Mode.values()));
    Random random = new Random(1);
    for (int round = 0; round < rounds; round++) {
      Collections.shuffle(order, random);
      Map<Mode, List<Times>> result = new EnumMap<>(Mode.class);
      for (Mode mode : order) {
        result.put(mode, measure(queries, mode));
      }
      results.add(result);
    }
    System.out.printf(
        "%-10s %-10s %8s %8s | %-23s | %-23s%n",
        "case", "clock", "off [s]", "on [s]", "on / off (quartiles)", "off / off (quartiles)");
    StringBuilder csv =
        new StringBuilder("case,clock,offSeconds,onSeconds,ratio,low,high,control,low,high,bar\n");
    for (int i = 0; i < queries.size(); i++) {
      print(queries.get(i).name(), "wall", results, i, Times::wallSeconds, csv);
      print(queries.get(i).name(), "processor", results, i, Times::cpuSeconds, csv);
    }
    Path file = out.resolve("surfacing.csv");
    Files.writeString(file, csv);
    System.out.println("written: " + file);
  }

  private static List<Query> queries(Path data) {
    return List.of(
        new Query(
            "main job",
            1,
            3,
            spark ->
                new CityCountries(
                        spark.read().parquet(data + "/cities.parquet").where("city_id % 4 = 0"),
                        spark.read().parquet(data + "/rings.parquet"))
                    .answer()
                    .selectExpr("count(found_country)")
                    .collectAsList()),
        new Query(
            "cheap UDF",
            3,
            9,
            spark ->
                spark
                    .sql(
                        "select sum(multiply_add(cast(id as double), 2D, 1D))"
                            + " from range(0, 20000000, 1, 4)")
                    .collectAsList()));
  }

  private interface Clock {
    double seconds(Times times);
  }

  private static void print(
      String name,
      String clock,
      List<Map<Mode, List<Times>>> results,
      int query,
      Clock of,
      StringBuilder csv) {
    Map<Mode, double[]> seconds = new EnumMap<>(Mode.class);
    for (Mode mode : Mode.values()) {
      seconds.put(
          mode, results.stream().mapToDouble(r -> of.seconds(r.get(mode).get(query))).toArray());
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

  /** By query, in an application of its own. */
  private static List<Times> measure(List<Query> queries, Mode mode) {
    System.gc(); // what the application before left is not this one's to clear
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("bench surfacing")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.port", "0")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.ui.enabled", mode == Mode.ON)
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
    CityCountries.register(spark);
    spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
    List<Times> times = new ArrayList<>();
    for (Query query : queries) {
      double[] wall = new double[query.runs()];
      double[] cpu = new double[query.runs()];
      for (int i = -query.unmeasuredRuns(); i < query.runs(); i++) {
        long cpuNanos = PROCESS.getProcessCpuTime();
        long start = System.nanoTime();
        query.run().accept(spark);
        if (i >= 0) {
          wall[i] = (System.nanoTime() - start) / 1e9;
          cpu[i] = (PROCESS.getProcessCpuTime() - cpuNanos) / 1e9;
        }
      }
      times.add(new Times(Bench.median(wall), Bench.median(cpu)));
    }
    spark.stop();
    SparkSession.clearDefaultSession();
    SparkSession.clearActiveSession();
    return times;
  }
}
