package io.github.sparkgpusched.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.it.cluster.Waiting;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** A local Spark with the plugin, and what must be true of it after a fault. */
final class LocalSpark implements AutoCloseable {

  private final SparkSession session;
  private final AtomicInteger failedTasks = new AtomicInteger();

  /**
   * Starts Spark, with all rows batched unless the configuration says otherwise.
   *
   * @param conf keys and values by turns
   */
  static LocalSpark start(int cores, String... conf) {
    TestSpark.stop();
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[" + cores + "]")
            .appName("faults")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.batching", "always")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.warehouse.dir", TestSpark.directory("warehouse").toString())
            .config("spark.unsafe.exceptionOnMemoryLeak", "true");
    for (int i = 0; i < conf.length; i += 2) {
      builder.config(conf[i], conf[i + 1]);
    }
    return new LocalSpark(builder.getOrCreate());
  }

  private LocalSpark(SparkSession session) {
    this.session = session;
    session
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                if (end.taskInfo().failed()) {
                  failedTasks.incrementAndGet();
                }
              }
            });
  }

  SparkSession session() {
    return session;
  }

  void register(String name, Scripted udf, DataType type) {
    session.udf().register(name, udf, type);
  }

  /** Rows {@code id} 0 to {@code rows} in one partition, so that only helpers can share them. */
  Dataset<Row> onePartition(long rows, String... select) {
    return session.range(0, rows, 1, 1).selectExpr(select);
  }

  /** Tasks that failed up to now. */
  int failedTasks() {
    try {
      session.sparkContext().listenerBus().waitUntilEmpty();
    } catch (TimeoutException e) {
      throw new AssertionError(e);
    }
    return failedTasks.get();
  }

  /** No thread inside a UDF, no memory held, helpers parked, and the next query is right. */
  void assertRecovered() {
    assertIdle();
    Scripted.CALLS.set(0);
    register("next", Scripted.rows(value -> value + 1), DataTypes.LongType);
    List<Row> sum = onePartition(20_000, "next(id) v").groupBy().sum("v").collectAsList();
    assertEquals(20_000L * 20_001 / 2, sum.get(0).getLong(0));
    assertIdle();
  }

  /** Waits until no thread is inside a UDF, all memory is freed, and all helpers wait. */
  static void assertIdle() {
    Waiting.until(
        () ->
            Scripted.INSIDE.get()
                + " threads in UDFs, "
                + BatchMemory.liveBytes()
                + " bytes live, helpers "
                + TestSpark.pluginThreads().stream()
                    .map(t -> t.getName() + " " + t.getState())
                    .toList(),
        () ->
            Scripted.INSIDE.get() == 0
                && BatchMemory.liveBytes() == 0
                && TestSpark.pluginThreads().stream()
                    .allMatch(t -> t.getState() == Thread.State.WAITING));
  }

  /** Messages of a throwable and all that caused it. */
  static String messages(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      text.append(t).append('\n');
    }
    return text.toString();
  }

  static void assertMentions(Throwable thrown, String... words) {
    String messages = messages(thrown);
    assertTrue(Arrays.stream(words).allMatch(messages::contains), messages);
  }

  /** Stops Spark, after which nothing of the plugin may be left. */
  @Override
  public void close() {
    session.stop();
    TestSpark.stop();
    Waiting.until(
        () ->
            "threads left: "
                + TestSpark.pluginThreads()
                + ", bytes left: "
                + BatchMemory.liveBytes(),
        () -> TestSpark.pluginThreads().isEmpty() && BatchMemory.liveBytes() == 0);
  }
}
