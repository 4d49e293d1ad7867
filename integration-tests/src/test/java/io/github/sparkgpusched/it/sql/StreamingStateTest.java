package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.ExplainLog;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Streams with a watermark: windows that are given out once they are complete, joins of two streams
 * whose state is dropped in time. The source gives the same rows in the same micro-batches each
 * time, so each micro-batch must give the same batched as row by row.
 */
class StreamingStateTest extends SqlTest {
  private static final int BATCHES = 6;

  /** Two streams of 30 rows a micro-batch: {@code timestamp}, 2 s a batch, and {@code value}. */
  @BeforeEach
  void views() {
    for (String name : List.of("l", "r")) {
      spark
          .readStream()
          .format("rate-micro-batch")
          .option("rowsPerBatch", 30)
          .option("numPartitions", 2)
          .option("startTimestamp", 1_000_000)
          .option("advanceMillisPerBatch", 2000)
          .load()
          .selectExpr("timestamp", "cast(value as int) id", "cast(value as double) x")
          .withWatermark("timestamp", "1 second")
          .createOrReplaceTempView(name);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select window(timestamp, '4 seconds').start, bucket(id), sum(inc(x)), count(*) from l"
            + " where add(x, x) < 200 group by window(timestamp, '4 seconds'), bucket(id)",
        "select window.start, inc(sum(x)) from l group by window(timestamp, '2 seconds')",
        "select l.id, r.id, add(l.x, r.x) from l join r on inc(l.x) = r.x and r.timestamp"
            + " between l.timestamp - interval 3 seconds and l.timestamp + interval 3 seconds",
        "select l.id, r.id, inc(r.x) from l left join r on inc(l.x) * 2 = r.x and r.timestamp"
            + " between l.timestamp and l.timestamp + interval 2 seconds",
      })
  void everyMicroBatchAgrees(String sql) throws Exception {
    set(Map.of(ENABLED, "false"));
    Map<Long, List<String>> expected = microBatches(sql);
    set(Map.of(ENABLED, "true", EXPLAIN, "ALL"));
    try (ExplainLog log = new ExplainLog()) {
      assertEquals(expected, microBatches(sql));
      assertFalse(log.lines().isEmpty());
      assertTrue(
          log.lines().stream().allMatch(line -> line.contains("is batched") || isOfJoin(line)),
          log.lines()::toString);
      assertEquals(sql.contains(" join "), log.lines().stream().anyMatch(line -> isOfJoin(line)));
    }
    assertTrue(expected.values().stream().mapToInt(List::size).sum() > 2, expected::toString);
  }

  private static boolean isOfJoin(String line) {
    return line.contains("stays row by row in Join, because the join of two streams keeps rows");
  }

  /** The first micro-batches' rows, sorted, by number. */
  private static Map<Long, List<String>> microBatches(String sql) throws Exception {
    Map<Long, List<String>> batches = new TreeMap<>();
    CountDownLatch left = new CountDownLatch(BATCHES);
    VoidFunction2<Dataset<Row>, Long> keep =
        (rows, number) -> {
          if (number < BATCHES) {
            batches.put(number, Bits.of(rows.collectAsList()).stream().sorted().toList());
            left.countDown();
          }
        };
    StreamingQuery query =
        spark
            .sql(sql)
            .writeStream()
            .foreachBatch(keep)
            .outputMode("append")
            .option(
                "checkpointLocation", TestSpark.directory("state" + System.nanoTime()).toString())
            .start();
    try {
      while (!left.await(1, TimeUnit.SECONDS) && query.isActive()) {
        // Its failure is thrown below.
      }
    } finally {
      query.stop();
    }
    query.awaitTermination();
    return batches;
  }
}
