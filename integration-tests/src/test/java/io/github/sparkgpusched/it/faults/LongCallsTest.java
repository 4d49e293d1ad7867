package io.github.sparkgpusched.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.ResultColumn;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Batch methods whose calls take long however few their rows are, as those that ask a server do.
 */
@Tag("faults")
class LongCallsTest {
  private static final long ROWS = 40_000;
  private static final String PATH = "target/tmp/long-calls";
  private static final AtomicLong BATCHES = new AtomicLong();

  private static LocalSpark spark;

  @BeforeAll
  static void start() {
    spark = LocalSpark.start(2, "spark.gpusched.batching", "auto");
    spark.register("asked", Scripted.ranges(LongCallsTest::ask), DataTypes.LongType);
    spark.onePartition(ROWS, "id").write().mode("overwrite").parquet(PATH);
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  private static void ask(Columns in, int from, int until, ResultColumn out) throws Exception {
    BATCHES.incrementAndGet();
    Thread.sleep(2); // what is asked takes its time
    for (int row = from; row < until; row++) {
      out.setLong(row, in.longs(0).get(row) + 1);
    }
  }

  /** Row by row these would be 40,000 calls, and more than a minute of waiting for each thread. */
  @Test
  void haveManyRows() {
    long sum = spark.session().read().parquet(PATH).selectExpr("sum(asked(id))").head().getLong(0);
    assertEquals(ROWS * (ROWS + 1) / 2, sum);
    assertTrue(BATCHES.get() < ROWS / 10, () -> BATCHES + " calls");
  }
}
