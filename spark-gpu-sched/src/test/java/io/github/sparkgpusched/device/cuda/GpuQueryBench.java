package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.functions.Levenshtein;
import io.github.sparkgpusched.functions.MandelbrotIterations;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.functions.PointInRing;
import io.github.sparkgpusched.load.Work;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * Whole Spark queries on this host's GPUs, on its cores by the plugin, and as plain Spark: medians
 * of one run, answers compared. Writes a Markdown table.
 *
 * <p>Usage: {@code GpuQueryBench OUT_FILE [quick]}
 */
final class GpuQueryBench {
  private static final int REPETITIONS = 3;

  private GpuQueryBench() {}

  private static Map<String, String> queries(boolean quick) {
    String range = " from range(0, " + (quick ? 20_000 : 20_000_000) + ", 1, 16)";
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put(
        "mandelbrot",
        "select sum(mandelbrot_iterations(id % 7000 / 3000D - 2D, id % 4111 / 2000D - 1D, 1000))"
            + range);
    queries.put(
        "levenshtein",
        "select sum(levenshtein_udf(concat('Sankt ', id % 99991), concat('San ', id % 31333)))"
            + range);
    queries.put(
        "point-in-ring",
        "select count_if(point_in_ring(id % 1013 / 1013D, id % 977 / 977D, xs, ys)) from (select"
            + " transform(sequence(0, 199), i -> cos(i * 0.0314)) xs, transform(sequence(0, 199),"
            + " i -> sin(i * 0.0314)) ys), (select id"
            + range
            + ")");
    queries.put("multiply-add", "select sum(multiply_add(id / 7D, id / 3D, 1.5D))" + range);
    return queries;
  }

  /** What a way to run gave: seconds and answers by query, and seconds that GPUs computed. */
  private record Outcome(
      Map<String, Double> seconds,
      Map<String, List<Row>> answers,
      Map<String, Double> gpuSeconds) {}

  public static void main(String[] arguments) throws Exception {
    boolean quick = arguments.length > 1 && arguments[1].equals("quick");
    Map<String, Outcome> outcomes = new TreeMap<>();
    for (String way : new String[] {"cuda:*", "host", "plain"}) {
      outcomes.put(way, run(way, quick));
    }
    StringBuilder table =
        new StringBuilder(
            "Whole queries, medians of "
                + REPETITIONS
                + ", local[*] on "
                + Runtime.getRuntime().availableProcessors()
                + " cores; kernels: time that blocks took on all GPUs, for one query.\n\n"
                + "| Query | plain Spark s | cores s | GPUs s | kernels s | plain / GPUs | cores / GPUs |\n"
                + "|---|---:|---:|---:|---:|---:|---:|\n");
    Outcome gpu = outcomes.get("cuda:*");
    Outcome host = outcomes.get("host");
    Outcome plain = outcomes.get("plain");
    int wrong = 0;
    for (String name : plain.seconds().keySet()) {
      boolean equal =
          plain.answers().get(name).equals(gpu.answers().get(name))
              && plain.answers().get(name).equals(host.answers().get(name));
      wrong += equal ? 0 : 1;
      double onGpus = gpu.seconds().get(name);
      table.append(
          String.format(
              Locale.ROOT,
              "| %s%s | %.3f | %.3f | %.3f | %.3f | %.2f | %.2f |%n",
              name,
              equal ? "" : " WRONG",
              plain.seconds().get(name),
              host.seconds().get(name),
              onGpus,
              gpu.gpuSeconds().get(name),
              plain.seconds().get(name) / onGpus,
              host.seconds().get(name) / onGpus));
    }
    System.out.println(table);
    Files.writeString(Path.of(arguments[0]), table);
    System.out.flush();
    Runtime.getRuntime().halt(wrong == 0 ? 0 : 1);
  }

  private static Outcome run(String way, boolean quick) throws Exception {
    Outcome outcome = new Outcome(new LinkedHashMap<>(), new TreeMap<>(), new TreeMap<>());
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[*]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.devices", way.equals("plain") ? "host" : way)
            .config("spark.gpusched.enabled", !way.equals("plain"))
            .getOrCreate()) {
      spark.udf().register("levenshtein_udf", new Levenshtein(), DataTypes.IntegerType);
      spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
      spark
          .udf()
          .register("mandelbrot_iterations", new MandelbrotIterations(), DataTypes.IntegerType);
      spark.udf().register("point_in_ring", new PointInRing(), DataTypes.BooleanType);
      for (Map.Entry<String, String> query : queries(quick).entrySet()) {
        // The first run compiles, and learns.
        outcome.answers().put(query.getKey(), spark.sql(query.getValue()).collectAsList());
        double before = gpuSeconds(spark);
        double[] seconds = new double[REPETITIONS];
        for (int i = 0; i < REPETITIONS; i++) {
          long begin = System.nanoTime();
          spark.sql(query.getValue()).collectAsList();
          seconds[i] = (System.nanoTime() - begin) / 1e9;
        }
        Arrays.sort(seconds);
        outcome.seconds().put(query.getKey(), seconds[REPETITIONS / 2]);
        outcome.gpuSeconds().put(query.getKey(), (gpuSeconds(spark) - before) / REPETITIONS);
        System.out.println(way + " " + query.getKey() + " " + Arrays.toString(seconds));
      }
    }
    SparkSession.clearDefaultSession();
    SparkSession.clearActiveSession();
    return outcome;
  }

  private static double gpuSeconds(SparkSession spark) {
    double nanos = 0;
    for (Map.Entry<String, Work> work :
        LoadAccumulator.of(spark.sparkContext()).value().entrySet()) {
      if (work.getKey().contains("/cuda:")) {
        nanos += work.getValue().busyNanos();
      }
    }
    return nanos / 1e9;
  }
}
