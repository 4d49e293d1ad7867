package io.github.sparkgpusched.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Consumers that stop early: what they do not want is not computed, and everything is freed. */
@Tag("faults")
@Timeout(60)
class LimitTest {
  private static final long ROWS = 10_000_000;

  /** The first batch of a task: Spark, which calls row by row, computes the limit alone. */
  private static final long FEW = 64;

  private static LocalSpark spark;

  @BeforeAll
  static void start() {
    spark = LocalSpark.start(2);
    spark.register("counted", Scripted.rows(value -> value + 1), DataTypes.LongType);
    spark.onePartition(300_000, "id").write().mode("overwrite").parquet("target/tmp/limit");
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  private static void assertFewCalls() {
    assertTrue(Scripted.CALLS.get() <= FEW, () -> Scripted.CALLS.get() + " rows computed");
    spark.assertRecovered();
  }

  @Test
  void limit() {
    Scripted.CALLS.set(0);
    assertEquals(5, spark.onePartition(ROWS, "counted(id) v").limit(5).collectAsList().size());
    assertFewCalls();
  }

  @Test
  void limitOverAFilter() {
    Scripted.CALLS.set(0);
    assertEquals(
        3,
        spark.onePartition(ROWS, "id").where("counted(id) >= 0").limit(3).collectAsList().size());
    assertFewCalls();
  }

  /** What is wanted may be far in: batches grow, and stop soon after it. */
  @Test
  void limitOverAFilterThatFewRowsPass() {
    Scripted.CALLS.set(0);
    assertEquals(
        1,
        spark.onePartition(ROWS, "id").where("counted(id) > 3000").limit(1).collectAsList().size());
    assertTrue(Scripted.CALLS.get() <= 64 + 4096, () -> Scripted.CALLS + " rows computed");
  }

  @Test
  void limitBelowAnotherOperator() {
    Scripted.CALLS.set(0);
    List<Row> sum =
        spark.onePartition(ROWS, "counted(id) v").limit(7).groupBy().sum("v").collectAsList();
    assertEquals(28, sum.get(0).getLong(0));
    assertFewCalls();
  }

  @Test
  void takeOfManyPartitions() {
    Scripted.CALLS.set(0);
    assertEquals(
        3, spark.session().range(0, ROWS, 1, 8).selectExpr("counted(id) v").takeAsList(3).size());
    assertFewCalls();
  }

  @Test
  void limitOverColumnarInput() {
    Scripted.CALLS.set(0);
    assertEquals(
        5,
        spark
            .session()
            .read()
            .parquet("target/tmp/limit")
            .selectExpr("counted(id) v")
            .limit(5)
            .collectAsList()
            .size());
    assertFewCalls();
  }

  @Test
  void anIteratorThatIsLeft() {
    Scripted.CALLS.set(0);
    var rows = spark.onePartition(ROWS, "counted(id) v").limit(100_000).toLocalIterator();
    assertEquals(1, rows.next().getLong(0));
    spark.assertRecovered();
  }
}
