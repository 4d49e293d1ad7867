package io.github.sparkgpusched.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.it.cluster.Waiting;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs and tasks that are killed in the middle of a batch. */
@Tag("faults")
class CancelTest {
  private static final int CORES = 3;

  private static LocalSpark spark;

  /** The newest task that was started. */
  private static final AtomicLong TASK = new AtomicLong();

  /** Whether a task has ended: false again once a test that asks begins, when none runs. */
  private static volatile boolean ended;

  @BeforeAll
  static void start() {
    spark = LocalSpark.start(CORES);
    spark
        .session()
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskStart(SparkListenerTaskStart start) {
                TASK.set(start.taskInfo().taskId());
              }

              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                ended = true;
              }
            });
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  static Stream<Arguments> cancelled() {
    Scripted naps =
        Scripted.rows(
            value -> {
              Thread.sleep(5);
              return value;
            });
    Scripted sleepsOnHelpers =
        Scripted.rows(
            value -> {
              Thread.sleep(Scripted.onHelper() && value > 100 ? 3_600_000 : 1);
              return value;
            });
    Scripted sleeps =
        Scripted.rows(
            value -> {
              Thread.sleep(value > 100 ? 3_600_000 : 1);
              return value;
            });
    Scripted deaf =
        Scripted.rows(
            value -> {
              try {
                Thread.sleep(5);
              } catch (InterruptedException e) {
                // Goes on, as a careless function may.
              }
              return value;
            });
    Scripted spins =
        Scripted.ranges(
            (in, from, until, out) -> {
              for (int row = from; row < until; row++) {
                for (long end = System.nanoTime() + 200_000; System.nanoTime() < end; ) {
                  Thread.onSpinWait();
                }
                out.setLong(row, row);
              }
            });
    return Stream.of(
        Arguments.of("naps", naps, false),
        Arguments.of("naps", naps, true),
        Arguments.of("sleeps an hour on helpers", sleepsOnHelpers, false),
        Arguments.of("sleeps an hour on helpers", sleepsOnHelpers, true),
        // Without an interrupt nothing ends a task's thread inside a function: plain Spark neither.
        Arguments.of("sleeps an hour", sleeps, true),
        Arguments.of("swallows interrupts", deaf, false),
        Arguments.of("swallows interrupts", deaf, true),
        Arguments.of("spins in a batch method", spins, false),
        Arguments.of("spins in a batch method", spins, true));
  }

  @ParameterizedTest(name = "{0}, interrupted: {2}")
  @MethodSource
  void cancelled(String what, Scripted udf, boolean interrupt) throws InterruptedException {
    spark.register("slow", udf, DataTypes.LongType);
    CompletableFuture<Long> query =
        CompletableFuture.supplyAsync(
            () -> {
              spark.session().sparkContext().setJobGroup("doomed", "to be cancelled", interrupt);
              return sum(200_000);
            });
    awaitAllInside();
    assertTrue(BatchMemory.liveBytes() > 0);
    spark.session().sparkContext().cancelJobGroup("doomed");
    LocalSpark.assertIdle();
    ExecutionException thrown = assertThrows(ExecutionException.class, query::get);
    LocalSpark.assertMentions(thrown, "doomed");
    spark.assertRecovered();
  }

  /** The first attempt would take minutes: it is there whenever the kill comes. */
  @ParameterizedTest(name = "interrupted: {0}")
  @ValueSource(booleans = {true, false})
  void aTaskAttemptThatIsKilledIsRunAgain(boolean interrupt) throws Exception {
    spark.register(
        "slow",
        Scripted.rows(
            value -> {
              if (!ended) {
                Thread.sleep(5);
              }
              return value;
            }),
        DataTypes.LongType);
    spark.session().sparkContext().listenerBus().waitUntilEmpty();
    ended = false;
    CompletableFuture<Long> query = CompletableFuture.supplyAsync(() -> sum(200_000));
    awaitAllInside();
    spark.session().sparkContext().listenerBus().waitUntilEmpty();
    long first = TASK.get();
    spark.session().sparkContext().killTaskAttempt(first, interrupt, "test");
    assertEquals(200_000L * 199_999 / 2, query.get());
    assertTrue(TASK.get() > first);
    spark.assertRecovered();
  }

  private static long sum(long rows) {
    return spark
        .onePartition(rows, "slow(id) v")
        .groupBy()
        .sum("v")
        .collectAsList()
        .get(0)
        .getLong(0);
  }

  private static void awaitAllInside() {
    Waiting.until(
        () -> Scripted.INSIDE.get() + " threads inside", () -> Scripted.INSIDE.get() == CORES);
  }
}
