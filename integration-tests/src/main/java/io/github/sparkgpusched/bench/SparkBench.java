package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.functions.Identity;
import io.github.sparkgpusched.functions.MandelbrotIterations;
import io.github.sparkgpusched.functions.MultiplyAdd;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.types.DataTypes;

/**
 * Whole queries with the plugin against the same queries in plain Spark, in one JVM: pairs that
 * alternate, after a warm-up of each. For plain runs the plugin is switched off. Where a plain
 * query has a function of its own, that is the same function registered as an ordinary UDF, which
 * the plugin does not know.
 *
 * <p>Usage: {@code SparkBench OUT_DIRECTORY GROUP [REPETITIONS [CASE]]}; two cores ({@code
 * local[2]}). With a part of a case's name, only such cases. Each group has JVMs of its own: what
 * one has run decides how the JIT compiler sees the next one's scans and calls. And it has several,
 * as the compiler decides otherwise in each: every JVM adds its pairs to {@code spark.csv}, and
 * {@link SparkBenchTable} makes the table.
 */
public final class SparkBench {
  private static final int WARM_UP_SECONDS = 60;
  private static final int CASE_WARM_UP_SECONDS = 20;

  /** There are many, and they differ little. */
  private static final int COSTS_WARM_UP_SECONDS = 2;

  /** Of the names of cases where all rows are batched. */
  static final String ALWAYS_PREFIX = "always: ";

  enum Group {
    /** Work that is expensive, skewed or even. */
    BALANCE,
    /** Cheap functions in a session that has run nothing else. */
    FRESH,
    /** The same after other functions. */
    LONG,
    /** Where rows come as rows. */
    ROWS,
    /** Functions of known costs, wherever rows come from. */
    COSTS,
    /** The same where all rows are batched. */
    ALWAYS;

    static Group of(String name) {
      return valueOf(name.toUpperCase(Locale.ROOT));
    }

    private int warmUpSeconds() {
      return this == COSTS || this == ALWAYS ? COSTS_WARM_UP_SECONDS : CASE_WARM_UP_SECONDS;
    }

    /** Those whose names have this part. */
    List<Case> cases(String part) {
      return cases().stream().filter(c -> c.name().contains(part)).toList();
    }

    private List<Case> cases() {
      return switch (this) {
        case BALANCE -> balanceCases();
        case FRESH -> freshSessionCases();
        case LONG -> longSessionCases();
        case ROWS -> RowCases.all();
        case COSTS -> CostCases.all("");
        case ALWAYS -> CostCases.all(ALWAYS_PREFIX);
      };
    }
  }

  /** One pair of queries. */
  record Case(String name, String plain, String plugin, double bar) {}

  /**
   * What a query took.
   *
   * @param processorSeconds of the whole JVM: its compiler's and collector's threads are counted
   *     too
   */
  record Run(double sum, double seconds, double processorSeconds) {}

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
    Group group = Group.of(args[1]);
    int repetitions = args.length > 2 ? Integer.parseInt(args[2]) : 7;
    String part = args.length > 3 ? args[3] : "";
    List<Case> cases = group.cases(part);
    if (cases.isEmpty()) {
      return;
    }
    SparkSession spark = session(group, out);
    runOften(spark, cases);
    SparkBenchInputs.read(spark, out, SparkBenchInputs.Size.WHOLE);
    SparkBenchTable table = SparkBenchTable.ofPlainSpark(out);
    for (Case c : cases) {
      measure(spark, c, repetitions, group.warmUpSeconds(), table);
    }
    spark.stop();
  }

  /** A session for the cases of the group, over little data. */
  static SparkSession session(Group group, Path inputs) {
    return session(group, inputs, Map.of());
  }

  /**
   * Likewise.
   *
   * @param conf beside what all sessions have, or instead of it
   */
  static SparkSession session(Group group, Path inputs, Map<String, String> conf) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .appName("bench spark")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.sql.shuffle.partitions", CostCases.JOIN_PARTITIONS);
    if (group == Group.COSTS || group == Group.ALWAYS) {
      // Their joins are small: in one partition there would be nothing even, and nothing skewed.
      builder.config("spark.sql.adaptive.coalescePartitions.enabled", "false");
    }
    if (group == Group.ALWAYS) {
      // Nowhere else: the plugin of another commit may not know the key.
      builder.config("spark.gpusched.batching", "always");
    }
    conf.forEach(builder::config);
    SparkSession spark = builder.getOrCreate();
    register(spark);
    RowCases.register(spark);
    CostCases.register(spark);
    if (group == Group.LONG) {
      SparkBenchInputs.read(spark, inputs, SparkBenchInputs.Size.WHOLE);
      runOtherFunctions(spark);
    }
    SparkBenchInputs.read(spark, inputs, SparkBenchInputs.Size.SMALL);
    return spark;
  }

  /**
   * Runs each query over and over on little data: Spark's planner, scheduler and serializers are so
   * much code that the JIT compiler is busy with it for hundreds of queries, on the cores that are
   * to compute.
   */
  private static void runOften(SparkSession spark, List<Case> cases) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS);
    while (System.nanoTime() < until) {
      for (Case c : cases) {
        pair(spark, c, 0);
      }
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

  /** First what has most batches: what is run once a batch is compiled by the second case. */
  private static List<Case> balanceCases() {
    String skewed = "select sum(%s(re, im, 20000)) from skewed";
    String even = "select sum(%s(re, im, 2000)) from even";
    String light = "select sum(%s(re, im, 200)) from even_light";
    String plain = "mandelbrot_plain";
    return List.of(
        pair("even, light rows, by call", light, plain, "mandelbrot_call", 1.0),
        pair("even, light rows, by batch method", light, plain, "mandelbrot", 1.0),
        pair("even, by call", even, plain, "mandelbrot_call", 1.0),
        pair("even, by batch method", even, plain, "mandelbrot", 1.0),
        pair("skewed, by call", skewed, plain, "mandelbrot_call", 1.7),
        pair("skewed, by batch method", skewed, plain, "mandelbrot", 1.7));
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

  /** The same query with the plugin switched off and on. */
  static Case same(String name, String query, double bar) {
    return new Case(name, query, query, bar);
  }

  static Case pair(String name, String query, String plain, String plugin, double bar) {
    return new Case(name, String.format(query, plain), String.format(query, plugin), bar);
  }

  /**
   * Pairs of runs, each in the other order than the one before: what runs second may find caches
   * warm, or collect the garbage of what ran first. Before those that count come two pairs, and
   * more until the JIT compiler has had its time: it compiles both queries again when it meets
   * other functions than those of the case before.
   */
  private static void measure(
      SparkSession spark, Case c, int repetitions, int warmUpSeconds, SparkBenchTable table)
      throws IOException {
    requireBatched(spark, c);
    long warmUntil = System.nanoTime() + TimeUnit.SECONDS.toNanos(warmUpSeconds);
    for (int i = 0; i < 2 || System.nanoTime() < warmUntil; i++) {
      pair(spark, c, i);
    }
    for (int i = 0; i < repetitions; i++) {
      table.add(pair(spark, c, i));
    }
  }

  /** Without the plugin a ratio would be one, which many a case's bar is. */
  private static void requireBatched(SparkSession spark, Case c) {
    spark.conf().set("spark.gpusched.enabled", true);
    String plan = spark.sql(c.plugin()).queryExecution().executedPlan().toString();
    if (!plan.contains("BatchedUdfs [")) {
      throw new IllegalStateException(c.name() + ": the plugin has no part in " + plan);
    }
  }

  private static SparkBenchTable.Pair pair(SparkSession spark, Case c, int i) {
    boolean plainFirst = i % 2 == 0;
    Run first = run(spark, c, plainFirst);
    Run second = run(spark, c, !plainFirst);
    if (first.sum() != second.sum()) {
      throw new IllegalStateException(c.name() + ": " + first.sum() + " against " + second.sum());
    }
    Run plain = plainFirst ? first : second;
    Run plugin = plainFirst ? second : first;
    return new SparkBenchTable.Pair(
        c.name(),
        c.bar(),
        plain.seconds(),
        plugin.seconds(),
        plain.processorSeconds(),
        plugin.processorSeconds());
  }

  private static Run run(SparkSession spark, Case c, boolean plain) {
    spark.conf().set("spark.gpusched.enabled", !plain);
    return run(spark, plain ? c.plain() : c.plugin());
  }

  static Run run(SparkSession spark, String query) {
    long processorNanos = Bench.processorNanos();
    long start = System.nanoTime();
    List<Row> rows = spark.sql(query).collectAsList();
    return new Run(
        ((Number) rows.get(0).get(0)).doubleValue(),
        (System.nanoTime() - start) / 1e9,
        (Bench.processorNanos() - processorNanos) / 1e9);
  }
}
