package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.ExplainLog;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.ForeachWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Micro-batches from files, one file each: stateless, and with state. */
class StreamingTest extends SqlTest {
  /** What is computed of the stream {@code s}, and the output mode. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select id, inc(x), shout(s) from s where is_big(y) | append",
        "select bucket(id), sum(inc(x)), count(*) from s group by bucket(id) | complete",
        "select k, inc(sum(x)) from s group by k | complete",
        "select id, uid from s join u on inc(s.x) = u.x | append",
        "select distinct bucket(id) from s | complete",
      })
  void agrees(String sql, String mode) throws Exception {
    stream();
    ConcurrentLinkedQueue<Row> rows = new ConcurrentLinkedQueue<>();
    AtomicLong batches = new AtomicLong();
    VoidFunction2<Dataset<Row>, Long> keep =
        (batch, number) -> {
          if (mode.equals("complete")) {
            rows.clear();
          }
          rows.addAll(batch.collectAsList());
          batches.incrementAndGet();
        };
    set(Map.of(EXPLAIN, "ALL"));
    try (ExplainLog log = new ExplainLog()) {
      run(sql, mode, keep);
      assertTrue(batches.get() >= 2, () -> batches + " batches");
      assertTrue(
          log.lines().stream().allMatch(line -> line.contains("is batched")),
          log.lines()::toString);
      assertFalse(log.lines().isEmpty());
    }
    spark.table("t").createOrReplaceTempView("s");
    assertSame(rowWise(sql), Bits.of(List.copyOf(rows)));
  }

  /** An operator with state keeps it once all of its rows are read, so no limit stops it before. */
  @Test
  void limitsAboveStateLeaveItWhole() throws Exception {
    ConcurrentLinkedQueue<Row> rows = new ConcurrentLinkedQueue<>();
    stream();
    spark
        .table("s")
        .dropDuplicates("id")
        .selectExpr("inc(x) y")
        .limit(3)
        .createOrReplaceTempView("first");
    run("select y from first", "append", (batch, number) -> rows.addAll(batch.collectAsList()));
    assertEquals(3, rows.size(), rows::toString);
  }

  /** A batch would be filled for hours. */
  @Test
  void rowsOfAContinuousStreamDoNotWait() throws Exception {
    CountDownLatch came = new CountDownLatch(3);
    set(Map.of(EXPLAIN, "ALL"));
    try (ExplainLog log = new ExplainLog()) {
      StreamingQuery query =
          spark
              .readStream()
              .format("rate")
              .option("rowsPerSecond", 5)
              .option("numPartitions", 1)
              .load()
              .selectExpr("inc(double(value)) y")
              .where("is_big(y + 1000)")
              .writeStream()
              .foreach(new CountsRows(came))
              .trigger(Trigger.Continuous("1 hour"))
              .option("checkpointLocation", TestSpark.directory("endless").toString())
              .start();
      try {
        assertTrue(came.await(10, TimeUnit.MINUTES), "no row came");
      } finally {
        query.stop();
      }
      assertTrue(
          log.lines().stream()
              .allMatch(line -> line.contains("stays row by row") && line.contains("continuous")),
          log.lines()::toString);
      assertFalse(log.lines().isEmpty());
    }
  }

  private static final Map<Integer, CountDownLatch> LATCHES = new ConcurrentHashMap<>();

  /** Tasks have a copy of it. */
  private static final class CountsRows extends ForeachWriter<Row> {
    private static final long serialVersionUID = 1L;
    private final int latch;

    CountsRows(CountDownLatch latch) {
      this.latch = System.identityHashCode(latch);
      LATCHES.put(this.latch, latch);
    }

    @Override
    public boolean open(long partition, long epoch) {
      return true;
    }

    @Override
    public void process(Row row) {
      LATCHES.get(latch).countDown();
    }

    @Override
    public void close(Throwable error) {}
  }

  /** In {@code s}. */
  private static void stream() {
    spark
        .readStream()
        .schema(spark.table("t").schema())
        .option("maxFilesPerTrigger", 1)
        .parquet(TestSpark.directory("t").toString())
        .createOrReplaceTempView("s");
  }

  private static void run(String sql, String mode, VoidFunction2<Dataset<Row>, Long> keep)
      throws Exception {
    StreamingQuery query =
        spark
            .sql(sql)
            .writeStream()
            .foreachBatch(keep)
            .outputMode(mode)
            .trigger(Trigger.AvailableNow())
            .option("checkpointLocation", TestSpark.directory("check" + sql.hashCode()).toString())
            .start();
    query.awaitTermination();
  }
}
