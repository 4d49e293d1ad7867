package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.functions.Levenshtein;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;

/**
 * Queries whose rows come as rows and not as a scan's batches: of ranges, computed columns, joins
 * and aggregates. There the plugin copies each row into a batch, which light functions feel most.
 */
final class RowCases {
  private static final long ROWS = 20_000_000;
  private static final long WIDE_ROWS = 5_000_000;
  private static final long TEXT_ROWS = 4_000_000;
  private static final long LONG_TEXT_ROWS = 400_000;
  private static final int WIDE_COLUMNS = 23;

  /** Steps of {@link Steps} that take about 0.7 microseconds. */
  private static final int SOME_STEPS = 500;

  /** So many dependent multiplications: a function of a known price. */
  public static final class Steps implements UDF1<Integer, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Integer steps) {
      return of(steps);
    }

    static long of(int steps) {
      long x = steps;
      for (int i = 0; i < steps; i++) {
        x = x * 6364136223846793005L + 1442695040888963407L;
      }
      return x >>> 40;
    }
  }

  private RowCases() {}

  static void register(SparkSession spark) {
    Levenshtein levenshtein = new Levenshtein();
    JaroWinkler jaroWinkler = new JaroWinkler();
    var udf = spark.udf();
    udf.register("distance", levenshtein, DataTypes.IntegerType);
    udf.register("similarity", jaroWinkler, DataTypes.DoubleType);
    udf.register("steps", new Steps(), DataTypes.LongType);
    // The planner sees the lambda, not what it calls.
    udf.register(
        "distance_plain",
        (UDF2<String, String, Integer>) (a, b) -> levenshtein.call(a, b),
        DataTypes.IntegerType);
    udf.register(
        "similarity_plain",
        (UDF2<String, String, Double>) (a, b) -> jaroWinkler.call(a, b),
        DataTypes.DoubleType);
    udf.register("steps_plain", (UDF1<Integer, Long>) n -> Steps.of(n), DataTypes.LongType);
  }

  /** Makes the views that the cases read. */
  static void views(SparkSession spark, SparkBenchInputs.Size size) {
    long rows = size.of(ROWS);
    view(spark, "range_rows", rows, "id", "id / 7D as x", "cast(id % 1000 as double) as y");
    List<String> wide = new ArrayList<>();
    for (int i = 0; i < WIDE_COLUMNS; i++) {
      wide.add("(id + " + i + ") / 7D as c" + i);
    }
    view(spark, "range_wide", size.of(WIDE_ROWS), wide.toArray(String[]::new));
    view(
        spark,
        "range_texts",
        size.of(TEXT_ROWS),
        "concat('sunday', id % 1000) as a",
        "concat('saturn', id % 977) as b");
    // The first of four partitions has 99% of the cost.
    view(
        spark,
        "range_quarter",
        rows,
        String.format(
            "cast(if(id %% 4 = 0, if(id < %d, %d, 2), 0) as int) as steps", rows / 4, SOME_STEPS));
    long texts = size.of(LONG_TEXT_ROWS);
    view(
        spark,
        "range_long_texts",
        texts,
        "concat(if(id < " + texts / 4 + ", repeat('tree', 60), 'tree'), id) as a",
        "concat(if(id < " + texts / 4 + ", repeat('reel', 60), 'reel'), id + 7) as b");
    spark
        .sql(
            String.format(
                "select /*+ merge(b) */ a.x, b.y from (select id, id / 7D as x from range(0, %1$d, 1,"
                    + " 4)) a join (select id, id %% 1000 + 0D as y from range(0, %1$d, 1, 4)) b on"
                    + " a.id = b.id",
                size.of(TEXT_ROWS)))
        .createOrReplaceTempView("joined_rows");
    spark
        .sql(
            "select id % 1000003 as k, sum(x) as x, max(y) as y from range_rows group by id % 1000003")
        .createOrReplaceTempView("aggregated_rows");
  }

  private static void view(SparkSession spark, String name, long rows, String... columns) {
    spark.range(0, rows, 1, 4).selectExpr(columns).createOrReplaceTempView(name);
  }

  static List<SparkBench.Case> all() {
    String light = "multiply_add_plain";
    StringJoiner columns = new StringJoiner(" + ");
    for (int i = 0; i < WIDE_COLUMNS; i++) {
      columns.add("c" + i);
    }
    String wide = "select sum(%s(c0, c1, 1.5D) + " + columns + ") from range_wide";
    String filter = "select count(*) from range_rows where %s(x, y, 1.5D) > 1e9";
    String guarded =
        "select sum(%s(case when id %% 3 = 0 then x else y end, y, 1.5D)) from range_rows";
    return List.of(
        pair("rows: cheap", cheap("range_rows"), light, "multiply_add"),
        pair("rows: cheap by call", cheap("range_rows"), light, "multiply_add_call"),
        pair("rows: in a filter", filter, light, "multiply_add"),
        pair("rows: 23 columns", wide, light, "multiply_add"),
        pair("rows: CASE in an argument", guarded, light, "multiply_add"),
        pair(
            "rows: edit distance of short strings",
            "select sum(%s(a, b)) from range_texts",
            "distance_plain",
            "distance"),
        pair("rows: after a sort-merge join", cheap("joined_rows"), light, "multiply_add"),
        pair("rows: after an aggregate", cheap("aggregated_rows"), light, "multiply_add"),
        pair(
            "rows: skewed, light",
            "select sum(%s(steps)) from range_quarter",
            "steps_plain",
            "steps"),
        pair(
            "rows: skewed, Jaro-Winkler",
            "select sum(%s(a, b)) from range_long_texts",
            "similarity_plain",
            "similarity"));
  }

  private static String cheap(String table) {
    return "select sum(%s(x, y, 1.5D)) from " + table;
  }

  private static SparkBench.Case pair(String name, String query, String plain, String plugin) {
    double bar = name.equals("rows: skewed, light") ? 1.5 : name.contains("skewed") ? 1.9 : 0.98;
    return SparkBench.pair(name, query, plain, plugin, bar);
  }
}
