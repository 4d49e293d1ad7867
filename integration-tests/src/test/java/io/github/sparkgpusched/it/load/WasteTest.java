package io.github.sparkgpusched.it.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.it.cluster.Waiting;
import io.github.sparkgpusched.it.testing.TestSpark;
import io.github.sparkgpusched.load.DeviceEvent;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.QueryLoad;
import io.github.sparkgpusched.load.StageLoad;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts that fail, are killed, or run beside another: totals are right, and waste is waste. */
@Tag("sql")
class WasteTest {
  private static final int ROWS = 20_000;
  private static final AtomicBoolean SLOW_TASK_RUNS = new AtomicBoolean();
  private static SparkSession spark;

  /** Fails once, at a row in the middle of the first attempt. */
  public static final class FailsOnce implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Long id) {
      if (id == ROWS - 1 && TaskContext.get().attemptNumber() == 0) {
        throw new IllegalStateException("the first attempt fails");
      }
      return id;
    }
  }

  /** Fails at a row in the middle. */
  public static final class Fails implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Long id) {
      if (id == ROWS - 1) {
        throw new IllegalStateException("there is no such station\nand more about it");
      }
      return id;
    }
  }

  /** Takes its time in one task, until it is killed. */
  public static final class Slow implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Long id) throws Exception {
      Thread.sleep(1);
      if (id > 200) {
        SLOW_TASK_RUNS.set(true);
      }
      return id;
    }
  }

  @BeforeAll
  static void start() {
    TestSpark.stop();
    spark =
        SparkSession.builder()
            .master("local[2,4]")
            .appName("waste")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.sql.warehouse.dir", TestSpark.directory("warehouse").toString())
            .getOrCreate();
    spark.udf().register("fails_once", new FailsOnce(), DataTypes.LongType);
    spark.udf().register("slow", new Slow(), DataTypes.LongType);
  }

  @AfterAll
  static void stop() {
    TestSpark.stop();
  }

  private static LoadView view() {
    return Balance.view();
  }

  private static long accumulated() {
    return Balance.accumulated(spark);
  }

  private static void awaitBalance(long wastedTasks) {
    Balance.await(spark, view -> view.wasted().tasks() == wastedTasks);
  }

  /** Its stage and its query failed, and its blocks are named after it. */
  private static QueryLoad queryOf(String udf) {
    return view().queries().stream()
        .filter(q -> q.udfs().equals(List.of(udf)))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"always", "auto"})
  void aFailureIsNamedWhereverItIsShown(String batching) {
    String name = "fails_" + batching;
    spark.udf().register(name, new Fails(), DataTypes.LongType);
    long before = view().wasted().tasks();
    spark.conf().set("spark.gpusched.batching", batching);
    assertThrows(
        Exception.class,
        () -> spark.range(0, ROWS, 1, 1).selectExpr("sum(" + name + "(id))").collectAsList());
    spark.conf().unset("spark.gpusched.batching");
    boolean batched = batching.equals("always");
    Waiting.until(
        () -> view().udfs() + ", " + view().events(),
        () -> view().udfs().stream().anyMatch(u -> u.udf().equals(name) && u.failures() == 4));
    Waiting.until(
        () -> view().queries().toString(),
        () ->
            queryOf(name).state().equals("failed") && (!batched || queryOf(name).wastedRows() > 0));
    DeviceEvent failure =
        view().events().stream()
            .filter(e -> e.detail().startsWith(name + ", stage "))
            .findFirst()
            .orElseThrow();
    assertEquals("failure", failure.kind());
    assertTrue(
        failure.detail().matches(name + ", stage \\d+\\.0, task \\d+: .*there is no such station"),
        failure.detail());
    if (!batched) {
      return; // the first row that fails ends the attempt before anything of it was counted
    }
    StageLoad stage = view().stages().get(view().stages().size() - 1);
    assertEquals("failed", stage.state());
    assertTrue(stage.failure().contains("no such station"), stage.failure());
    awaitBalance(before + 4);
  }

  @Test
  void workOfAttemptsThatFailOrAreKilledIsWaste() throws Exception {
    long before = view().wasted().tasks();
    long accumulatedBefore = accumulated();
    long wastedBefore = view().wasted().rows();
    spark.range(0, ROWS, 1, 1).selectExpr("sum(fails_once(id))").collectAsList();
    awaitBalance(before + 1);
    assertEquals(accumulatedBefore + ROWS, accumulated(), "what the successful attempt got");
    assertTrue(view().wasted().rows() > wastedBefore);
    assertTrue(view().wasted().rows() < wastedBefore + ROWS);

    Thread job =
        new Thread(
            () -> {
              spark.sparkContext().setJobGroup("slow", "slow", true);
              try {
                spark.range(0, 1_000_000, 1, 1).selectExpr("sum(slow(id))").collectAsList();
              } catch (Exception e) {
                // cancelled, as is wanted
              }
            });
    job.start();
    Waiting.until(() -> "no rows", SLOW_TASK_RUNS::get);
    spark.sparkContext().cancelJobGroup("slow");
    job.join();
    awaitBalance(before + 2);
    assertEquals(accumulatedBefore + ROWS, accumulated(), "a killed task counts for nobody");
  }

  /** As Spark kills the slower one of two attempts when the other has ended. */
  @Test
  void workOfAnAttemptThatIsKilledAfterItsLastRowIsWaste() {
    int rows = ROWS / 2; // none fails
    long before = view().wasted().tasks();
    long accumulatedBefore = accumulated();
    spark
        .range(0, rows, 1, 1)
        .selectExpr("fails_once(id)")
        .javaRDD()
        .foreachPartition(
            results -> {
              results.forEachRemaining(row -> {});
              TaskContext task = TaskContext.get();
              if (task.attemptNumber() == 0) {
                spark.sparkContext().killTaskAttempt(task.taskAttemptId(), false, "too slow");
                Waiting.until(() -> "not killed", task::isInterrupted);
              }
            });
    awaitBalance(before + 1);
    assertEquals(accumulatedBefore + rows, accumulated(), "what the other attempt got");
  }
}
