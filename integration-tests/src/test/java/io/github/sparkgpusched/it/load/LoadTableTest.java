package io.github.sparkgpusched.it.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.GpuSched;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.it.cluster.Waiting;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The load table as a Dataset and as a table function. */
@Tag("sql")
class LoadTableTest {
  private static SparkSession spark;

  /** With a table that nobody has counted in: what failed tasks of others leave may not balance. */
  @BeforeAll
  static void start() {
    TestSpark.stop();
    spark = TestSpark.session();
  }

  private static long rows(List<Row> table) {
    return table.stream().mapToLong(row -> row.<Long>getAs("rows")).sum();
  }

  @Test
  void hasARowForEachDeviceAndAllRowsOfAQuery() throws InterruptedException {
    spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
    Balance.await(spark);
    long before = rows(GpuSched.loadTable(spark).collectAsList());
    long expected = before + 100_000;
    spark
        .sql("SELECT sum(multiply_add(cast(id AS double), 2D, 1D)) FROM range(0, 100000, 1, 4)")
        .collectAsList();
    List<Row> table = await(expected);
    assertEquals(2, table.size());
    assertEquals(
        List.of("host:0", "host:1"), table.stream().map(r -> r.getAs("device")).sorted().toList());
    for (Row row : table) {
      assertEquals("driver", row.getAs("executorId"));
      assertEquals("active", row.getAs("state"));
      assertEquals(0L, row.<Long>getAs("queueDepth"));
      assertEquals(0L, row.<Long>getAs("inFlight"));
      assertTrue(row.<Long>getAs("idleMillis") > 0);
      assertTrue(row.isNullAt(row.fieldIndex("freeBytes")), "a host device has no memory");
    }
    assertEquals(expected, rows(spark.sql("SELECT * FROM gpusched_load()").collectAsList()));
    assertEquals(
        expected,
        spark.sql("SELECT sum(rows) FROM gpusched_load()").collectAsList().get(0).getLong(0));
  }

  private List<Row> await(long rows) throws InterruptedException {
    List<Row> table = GpuSched.loadTable(spark).collectAsList();
    long deadline = System.nanoTime() + Waiting.PATIENCE.toNanos();
    while (rows(table) != rows && System.nanoTime() < deadline) {
      Thread.sleep(20);
      table = GpuSched.loadTable(spark).collectAsList();
    }
    assertEquals(rows, rows(table));
    return table;
  }

  @Test
  void aQueryIsInTheTableOfQueries() {
    spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
    spark.sparkContext().setJobDescription("of this test");
    spark
        .sql("SELECT sum(multiply_add(cast(id AS double), 2D, 1D)) FROM range(0, 100000, 1, 4)")
        .collectAsList();
    spark.sparkContext().setJobDescription(null);
    String mine = "description = 'of this test' AND state = 'completed' AND rows = 100000";
    Waiting.until(
        () -> GpuSched.queries(spark).collectAsList().toString(),
        () -> GpuSched.queries(spark).where(mine).count() == 1);
    Row query = GpuSched.queries(spark).where(mine).collectAsList().get(0);
    assertEquals("multiply_add", query.getAs("udfs"));
    assertEquals(4L, query.<Long>getAs("tasks"));
    assertTrue(query.isNullAt(query.fieldIndex("leftMillis")), "it has ended");
    assertTrue(query.<Double>getAs("skew") >= 1);
  }

  @Test
  void takesNoArguments() {
    Exception e = assertThrows(Exception.class, () -> spark.sql("SELECT * FROM gpusched_load(1)"));
    assertTrue(e.getMessage().contains("takes no arguments, but was given 1"), e.getMessage());
  }
}
