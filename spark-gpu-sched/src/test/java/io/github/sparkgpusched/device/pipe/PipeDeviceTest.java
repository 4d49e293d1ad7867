package io.github.sparkgpusched.device.pipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.GpuSched;
import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.CostHint;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.testing.Patience;
import io.github.sparkgpusched.testing.SparkSurfaces;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark queries on devices of a kind that the plugin does not know: equal to plain Spark, and shown
 * wherever devices are, whatever becomes of the process at the other end of the pipe.
 */
class PipeDeviceTest {
  private static final String QUERY =
      "select id, multiply_add(id / 7D, if(id % 13 = 0, null, id / 3D), 1.5D) a, slow(id) b"
          + " from range(0, ROWS, 1, 2)";

  @TempDir static Path warehouse;

  private SparkSession spark;

  /** Takes some microseconds a row; a millisecond more until the process is killed, if it is to. */
  public static final class Slow implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    /** False to true, by the test that kills. Never true at the other end of the pipe. */
    private static volatile boolean killed;

    private final boolean untilKilled;

    Slow(boolean untilKilled) {
      this.untilKilled = untilKilled;
    }

    @Override
    public Long call(Long value) throws InterruptedException {
      if (untilKilled && !killed) {
        Thread.sleep(1);
      }
      long x = value;
      for (int i = 0; i < 5000; i++) {
        x = x * 6364136223846793005L + 1442695040888963407L;
      }
      return x;
    }
  }

  /** Remembers which threads run its code, other than that of rows. */
  public static final class Observed implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;
    static final Set<String> THREADS = ConcurrentHashMap.newKeySet();

    @Override
    public Long call(Long value) {
      return value;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      THREADS.add(Thread.currentThread().getName());
    }

    @Override
    public Optional<CostHint> costHint() {
      THREADS.add(Thread.currentThread().getName());
      return Optional.empty();
    }

    @Override
    public Optional<BatchMethod> batchMethod() {
      THREADS.add(Thread.currentThread().getName());
      return Optional.empty();
    }
  }

  private void start(String... conf) {
    stop();
    SparkSession.Builder builder =
        SparkSurfaces.configure(SparkSession.builder())
            .master("local[2]")
            .appName("pipes")
            .config("spark.sql.warehouse.dir", warehouse.toUri().toString())
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.devices", "host,pipe:0");
    for (int i = 0; i < conf.length; i += 2) {
      builder.config(conf[i], conf[i + 1]);
    }
    spark = builder.getOrCreate();
    spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
    spark.udf().register("slow", new Slow(false), DataTypes.LongType);
  }

  @AfterEach
  void stop() {
    if (SparkSession.getDefaultSession().isDefined()) {
      SparkSession.getDefaultSession().get().stop();
    }
    SparkSession.clearDefaultSession();
    SparkSession.clearActiveSession();
    assertEquals(0, PipeProcess.live(), "processes are left");
  }

  private List<String> answers(int rows) {
    List<String> answers = new ArrayList<>();
    for (Row row : spark.sql(QUERY.replace("ROWS", String.valueOf(rows))).collectAsList()) {
      answers.add(row.toString());
    }
    return answers;
  }

  private List<String> plainAnswers(int rows) {
    spark.conf().set("spark.gpusched.enabled", "false");
    try {
      return answers(rows);
    } finally {
      spark.conf().set("spark.gpusched.enabled", "true");
    }
  }

  private Row pipe() {
    return GpuSched.loadTable(spark).where("device = 'pipe:0'").collectAsList().get(0);
  }

  @Test
  void answersAreThoseOfPlainSparkAndEveryPlaceShowsTheDevice() throws Exception {
    start();
    assertEquals(plainAnswers(40_000), answers(40_000));
    Patience.await("rows of the pipe", () -> pipe().<Long>getAs("rows") > 0);
    assertEquals("active", pipe().getAs("state"));
    long rows =
        spark.sql("select rows from gpusched_load() where device = 'pipe:0'").first().getLong(0);
    assertTrue(rows > 0);
    String ui = spark.sparkContext().uiWebUrl().get();
    String json = SparkSurfaces.get(ui + "/gpusched/json/?part=devices");
    assertTrue(json.contains("\"pipe:0\""), json);
    assertTrue(SparkSurfaces.get(ui + "/gpusched/").contains("pipe:0"));
    Pattern gauge = Pattern.compile("gpusched_\\w*pipe_0_rows\\S* [1-9]");
    Patience.await(
        "the gauge", () -> gauge.matcher(SparkSurfaces.get(ui + "/metrics/prometheus/")).find());
  }

  @Test
  void onlyPipesAndTheirHelpOfCores() throws Exception {
    start("spark.gpusched.devices", "pipe:0,1");
    assertEquals(plainAnswers(9_000), answers(9_000));
    Patience.await(
        "rows of both pipes",
        () -> GpuSched.loadTable(spark).where("device like 'pipe:%' and rows > 0").count() == 2);
  }

  @Test
  void aProcessThatIsKilledInMidQueryCostsNoRow() throws Exception {
    start("spark.pipe.delayMillis", "5");
    List<String> plain = plainAnswers(300_000);
    // The query would take a minute and more: it is there whenever the kill comes.
    spark.udf().register("slow", new Slow(true), DataTypes.LongType);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<List<String>> answers = other.submit(() -> answers(300_000));
      Patience.await("the device's first rows", () -> pipe().<Long>getAs("rows") > 0);
      assertTrue(!answers.isDone(), "the query is over: it needs more rows");
      assertEquals(1, PipeProcess.killAll());
      Slow.killed = true;
      assertEquals(plain, answers.get(Patience.SECONDS, TimeUnit.SECONDS));
    } finally {
      other.shutdownNow();
      assertTrue(other.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS));
    }
    Patience.await("the end of the device", () -> pipe().getAs("state").equals("quarantined"));
    assertEquals(plainAnswers(5_000), answers(5_000));
  }

  @Test
  void lostRepliesAndDeathsNowAndThen() throws Exception {
    start(
        "spark.pipe.dropEvery", "5",
        "spark.pipe.dieEvery", "7",
        "spark.pipe.replyMillis", "200",
        "spark.pipe.recovers", "true");
    for (int round = 0; round < 3; round++) {
      assertEquals(plainAnswers(30_000), answers(30_000));
    }
    Patience.await("a failure of the pipe", () -> pipe().<Long>getAs("failures") > 0);
  }

  @Test
  void whatNamesNoDeviceIsRefusedAsTheApplicationStarts() {
    for (String devices : List.of("host,pipe:x", "pie:0", "cuda:x")) {
      Exception e =
          assertThrows(Exception.class, () -> start("spark.gpusched.devices", devices), devices);
      assertTrue(
          e.getMessage().startsWith("spark.gpusched.devices='" + devices + "' is not allowed: "),
          e.getMessage());
    }
  }

  /** The row that fails is computed again by a core, whose error names it. */
  @Test
  void anErrorOfTheFunctionIsThatOfTheCores() {
    start("spark.gpusched.devices", "pipe:0");
    spark
        .udf()
        .register(
            "picky",
            (Picky) value -> value == 4321 ? value / (value - 4321) : value,
            DataTypes.LongType);
    Exception e =
        assertThrows(
            Exception.class,
            () -> spark.sql("select picky(id) from range(0, 9000, 1, 1)").collect());
    StringBuilder messages = new StringBuilder();
    for (Throwable t = e; t != null; t = t.getCause()) {
      messages.append(t).append('\n');
    }
    assertTrue(messages.toString().contains("picky(4321)"), messages.toString());
  }

  /** It may take long, or never end: a healthy device would be given up, and others' rows wait. */
  @Test
  void aUdfIsSetUpByItsTaskAndNotByTheDevicesThread() throws Exception {
    start("spark.gpusched.devices", "pipe:0");
    Observed.THREADS.clear();
    spark.udf().register("observed", new Observed(), DataTypes.LongType);
    Row sum = spark.sql("select sum(observed(id)) from range(0, 9000, 1, 1)").first();
    assertEquals(9000L * 8999 / 2, sum.getLong(0));
    Patience.await("rows of the pipe", () -> pipe().<Long>getAs("rows") > 0);
    assertTrue(
        Observed.THREADS.stream().anyMatch(name -> name.startsWith("Executor task launch worker")),
        Observed.THREADS.toString());
    assertFalse(Observed.THREADS.contains("gpusched-pipe:0"), Observed.THREADS.toString());
  }

  /** A function of a test. */
  @FunctionalInterface
  interface Picky extends UDF1<Long, Long>, GpuUdf {}
}
