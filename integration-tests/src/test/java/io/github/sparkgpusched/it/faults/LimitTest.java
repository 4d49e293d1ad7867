package io.github.sparkgpusched.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.BatchedNodes;
import java.util.List;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Consumers that stop early: what they do not want is not computed, and everything is freed. Those
 * that do not stop early pay nothing for it.
 */
@Tag("faults")
class LimitTest {
  private static final long ROWS = 10_000_000;

  /** A task's first batch where all rows are batched. */
  private static final long FIRST_BATCH = 64;

  /** Rows that are all wanted. */
  private static final long ALL = 4096;

  private static final String BATCHING = "spark.gpusched.batching";
  private static final String AQE = "spark.sql.adaptive.enabled";
  private static final String TOP_ROWS = "spark.sql.execution.topKSortFallbackThreshold";

  private static LocalSpark spark;

  @BeforeAll
  static void start() {
    spark = LocalSpark.start(2, BATCHING, "auto");
    spark.register("counted", Scripted.rows(value -> value + 1), DataTypes.LongType);
    spark.onePartition(300_000, "id").write().mode("overwrite").parquet("target/tmp/limit");
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @AfterEach
  void unset() {
    spark.session().conf().unset(BATCHING);
    spark.session().conf().unset(AQE);
    spark.session().conf().unset(TOP_ROWS);
  }

  /**
   * @param plain calls that plain Spark makes: so few rows are over before a batch might begin
   */
  private static void assertCallsOf(long plain) {
    assertEquals(plain, Scripted.CALLS.get());
    spark.assertRecovered();
  }

  @Test
  void limit() {
    Scripted.CALLS.set(0);
    assertEquals(5, spark.onePartition(ROWS, "counted(id) v").limit(5).collectAsList().size());
    assertCallsOf(5);
  }

  @Test
  void limitOverAFilter() {
    Scripted.CALLS.set(0);
    assertEquals(
        3,
        spark.onePartition(ROWS, "id").where("counted(id) >= 0").limit(3).collectAsList().size());
    assertCallsOf(3);
  }

  /** What is wanted may be far in: each batch is a millisecond of work, by rows of 20 us. */
  @Test
  void limitOverAFilterThatFewRowsPass() {
    spark.register("counted", Scripted.rows(LimitTest::slow), DataTypes.LongType);
    Scripted.CALLS.set(0);
    assertEquals(
        1,
        spark.onePartition(ROWS, "id").where("counted(id) > 3000").limit(1).collectAsList().size());
    spark.register("counted", Scripted.rows(value -> value + 1), DataTypes.LongType);
    assertTrue(Scripted.CALLS.get() <= 3001 + 50, () -> Scripted.CALLS + " rows computed");
  }

  private static long slow(long value) {
    long until = System.nanoTime() + 20_000;
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    return value + 1;
  }

  /**
   * A thread of Spark's feeds the program, and is in the middle of a batch when the task ends: that
   * kills the program, and the thread finds out as it writes on. It reads the batch until then.
   */
  @Test
  void aProgramThatIsLeft() {
    spark.session().conf().set(BATCHING, "always");
    for (int time = 0; time < 20; time++) {
      assertEquals(
          List.of("[1]", "[2]", "[3]"),
          spark.onePartition(ROWS, "counted(id) v").javaRDD().pipe("cat").take(3));
    }
    spark.assertRecovered();
  }

  @Test
  void limitBelowAnotherOperator() {
    Scripted.CALLS.set(0);
    List<Row> sum =
        spark.onePartition(ROWS, "counted(id) v").limit(7).groupBy().sum("v").collectAsList();
    assertEquals(28, sum.get(0).getLong(0));
    assertCallsOf(7);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void limitOverAFilterBelowAnotherOperator(boolean adaptive) {
    spark.session().conf().set(AQE, adaptive);
    Scripted.CALLS.set(0);
    Dataset<Row> first = spark.onePartition(ROWS, "id").where("counted(id) > 0").limit(7);
    assertEquals(21, first.groupBy().sum("id").collectAsList().get(0).getLong(0));
    assertCallsOf(7);
  }

  /**
   * The side that is not broadcast is read row by row; of the other one, Spark infers, the
   * condition must hold too.
   */
  @Test
  void limitOverABroadcastJoin() {
    Scripted.CALLS.set(0);
    Dataset<Row> few = functions.broadcast(spark.onePartition(20, "id"));
    Dataset<Row> many = spark.onePartition(ROWS, "id", "id + 1 as n").where("counted(n) > 0");
    assertEquals(3, many.join(few, "id").limit(3).collectAsList().size());
    assertCallsOf(3 + 20);
  }

  @Test
  void takeOfManyPartitions() {
    Scripted.CALLS.set(0);
    assertEquals(
        3, spark.session().range(0, ROWS, 1, 8).selectExpr("counted(id) v").takeAsList(3).size());
    assertCallsOf(3);
  }

  @Test
  void limitOverColumnarInput() {
    Scripted.CALLS.set(0);
    Dataset<Row> input = spark.session().read().parquet("target/tmp/limit");
    assertEquals(5, input.where("counted(id) > 0").limit(5).collectAsList().size());
    assertCallsOf(5);
  }

  private static Dataset<Row> countedColumns() {
    return spark.session().read().parquet("target/tmp/limit").selectExpr("counted(id) v");
  }

  /** No plan tells of them. While a batch is handed on, others may compute the next one. */
  private static void assertFewCalls() {
    assertTrue(Scripted.CALLS.get() <= 2 * FIRST_BATCH, () -> Scripted.CALLS + " rows computed");
    spark.assertRecovered();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "always"})
  void readersThatStopByThemselves(String mode) {
    spark.session().conf().set(BATCHING, mode);
    Scripted.CALLS.set(0);
    assertEquals("[[1]]", countedColumns().toJavaRDD().take(1).toString());
    assertFewCalls();
    Scripted.CALLS.set(0);
    assertFalse(countedColumns().toJavaRDD().isEmpty());
    assertFewCalls();
    Scripted.CALLS.set(0);
    MapPartitionsFunction<Row, Long> one =
        rows -> (rows.hasNext() ? List.of(rows.next().getLong(0)) : List.<Long>of()).iterator();
    assertEquals(List.of(1L), countedColumns().mapPartitions(one, Encoders.LONG()).collectAsList());
    assertFewCalls();
  }

  /** The function fails for rows that nobody wants. */
  @Test
  void aReaderThatStopsBeforeARowThatFails() {
    spark.register("counted", Scripted.rows(LimitTest::failsLater), DataTypes.LongType);
    assertEquals("[[0]]", countedColumns().toJavaRDD().take(1).toString());
    assertThrows(SparkException.class, () -> countedColumns().toJavaRDD().count());
    spark.register("counted", Scripted.rows(value -> value + 1), DataTypes.LongType);
  }

  private static long failsLater(long value) {
    if (value >= FIRST_BATCH) {
      throw new IllegalArgumentException("row " + value);
    }
    return value;
  }

  @Test
  void anIteratorThatIsLeft() {
    Scripted.CALLS.set(0);
    var rows = spark.onePartition(ROWS, "counted(id) v").limit(100_000).toLocalIterator();
    assertEquals(1, rows.next().getLong(0));
    spark.assertRecovered();
  }

  private static Dataset<Row> counted() {
    return spark.onePartition(ALL, "counted(id) v");
  }

  private static Dataset<Row> passing() {
    return spark.onePartition(ALL, "id").where("counted(id) > 0");
  }

  /** Where all rows are batched. */
  private static void assertReadsAllRows(Dataset<Row> query) {
    Scripted.CALLS.set(0);
    query.collectAsList();
    assertEquals(ALL, Scripted.CALLS.get());
    assertEquals(0, belowALimit(query), () -> query.queryExecution().toString());
  }

  private static long belowALimit(Dataset<Row> query) {
    return BatchedNodes.of(query).stream()
        .filter(node -> node.simpleString(100).contains("below a limit"))
        .count();
  }

  @Test
  void allRows() {
    spark.session().conf().set(BATCHING, "always");
    assertReadsAllRows(counted());
    assertReadsAllRows(passing());
  }

  /** What is below the limit wants all rows of what is below itself. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void limitAboveWhatReadsAllRows(boolean adaptive) {
    spark.session().conf().set(BATCHING, "always");
    spark.session().conf().set(AQE, adaptive);
    assertReadsAllRows(counted().groupBy("v").count().limit(3));
    assertReadsAllRows(counted().groupBy("v").agg(functions.collect_list("v")).limit(3));
    assertReadsAllRows(counted().orderBy("v").limit(3));
    assertReadsAllRows(counted().sortWithinPartitions("v").limit(3));
    assertReadsAllRows(counted().repartition(2).limit(3));
  }

  @Test
  void anOffsetReadsAllRows() {
    spark.session().conf().set(BATCHING, "always");
    assertReadsAllRows(passing().offset(10));
  }

  /** Whose rows come in the order of the sort, and only at the top of a query. */
  @ParameterizedTest
  @ValueSource(strings = {"offset", "limit"})
  void whatIsTakenOfAllSortedRowsStaysAtTheTop(String what) {
    spark.session().conf().set(BATCHING, "always");
    spark.session().conf().set(TOP_ROWS, "5");
    Dataset<Row> sorted =
        spark.session().range(0, 40, 1, 4).toDF("id").orderBy(functions.desc("id"));
    Dataset<Row> taken =
        (what.equals("offset") ? sorted.offset(30) : sorted.limit(10)).selectExpr("counted(id) v");
    List<Row> rows = taken.collectAsList();
    assertEquals(10, rows.size());
    long first = what.equals("offset") ? 10 : 40;
    for (int i = 0; i < 10; i++) {
      assertEquals(first - i, rows.get(i).getLong(0));
    }
    String plan = taken.queryExecution().executedPlan().toString();
    assertTrue(plan.contains("CollectLimit") && !plan.contains("GlobalLimit"), plan);
  }

  /**
   * Inside a query, Spark shuffles sorted rows to one partition, and sorts them there once more if
   * it knows what stands between the sort and the limit.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, counted(id) v from sorted offset 30",
        "select id, counted(id) v from sorted limit 10",
        "select id, 1 v from sorted where counted(id) + rand() > 0 offset 30",
        "select id, 1 v from sorted where counted(id) + rand() > 0 limit 10",
        "select id, counted(id) + rand() v from sorted limit 10",
      })
  void whatIsTakenOfSortedRowsInsideAQueryIsSortedOnceMore(String sql) {
    spark.session().conf().set(BATCHING, "always");
    spark.session().conf().set(TOP_ROWS, "5");
    spark
        .session()
        .range(0, 40, 1, 4)
        .toDF("id")
        .orderBy(functions.desc("id"))
        .createOrReplaceTempView("sorted");
    Dataset<Row> sum =
        spark.session().sql("select sum(id), count(*), max(v) > 0 from (" + sql + ")");
    long first = sql.contains("offset") ? 9 : 39;
    assertEquals("[" + (10 * first - 45) + ",10,true]", sum.collectAsList().get(0).toString());
    String plan = sum.queryExecution().executedPlan().toString();
    String behind = plan.substring(plan.indexOf("GlobalLimit"));
    assertTrue(
        behind.contains("TakeOrdered")
            || behind.matches(
                "(?s)GlobalLimit[^\\n]*\\n[^\\n]*(\\n[^\\n]*Project[^\\n]*)?[^\\n]*Sort .*, false, 0.*"),
        plan);
  }

  /** Partitions that are sorted each by itself have no top rows: the first partition's come. */
  @Test
  void whatIsTakenOfSortedPartitionsStaysAtTheTop() {
    spark.session().conf().set(BATCHING, "always");
    Dataset<Row> taken =
        spark
            .session()
            .range(0, 40, 1, 4)
            .toDF("id")
            .sortWithinPartitions(functions.desc("id"))
            .limit(3)
            .selectExpr("counted(id) v");
    List<Long> rows = taken.collectAsList().stream().map(row -> row.getLong(0)).toList();
    assertEquals(List.of(10L, 9L, 8L), rows);
    String plan = taken.queryExecution().executedPlan().toString();
    assertTrue(plan.contains("CollectLimit") && !plan.contains("GlobalLimit"), plan);
  }

  /** One side of a union may stop early, the other may not. Its second batch has twice as many. */
  @Test
  void limitOfOnePart() {
    spark.session().conf().set(BATCHING, "always");
    Scripted.CALLS.set(0);
    Dataset<Row> both = passing().limit(65).union(passing());
    assertEquals(65 + ALL, both.collectAsList().size());
    assertEquals(3 * FIRST_BATCH + ALL, Scripted.CALLS.get());
    assertEquals(1, belowALimit(both));
  }
}
