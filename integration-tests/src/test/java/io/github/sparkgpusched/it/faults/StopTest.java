package io.github.sparkgpusched.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.sparkgpusched.it.cluster.Waiting;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams and applications that are stopped in the middle of a batch. */
@Tag("faults")
class StopTest {
  private static final Scripted NAPS =
      Scripted.rows(
          value -> {
            Thread.sleep(2);
            return value;
          });

  private static void awaitInside(int threads) {
    Waiting.until(
        () -> Scripted.INSIDE.get() + " threads inside", () -> Scripted.INSIDE.get() == threads);
  }

  @Test
  void aStreamStopsInTheMiddleOfABatch() throws Exception {
    try (LocalSpark spark = LocalSpark.start(2)) {
      spark.register("slow", NAPS, DataTypes.LongType);
      StreamingQuery query =
          spark
              .session()
              .readStream()
              .format("rate-micro-batch")
              .option("rowsPerBatch", 100_000)
              .option("numPartitions", 1)
              .load()
              .selectExpr("slow(value) v")
              .writeStream()
              .format("noop")
              .option("checkpointLocation", "target/tmp/checkpoint-" + System.nanoTime())
              .start();
      awaitInside(2);
      query.stop();
      LocalSpark.assertIdle();
      assertFalse(query.isActive());
      assertFalse(query.exception().isDefined());
      spark.assertRecovered();
    }
  }

  @Test
  void anApplicationStopsInTheMiddleOfABatchAndTheNextOneWorks() {
    for (int i = 0; i < 2; i++) {
      CompletableFuture<Void> query;
      try (LocalSpark spark = LocalSpark.start(3)) {
        spark.assertRecovered();
        spark.register("slow", NAPS, DataTypes.LongType);
        query =
            CompletableFuture.runAsync(
                () ->
                    spark
                        .onePartition(100_000, "slow(id) v")
                        .write()
                        .format("noop")
                        .mode("overwrite")
                        .save());
        awaitInside(3);
        assertEquals(
            2,
            TestSpark.pluginThreads().stream()
                .filter(thread -> thread.getName().startsWith("gpusched-host-"))
                .count());
      } // stops; no thread and no memory may be left
      assertThrows(ExecutionException.class, query::get);
    }
  }
}
