package io.github.sparkgpusched.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.BatchedNodes;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls below what drops rows are computed for the rows that are left, as in plain Spark, and not
 * where something reads their results before.
 */
@Tag("sql")
class CallsLastTest {
  private static final long ROWS = 3000;
  private static final List<String> MODES = List.of("auto", "always", "never");

  private static LocalSpark spark;

  @BeforeAll
  static void start() {
    spark = LocalSpark.start(2);
    spark.register("counted", Scripted.rows(value -> value + 1), DataTypes.LongType);
    spark
        .onePartition(ROWS, "id", "id % 3 m")
        .write()
        .mode("overwrite")
        .parquet("target/tmp/calls-last");
    spark.session().read().parquet("target/tmp/calls-last").createOrReplaceTempView("columns");
    spark
        .session()
        .range(0, ROWS, 1, 2)
        .selectExpr("id", "id % 3 m")
        .createOrReplaceTempView("rows");
    functions
        .broadcast(spark.session().range(0, ROWS, 300, 1).selectExpr("id k", "id + 7 w"))
        .createOrReplaceTempView("few");
    functions
        .broadcast(spark.session().range(0, 3, 1, 1).selectExpr("id t", "id + 1 n"))
        .createOrReplaceTempView("thirds");
    functions
        .broadcast(spark.session().range(0, 10, 1, 1).selectExpr("id % 2 k", "id n"))
        .createOrReplaceTempView("often");
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @AfterEach
  void unset() {
    spark.session().conf().unset("spark.gpusched.batching");
    spark.session().conf().unset("spark.sql.adaptive.enabled");
    spark.session().conf().unset("spark.gpusched.enabled");
  }

  /**
   * @param plain calls that plain Spark makes: it computes a column once more where it is read once
   *     more, and once for each of the rows that a join makes of one
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10   | 10   | select w, v, id from (select id, counted(id) v from %s) join few on id = k
          10   | 10   | select v * 2, m + v, k from (select id, m, counted(id + 5) v from %s) join few on id = k
          10   | 10   | select v, w from few join (select id, m, counted(id) + m v from %s) on id = k and w > m
          10   | 10   | select * from (select id, counted(id) v from %s) left semi join few on id = k
          2990 | 2990 | select * from (select id, counted(id) v from %s) left anti join few on id = k
          2990 | 2990 | select * from (select id, counted(id) v from %s) where id not in (select k from few)
          20   | 20   | select v, id from (select id, counted(counted(id)) v from %s) join few on id = k
          20   | 20   | select v, x from (select id, counted(id) v, counted(m) x from %s) join few on id = k
          10   | 10   | select v, a.w, b.w from (select id, counted(id) v from %s) join few a on id = a.k join few b on id = b.k
          3000 | 3000 | select * from (select v, v, m, m, id from (select id, m, counted(id) v from %s)) join few on id = k
          10   | 10   | select v, n from (select counted(id) v, id, m from %s) join thirds on m = t join few on id = k
          10   | 10   | select v2, n from (select v + 1 v2, id, n from (select counted(id) v, id, m from %s) join thirds on m = t) join few on id = k
          3000 | 3000 | select v2, v3 from (select v + 1 v2, v + 2 v3, id, n from (select counted(id) v, id, m from %s) join thirds on m = t) join few on id = k
          10   | 10   | select sum(v), max(w) from (select id, counted(id) v from %s) join few on id = k
          10   | 10   | select v from (select id + 1 i, counted(id) v from %s) join few on i - 1 = k
          10   | 10   | select id, v, n from (select id, counted(id) v from %s) join often on id = k
          10   | 10   | select id, v, r from (select id, counted(id) v, rand(2) r from %s) join few on id = k
          0    | 0    | select v from (select counted(id) v from %s) where rand(1) < 0
          3000 | 3000 | select id, v from (select id, counted(id) + rand(2) v from %s) join few on id = k
          3008 | 3000 | select id, v, n from (select id, counted(id) v from %s) left join often on id = k
          """)
  void noMoreCallsThanInPlainSpark(long plain, long batched, String query) {
    for (String table : List.of("columns", "rows")) {
      String sql = query.formatted(table);
      for (boolean adaptive : new boolean[] {true, false}) {
        spark.session().conf().set("spark.sql.adaptive.enabled", adaptive);
        List<String> expected = plain(() -> spark.session().sql(sql), plain);
        for (String mode : MODES) {
          spark.session().conf().set("spark.gpusched.batching", mode);
          assertEquals(expected, answer(spark.session().sql(sql), batched), () -> mode + sql);
          assertFalse(BatchedNodes.of(spark.session().sql(sql)).isEmpty(), sql);
        }
      }
    }
    spark.assertRecovered();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select v, w from (select counted(id) - 1 v from %s) join few on v = k",
        "select v, w from (select id, counted(id) v from %s) join few on id = k and v > w - 7",
      })
  void whatAJoinReadsIsComputedBefore(String query) {
    for (String table : List.of("columns", "rows")) {
      String sql = query.formatted(table);
      spark.session().conf().set("spark.gpusched.enabled", false);
      Scripted.CALLS.set(0);
      List<String> expected = sorted(spark.session().sql(sql));
      long plain = Scripted.CALLS.get(); // some releases of Spark look for nulls first
      spark.session().conf().unset("spark.gpusched.enabled");
      for (String mode : MODES) {
        spark.session().conf().set("spark.gpusched.batching", mode);
        Scripted.CALLS.set(0);
        assertEquals(expected, sorted(spark.session().sql(sql)), () -> mode + sql);
        long calls = Scripted.CALLS.get();
        assertTrue(calls >= ROWS && calls <= plain, () -> calls + " calls, " + plain + " in Spark");
      }
    }
  }

  /**
   * Then plain Spark evaluates a projected column at once, and an error of any row is the query's.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsNotFusedIsComputedBefore(boolean tooManyFields) {
    SparkSession session = spark.session();
    session.conf().set("spark.sql.codegen.wholeStage", tooManyFields);
    session.conf().set("spark.sql.codegen.maxFields", tooManyFields ? 3 : 100);
    for (String table : List.of("columns", "rows")) {
      String sql = "select * from (select id, m, counted(id) v from %s) join few on id = k";
      List<String> expected = plain(() -> session.sql(sql.formatted(table)), ROWS);
      assertEquals(expected, answer(session.sql(sql.formatted(table)), ROWS), table);
    }
    session.conf().unset("spark.sql.codegen.wholeStage");
    session.conf().unset("spark.sql.codegen.maxFields");
  }

  @ParameterizedTest
  @ValueSource(strings = {"columns", "rows"})
  void aSample(String table) {
    Supplier<Dataset<Row>> query =
        () -> spark.session().table(table).selectExpr("id", "counted(id) v").sample(0.02, 42);
    long rows = query.get().select("id").count();
    assertTrue(rows > 0 && rows < ROWS / 10, () -> rows + " rows");
    List<String> expected = plain(query, rows);
    for (String mode : MODES) {
      spark.session().conf().set("spark.gpusched.batching", mode);
      assertEquals(expected, answer(query.get(), rows), mode);
    }
  }

  private static List<String> plain(Supplier<Dataset<Row>> query, long calls) {
    spark.session().conf().set("spark.gpusched.enabled", false);
    List<String> rows = answer(query.get(), calls);
    spark.session().conf().unset("spark.gpusched.enabled");
    return rows;
  }

  private static List<String> answer(Dataset<Row> query, long calls) {
    Scripted.CALLS.set(0);
    List<String> rows = sorted(query);
    assertEquals(calls, Scripted.CALLS.get(), () -> query.queryExecution().toString());
    return rows;
  }

  private static List<String> sorted(Dataset<Row> query) {
    return query.collectAsList().stream().map(Row::toString).sorted().toList();
  }
}
