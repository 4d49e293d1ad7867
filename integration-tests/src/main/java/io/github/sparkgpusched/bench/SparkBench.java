package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.functions.Identity;
import io.github.sparkgpusched.functions.MandelbrotIterations;
import io.github.sparkgpusched.functions.MultiplyAdd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.types.DataTypes;

/**
 * Whole queries with the plugin against the same queries in plain Spark, in one JVM: pairs that
 * alternate, after a warm-up of each; medians and the ratio of medians. "Plain" is the same
 * function registered as an ordinary UDF, which the plugin does not know.
 *
 * <p>Usage: {@code SparkBench OUT_DIRECTORY GROUP [REPETITIONS [CASE]]}; two cores ({@code
 * local[2]}). With a part of a case's name, only such cases. Each group has a JVM of its own: what
 * one has run decides how the JIT compiler sees the next one's scans and calls.
 */
public final class SparkBench {
  private enum Group {
    /** Work that is dear, skewed or even. */
    BALANCE,
    /** Cheap functions in a session that has run nothing else. */
    FRESH,
    /** The same after other functions. */
    LONG;

    private List<Case> cases() {
      return switch (this) {
        case BALANCE -> balanceCases();
        case FRESH -> freshSessionCases();
        case LONG -> longSessionCases();
      };
    }

    private String lowerCaseName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** One pair of queries. */
  private record Case(String name, String plain, String plugin, double bar) {}

  /** What a query took, each time that counts. */
  private static final class Runs {
    final int repetitions;
    final double[] nanos;
    final double[] processorNanos;

    Runs(int repetitions) {
      this.repetitions = repetitions;
      nanos = new double[repetitions];
      processorNanos = new double[repetitions];
    }

    double seconds() {
      return Bench.median(nanos) / 1e9;
    }

    /** Of the whole JVM: its compiler's and collector's threads are counted too. */
    double processorSeconds() {
      return Bench.median(processorNanos) / 1e9;
    }
  }

  /** The same function without a batch method: every row goes through {@code call}. */
  public static final class MandelbrotByCall extends WithoutBatchMethod
      implements UDF3<Double, Double, Integer, Integer> {
    private static final long serialVersionUID = 1L;
    private final MandelbrotIterations function = new MandelbrotIterations();

    @Override
    public Integer call(Double re, Double im, Integer maxIterations) throws Exception {
      return function.call(re, im, maxIterations);
    }
  }

  /** Likewise. */
  public static final class MultiplyAddByCall extends WithoutBatchMethod
      implements UDF3<Double, Double, Double, Double> {
    private static final long serialVersionUID = 1L;
    private final MultiplyAdd function = new MultiplyAdd();

    @Override
    public Double call(Double a, Double b, Double c) throws Exception {
      return function.call(a, b, c);
    }
  }

  private SparkBench() {}

  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[0]);
    Group group = Group.valueOf(args[1].toUpperCase(Locale.ROOT));
    int repetitions = args.length > 2 ? Integer.parseInt(args[2]) : 9;
    String part = args.length > 3 ? args[3] : "";
    List<Case> cases = group.cases().stream().filter(c -> c.name().contains(part)).toList();
    if (cases.isEmpty()) {
      return;
    }
    Files.createDirectories(out);
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("bench spark")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
    register(spark);
    SparkBenchInputs.read(spark, out);

    System.out.printf(
        "%-34s %10s %10s %8s %6s %12s%n",
        "case", "plain [s]", "plugin [s]", "ratio", "bar", "of processor");
    StringBuilder csv =
        new StringBuilder(
            "case,plainSeconds,pluginSeconds,ratio,bar,plainProcessorSeconds,pluginProcessorSeconds\n");
    if (group == Group.LONG) {
      runOtherFunctions(spark);
    }
    measureAll(spark, cases, repetitions, csv);
    Path file = out.resolve("spark-" + group.lowerCaseName() + ".csv");
    Files.writeString(file, csv);
    System.out.println("written: " + file);
    spark.stop();
  }

  private static void measureAll(
      SparkSession spark, List<Case> cases, int repetitions, StringBuilder csv) {
    for (Case c : cases) {
      Runs plain = new Runs(repetitions);
      Runs plugin = new Runs(repetitions);
      measure(spark, c, plain, plugin);
      double ratio = plain.seconds() / plugin.seconds();
      System.out.printf(
          "%-34s %10.3f %10.3f %8.2f %6.2f %12.2f %s%n",
          c.name(),
          plain.seconds(),
          plugin.seconds(),
          ratio,
          c.bar(),
          plain.processorSeconds() / plugin.processorSeconds(),
          ratio >= c.bar() ? "" : "MISSED");
      csv.append(
          String.format(
              "%s,%.4f,%.4f,%.3f,%.2f,%.4f,%.4f%n",
              c.name(),
              plain.seconds(),
              plugin.seconds(),
              ratio,
              c.bar(),
              plain.processorSeconds(),
              plugin.processorSeconds()));
    }
  }

  private static void register(SparkSession spark) {
    MandelbrotIterations mandelbrot = new MandelbrotIterations();
    MultiplyAdd multiplyAdd = new MultiplyAdd();
    Identity identity = new Identity();
    var udf = spark.udf();
    udf.register("mandelbrot", mandelbrot, DataTypes.IntegerType);
    udf.register("mandelbrot_call", new MandelbrotByCall(), DataTypes.IntegerType);
    // The planner sees the lambda, not what it calls.
    udf.register(
        "mandelbrot_plain",
        (UDF3<Double, Double, Integer, Integer>) (re, im, n) -> mandelbrot.call(re, im, n),
        DataTypes.IntegerType);
    udf.register("multiply_add", multiplyAdd, DataTypes.DoubleType);
    udf.register("multiply_add_call", new MultiplyAddByCall(), DataTypes.DoubleType);
    udf.register(
        "multiply_add_plain",
        (UDF3<Double, Double, Double, Double>) (a, b, c) -> multiplyAdd.call(a, b, c),
        DataTypes.DoubleType);
    udf.register("identity", identity, DataTypes.DoubleType);
  }

  /**
   * What a session has usually done before: run other functions of as many arguments. Spark's one
   * call of them all then has seen more classes than the JIT compiler inlines, so that plain
   * Spark's boxes stay. The plugin's calls do not pass there.
   */
  private static void runOtherFunctions(SparkSession spark) {
    var udf = spark.udf();
    udf.register(
        "f1", (UDF3<Double, Double, Double, Double>) (a, b, c) -> a - b + c, DataTypes.DoubleType);
    udf.register(
        "f2", (UDF3<Double, Double, Double, Double>) (a, b, c) -> a * b * c, DataTypes.DoubleType);
    udf.register(
        "f3", (UDF3<Double, Double, Long, Double>) (a, b, c) -> a + b * c, DataTypes.DoubleType);
    udf.register(
        "f4",
        (UDF3<String, Double, Double, Double>) (a, b, c) -> a.length() + b + c,
        DataTypes.DoubleType);
    for (int i = 0; i < 3; i++) {
      for (String call : List.of("f1(x, y, 2D)", "f2(x, y, 2D)", "f3(x, y, k)", "f4('a', x, y)")) {
        spark.sql("select sum(" + call + ") from doubles where k = 0").collect();
      }
    }
  }

  private static List<Case> balanceCases() {
    String skewed = "select sum(%s(re, im, 20000)) from skewed";
    String even = "select sum(%s(re, im, 2000)) from even";
    String plain = "mandelbrot_plain";
    return List.of(
        pair("skewed, by call", skewed, plain, "mandelbrot_call", 1.7),
        pair("skewed, by batch method", skewed, plain, "mandelbrot", 1.7),
        pair("even, by call", even, plain, "mandelbrot_call", 1.0),
        pair("even, by batch method", even, plain, "mandelbrot", 1.0));
  }

  private static List<Case> freshSessionCases() {
    String cheap = "select sum(%s(x, y, 1.5D)) from doubles";
    String filtered = cheap + " where k < 9";
    String plain = "multiply_add_plain";
    return List.of(
        pair("cheap, by call", cheap, plain, "multiply_add_call", 1.0),
        pair("cheap, by batch method", cheap, plain, "multiply_add", 3.0),
        pair("cheap over rows, by call", filtered, plain, "multiply_add_call", 1.0),
        pair("cheap over rows, by batch method", filtered, plain, "multiply_add", 1.0),
        new Case(
            "cheap against Spark's x * y + 1.5",
            "select sum(x * y + 1.5D) from doubles",
            String.format(cheap, "multiply_add"),
            0.9),
        identity("identity against a built-in", "x", "doubles"));
  }

  /** What is measured after {@link #runOtherFunctions}. */
  private static List<Case> longSessionCases() {
    String prices = "select sum(%s(price, 2.0D, 1.5D)) from prices";
    String two = "select sum(%s(x, y, 1.5D)) from doubles";
    String filtered = two + " where k < 9";
    String call = "multiply_add_call";
    String batch = "multiply_add";
    return List.of(
        pair("long session: prices, by call", prices, "multiply_add_plain", call, 1.0),
        pair("long session: prices, by batch", prices, "multiply_add_plain", batch, 3.0),
        new Case(
            "against Spark's price * 2 + 1.5",
            "select sum(price * 2.0D + 1.5D) from prices",
            String.format(prices, batch),
            0.9),
        pair("long session: two, by call", two, "multiply_add_plain", call, 1.0),
        pair("long session: two, by batch", two, "multiply_add_plain", batch, 1.0),
        pair("long session: rows, by call", filtered, "multiply_add_plain", call, 1.0),
        pair("long session: rows, by batch", filtered, "multiply_add_plain", batch, 1.0),
        identity("identity on prices", "price", "prices"));
  }

  private static Case identity(String name, String column, String table) {
    return new Case(
        name,
        "select sum(abs(" + column + ")) from " + table,
        "select sum(identity(" + column + ")) from " + table,
        0.9);
  }

  private static Case pair(String name, String query, String plain, String plugin, double bar) {
    return new Case(name, String.format(query, plain), String.format(query, plugin), bar);
  }

  /**
   * Pairs of runs, each in the other order than the one before: what runs second may find caches
   * warm, or collect the garbage of what ran first. Before those that count come two pairs, and
   * more until the JIT compiler has had ten seconds: it compiles both queries again when it meets
   * other functions than those of the case before.
   */
  private static void measure(SparkSession spark, Case c, Runs plain, Runs plugin) {
    long warmUntil = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    for (int i = 0; i < 2 || System.nanoTime() < warmUntil; i++) {
      pair(spark, c, new Runs(1), new Runs(1), 0);
    }
    for (int i = 0; i < plain.repetitions; i++) {
      pair(spark, c, plain, plugin, i);
    }
  }

  private static void pair(SparkSession spark, Case c, Runs plain, Runs plugin, int i) {
    boolean plainFirst = i % 2 == 0;
    double first = run(spark, plainFirst ? c.plain() : c.plugin(), plainFirst ? plain : plugin, i);
    double second = run(spark, plainFirst ? c.plugin() : c.plain(), plainFirst ? plugin : plain, i);
    if (first != second) {
      throw new IllegalStateException(c.name() + ": " + first + " against " + second);
    }
  }

  /** The query's one number. */
  private static double run(SparkSession spark, String query, Runs runs, int repetition) {
    long processorNanos = Bench.processorNanos();
    long start = System.nanoTime();
    List<Row> rows = spark.sql(query).collectAsList();
    runs.nanos[repetition] = System.nanoTime() - start;
    runs.processorNanos[repetition] = Bench.processorNanos() - processorNanos;
    return ((Number) rows.get(0).get(0)).doubleValue();
  }
}
