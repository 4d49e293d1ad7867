package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.functions.Levenshtein;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
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
    var udf = spark.udf();
    udf.register("distance", new Levenshtein(), DataTypes.IntegerType);
    udf.register("similarity", new JaroWinkler(), DataTypes.DoubleType);
    udf.register("steps", new Steps(), DataTypes.LongType);
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
    StringJoiner columns = new StringJoiner(" + ");
    for (int i = 0; i < WIDE_COLUMNS; i++) {
      columns.add("c" + i);
    }
    return List.of(
        even("cheap", cheap("range_rows")),
        even("in a filter", "select count(*) from range_rows where multiply_add(x, y, 1.5D) > 1e9"),
        even(
            "23 columns",
            "select sum(multiply_add(c0, c1, 1.5D) + " + columns + ") from range_wide"),
        even(
            "CASE in an argument",
            "select sum(multiply_add(case when id % 3 = 0 then x else y end, y, 1.5D)) from"
                + " range_rows"),
        even("edit distance of short strings", "select sum(distance(a, b)) from range_texts"),
        even("after a sort-merge join", cheap("joined_rows")),
        even("after an aggregate", cheap("aggregated_rows")),
        skewed("light", "select sum(steps(steps)) from range_quarter", 1.5),
        skewed("Jaro-Winkler", "select sum(similarity(a, b)) from range_long_texts", 1.9),
        // The JIT compiler inlines Spark's call of a lambda as long as it is the only one that
        // Spark has called, of as many arguments: as fast as plain Spark can be.
        SparkBench.pair(
            "rows: cheap against a lambda",
            "select sum(%s(x, y, 1.5D)) from range_rows",
            "multiply_add_plain",
            "multiply_add",
            0.98));
  }

  private static String cheap(String table) {
    return "select sum(multiply_add(x, y, 1.5D)) from " + table;
  }

  private static SparkBench.Case even(String name, String query) {
    return SparkBench.same("rows: " + name, query, 0.98);
  }

  private static SparkBench.Case skewed(String name, String query, double bar) {
    return SparkBench.same("rows: skewed, " + name, query, bar);
  }
}
