package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.jobs.CityCountries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * What it costs to show the load: whole queries with {@code spark.gpusched.ui.enabled} on against
 * off, in one JVM. Pairs that alternate, each in an application of its own, as the key holds for an
 * application; the median of the pairs' ratios.
 *
 * <p>Usage: {@code SurfacingBench OUT_DIRECTORY [PAIRS]}; two cores ({@code local[2]}).
 */
public final class SurfacingBench {
  private static final double BAR = 1.01;

  /** Runs of a query in one application; the first is not measured, of the others the median. */
  private static final int RUNS = 4;

  private interface Query {
    void run(SparkSession spark);
  }

  private SurfacingBench() {}

  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[0]);
    int pairs = args.length > 1 ? Integer.parseInt(args[1]) : 9;
    Files.createDirectories(out);
    String data = out.toAbsolutePath().getParent().getParent().resolve("data").toString();
    Map<String, Query> queries = new LinkedHashMap<>();
    queries.put(
        "main job",
        spark ->
            new CityCountries(
                    spark.read().parquet(data + "/cities.parquet").where("city_id % 4 = 0"),
                    spark.read().parquet(data + "/rings.parquet"))
                .answer()
                .selectExpr("count(found_country)")
                .collectAsList());
    queries.put(
        "cheap UDF",
        spark ->
            spark
                .sql(
                    "select sum(multiply_add(cast(id as double), 2D, 1D))"
                        + " from range(0, 20000000, 1, 4)")
                .collectAsList());
    measure(queries, true); // to warm up the JVM
    Map<String, double[]> on = new LinkedHashMap<>();
    Map<String, double[]> off = new LinkedHashMap<>();
    for (String name : queries.keySet()) {
      on.put(name, new double[pairs]);
      off.put(name, new double[pairs]);
    }
    for (int pair = 0; pair < pairs; pair++) {
      boolean first = pair % 2 == 0;
      for (boolean surfaced : new boolean[] {first, !first}) {
        int index = pair;
        measure(queries, surfaced)
            .forEach((name, seconds) -> (surfaced ? on : off).get(name)[index] = seconds);
      }
    }
    System.out.printf("%-12s %10s %10s %8s %6s%n", "case", "off [s]", "on [s]", "ratio", "bar");
    StringBuilder csv = new StringBuilder("case,offSeconds,onSeconds,ratio,bar\n");
    for (String name : queries.keySet()) {
      double[] ratios = new double[pairs];
      Arrays.setAll(ratios, i -> on.get(name)[i] / off.get(name)[i]);
      double ratio = Bench.median(ratios);
      double offSeconds = Bench.median(off.get(name));
      double onSeconds = Bench.median(on.get(name));
      System.out.printf(
          "%-12s %10.3f %10.3f %8.3f %6.2f %s%n",
          name, offSeconds, onSeconds, ratio, BAR, ratio <= BAR ? "" : "MISSED");
      csv.append(
          String.format("%s,%.4f,%.4f,%.4f,%.2f%n", name, offSeconds, onSeconds, ratio, BAR));
    }
    Path file = out.resolve("surfacing.csv");
    Files.writeString(file, csv);
    System.out.println("written: " + file);
  }

  /** Seconds by query, in an application of its own. */
  private static Map<String, Double> measure(Map<String, Query> queries, boolean surfaced) {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("bench surfacing")
            .config("spark.ui.port", "0")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.ui.enabled", surfaced)
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
    CityCountries.register(spark);
    spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
    Map<String, Double> seconds = new LinkedHashMap<>();
    queries.forEach(
        (name, query) -> {
          double[] runs = new double[RUNS - 1];
          for (int i = -1; i < runs.length; i++) {
            long start = System.nanoTime();
            query.run(spark);
            if (i >= 0) {
              runs[i] = (System.nanoTime() - start) / 1e9;
            }
          }
          seconds.put(name, Bench.median(runs));
        });
    spark.stop();
    SparkSession.clearDefaultSession();
    SparkSession.clearActiveSession();
    return seconds;
  }
}
