package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.BatchedNodes;
import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.ExplainLog;
import io.github.sparkgpusched.it.testing.RandomSwitches;
import io.github.sparkgpusched.it.testing.TestSpark;
import io.github.sparkgpusched.it.testing.TestUdf1;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.schedule.CoreSeat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tasks that go from rows in place to batches and back at rows drawn by chance: the answers, their
 * order where it counts, the errors, and the number of calls are those of plain Spark.
 */
class SwitchingTest extends SqlTest {
  private static final int LONGEST = 12;
  private static final long SEED = 20261124;
  private static final int MOST_SECONDS = Integer.getInteger("test.patience.seconds", 600);

  // Functions that are sent to executors refer to no test.
  private static final CountDownLatch inside = new CountDownLatch(1);
  private static final CountDownLatch interrupted = new CountDownLatch(1);
  private static volatile boolean stays;

  private RandomSwitches switches;

  @BeforeEach
  void switchAtRandom() {
    // Rows of scans come as rows.
    spark.conf().set("spark.sql.parquet.enableVectorizedReader", "false");
    spark.conf().set(BATCHING, "auto");
    switches = new RandomSwitches(SEED, LONGEST);
  }

  @AfterEach
  void stay() {
    switches.close();
    spark.conf().unset("spark.sql.parquet.enableVectorizedReader");
  }

  static Stream<Arguments> queries() {
    List<Query> all = Queries.all().stream().filter(Query::batched).toList();
    return IntStream.range(0, all.size())
        .mapToObj(i -> Arguments.of(all.get(i), i % 2 == 0, i % 3 == 0));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void agrees(Query query, boolean codegen, boolean adaptive) {
    List<String> expected = rowWise(query.sql());
    spark.conf().set(CODEGEN, codegen);
    spark.conf().set(AQE, adaptive);
    assertSame(expected, Bits.of(spark.sql(query.sql()).collectAsList()));
  }

  private static List<String> inOrder(boolean enabled, String sql) {
    spark.conf().set(ENABLED, enabled);
    return Bits.of(spark.sql(sql).collectAsList());
  }

  /** What is counted or drawn row by row, before a call and after it, belongs to the same rows. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void orderAndNumbersOfRows(boolean codegen) {
    spark.conf().set(CODEGEN, codegen);
    spark
        .range(0, 3000, 1, 3)
        .selectExpr("id", "cast(id as double) x")
        .createOrReplaceTempView("r");
    for (String sql :
        List.of(
            "select id, inc(x), monotonically_increasing_id() m, rand(3) q from r",
            "select id, inc(x + rand(5)), rand(3) q, spark_partition_id() from r where id % 3 > 0",
            "select inc(monotonically_increasing_id() * 1d) v, uuid() is null from r",
            "select * from (select id, inc(x) v from r where inc(x) > 40) where rand(9) > 0.5",
            "select id, inc(x), add(inc(x), x), x from r limit 700",
            "select inc(x) from r where is_big(x) limit 9",
            "select id, v from r lateral view explode(array(inc(x), x, inc(x + 1))) as v")) {
      assertEquals(inOrder(false, sql), inOrder(true, sql), sql);
    }
  }

  /**
   * A thread of a user's reads on after its task has ended, whose memory it has: it has its rows
   * until it asks for a batch, and an error from then on.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoReadsOnAfterTheTasksEndGetsNoMemory(boolean codegen) throws Exception {
    spark.conf().set(CODEGEN, codegen);
    for (int time = 0; time < 10; time++) {
      Throwable failure = failureOfWhoReadsOn(100_000);
      assertTrue(
          failure instanceof IllegalStateException && failure.getMessage().contains("is closed"),
          () -> "it ended with " + failure);
    }
  }

  /** Rows in place after the task's end are nobody's, or their core would be taken for ever. */
  @Test
  void whoReadsOnAfterTheTasksEndKeepsNoCore() throws Exception {
    set(Map.of(BATCHING, "never"));
    assertNull(failureOfWhoReadsOn(1_000_000));
    try (CoreSeat seat = ExecutorRuntime.current().scheduler().takeSeat()) {
      assertEquals(0, seat.device(), "the first core is free");
    }
  }

  /** What comes of a thread that reads so many rows on after their task's end; null: all rows. */
  private static Throwable failureOfWhoReadsOn(long rows) throws Exception {
    spark
        .range(0, rows, 1, 1)
        .selectExpr("inc(cast(id as double)) v")
        .javaRDD()
        .mapPartitions(LateReader::of)
        .count();
    return LateReader.failureAfterTheEnd();
  }

  /** What tests and functions that are sent to executors know of a thread that reads on. */
  private static final class LateReader {
    private static volatile CountDownLatch taskEnded;
    private static volatile FutureTask<Integer> reader;

    private LateReader() {}

    /** Leaves a partition's rows to a thread, which gets some of them, and then waits. */
    static Iterator<Row> of(Iterator<Row> rows) throws InterruptedException {
      CountDownLatch reads = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(1);
      FutureTask<Integer> all =
          new FutureTask<>(
              () -> {
                int count = 0;
                while (rows.hasNext()) {
                  rows.next();
                  if (++count == 100) {
                    reads.countDown();
                    await(ended);
                  }
                }
                return count;
              });
      taskEnded = ended;
      reader = all;
      Thread thread = new Thread(all, "late reader");
      thread.setDaemon(true);
      thread.start();
      await(reads);
      return Collections.emptyIterator();
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
      assertTrue(latch.await(MOST_SECONDS, TimeUnit.SECONDS));
    }

    /** What came of the thread, once it may go on; null if it got all rows. */
    static Throwable failureAfterTheEnd() throws Exception {
      taskEnded.countDown();
      try {
        reader.get(MOST_SECONDS, TimeUnit.SECONDS);
        return null;
      } catch (ExecutionException e) {
        return e.getCause();
      }
    }
  }

  /** A join gives several rows before it looks whether they are wanted. */
  @ParameterizedTest
  @CsvSource({"merge, true", "merge, false", "broadcast, true", "shuffle_hash, true"})
  void aJoinGivesSeveralRowsAtOnce(String hint, boolean codegen) {
    spark.conf().set(CODEGEN, codegen);
    String sql =
        "select /*+ %s(b) */ a.k, a.id, inc(b.x + a.x), b.uid from t a join u b on a.k = b.k"
            .formatted(hint);
    assertSame(rowWise(sql), inOrder(true, sql));
  }

  /** A merge join returns whenever it is asked after its end: what is above it is to go on. */
  @ParameterizedTest
  @ValueSource(
      strings = {"inner", "left outer", "right outer", "full outer", "left semi", "left anti"})
  void twoLayersOnAJoinThatReturns(String join) {
    boolean both = !join.startsWith("left s") && !join.startsWith("left a");
    String sql =
        "select inc(v) from (select /*+ merge(b) */ inc(a.x) v%s from t a %s join u b on a.i = b.k)"
            .formatted(both ? ", b.uid" : "", join);
    List<String> expected = inOrder(false, sql);
    for (int i = 0; i < 10; i++) {
      assertSame(expected, inOrder(true, sql));
    }
  }

  /** Too many columns for the parameters of a function, or for one generated code. */
  @ParameterizedTest
  @ValueSource(ints = {60, 130, 300})
  void manyColumns(int columns) {
    List<String> select = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      select.add(i % 3 == 0 ? "x + " + i + " as c" + i : "id + " + i + " as c" + i);
    }
    String sql =
        "select *, inc(c0), add(c0, c3) from (select " + String.join(", ", select) + " from t)";
    spark.conf().set("spark.sql.codegen.maxFields", "1000");
    try {
      assertEquals(inOrder(false, sql), inOrder(true, sql));
    } finally {
      spark.conf().unset("spark.sql.codegen.maxFields");
    }
    assertEquals(inOrder(false, sql), inOrder(true, sql));
  }

  /** A row of every type that a batch must carry and no call reads. */
  @Test
  void columnsThatAreOnlyCarried() {
    String sql =
        "select inc(x), st, m, a, s, cast(x as decimal(30, 3)) d, interval 1 month i, k is null b,"
            + " named_struct('deep', st, 'list', array(st, null)) n from t";
    assertEquals(inOrder(false, sql), inOrder(true, sql));
  }

  /** Spark does not ask what it reads again once that has ended, and sources may rely on it. */
  @ParameterizedTest
  @CsvSource({"auto, true", "auto, false", "always, true"})
  void anInputThatHasEndedIsNotAskedAgain(String mode, boolean codegen) {
    spark.conf().set(BATCHING, mode);
    spark.conf().set(CODEGEN, codegen);
    Dataset<Row> source = spark.range(0, 300, 1, 3).selectExpr("cast(id as double) x");
    JavaRDD<Row> strict = source.javaRDD().mapPartitions(Rows::new);
    Dataset<Row> rows = spark.createDataFrame(strict, source.schema());
    rows.createOrReplaceTempView("strict");
    String sql = "select inc(v), v from (select inc(x) v from strict)";
    for (int i = 0; i < 10; i++) {
      assertEquals(inOrder(false, sql), inOrder(true, sql));
    }
  }

  /** Rows that must not be asked for after the last one. */
  private static final class Rows implements Iterator<Row> {
    private final Iterator<Row> rows;
    private boolean ended;

    Rows(Iterator<Row> rows) {
      this.rows = rows;
    }

    @Override
    public boolean hasNext() {
      if (ended) {
        throw new IllegalStateException("asked again after the last row");
      }
      ended = !rows.hasNext();
      return !ended;
    }

    @Override
    public Row next() {
      return rows.next();
    }
  }

  /** A task that reads many partitions, one after the other, holds batches of one. */
  @ParameterizedTest
  @CsvSource({"auto, true", "auto, false", "always, true"})
  void batchesGoWithTheirPartition(String mode, boolean codegen) {
    spark.conf().set(BATCHING, mode);
    spark.conf().set(CODEGEN, codegen);
    Dataset<Row> texts =
        spark.range(0, 1600, 1, 40).selectExpr("shout(repeat('x', 20000 + int(id))) t").coalesce(1);
    long most =
        texts
            .javaRDD()
            .mapPartitions(SwitchingTest::mostMemory)
            .reduce((one, other) -> Math.max(one, other));
    assertTrue(most < 8 << 20, most + " bytes held");
  }

  /** Columns beside the call that batches cannot hold are read where they lie. */
  @Test
  void batchesOverColumnsGoWithTheirPartition() {
    spark.conf().set(BATCHING, "always");
    spark.conf().set("spark.sql.parquet.enableVectorizedReader", "true");
    String path = TestSpark.directory("partitions").toString();
    spark
        .range(0, 800, 1, 40)
        .selectExpr("repeat('x', 20000 + int(id)) s", "cast(id as decimal(30, 3)) d")
        .write()
        .mode("overwrite")
        .parquet(path);
    spark.conf().set("spark.sql.files.maxPartitionBytes", "1k");
    try {
      Dataset<Row> texts = spark.read().parquet(path).selectExpr("d", "shout(s) t");
      assertTrue(texts.javaRDD().getNumPartitions() > 30);
      long most =
          texts
              .coalesce(1)
              .javaRDD()
              .mapPartitions(SwitchingTest::mostMemory)
              .reduce((one, other) -> Math.max(one, other));
      assertTrue(most < 8 << 20, most + " bytes held");
    } finally {
      spark.conf().unset("spark.sql.files.maxPartitionBytes");
    }
  }

  /** The most that the task's memory manager had given while its rows were read. */
  private static Iterator<Long> mostMemory(Iterator<Row> rows) {
    TaskMemoryManager memory = TaskContext.get().taskMemoryManager();
    long most = 0;
    while (rows.hasNext()) {
      rows.next();
      most = Math.max(most, memory.getMemoryConsumptionForThisTask());
    }
    return List.of(most).iterator();
  }

  @Test
  void eachRowIsComputedOnce() throws InterruptedException {
    LongAccumulator calls = spark.sparkContext().longAccumulator();
    TestUdf1<Long, Long> counted =
        value -> {
          calls.add(1);
          return value * 2;
        };
    spark.udf().register("counted", counted, DataTypes.LongType);
    Observation seen = new Observation();
    Dataset<Row> rows =
        spark
            .range(0, 50_000, 1, 4)
            .selectExpr("id", "counted(id) v")
            .observe(seen, functions.sum("v").as("sum"));
    assertEquals(50_000, rows.where("v = 2 * id").collectAsList().size());
    assertEquals(50_000, calls.value());
    assertEquals(50_000L * 49_999, seen.getAsJava().get("sum"));
    assertTrue(switches.batches() > 500, "hardly any batches");
    assertTrue(switches.stretches() > 500, "hardly any rows in place");
  }

  @Test
  void metricsCountBothWays() {
    Dataset<Row> rows = spark.range(0, 10_000, 1, 2).selectExpr("inc(id + 0d)");
    rows.collectAsList();
    long inline = BatchedNodes.metric(rows, "numRowsInline");
    long batched = BatchedNodes.metric(rows, "numRowsBatched");
    assertTrue(inline > 1000 && batched > 1000, () -> inline + " and " + batched);
    assertEquals(10_000, inline + batched);
    assertEquals(10_000, BatchedNodes.metric(rows, "numOutputRows"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anErrorIsTheSameInPlaceAndInABatch(boolean codegen) {
    spark.conf().set(CODEGEN, codegen);
    TestUdf1<Long, Long> fragile =
        value -> {
          if (value == 4321) {
            throw new IllegalStateException("not this one");
          }
          return value;
        };
    spark.udf().register("fragile", fragile, DataTypes.LongType);
    List<String> messages = new ArrayList<>();
    for (String mode : List.of("always", "never")) {
      spark.conf().set(BATCHING, mode);
      Dataset<Row> rows = spark.range(0, 5000, 1, 1).selectExpr("fragile(id)");
      SparkException thrown = assertThrows(SparkException.class, rows::collectAsList);
      messages.add(reason(thrown));
      assertTrue(messages.get(0).contains("failed for fragile(4321)"), messages.get(0));
    }
    assertEquals(messages.get(0), messages.get(1));
  }

  /** What is ahead when the last row has come is handed on, be the last batch full or not. */
  @ParameterizedTest
  @CsvSource({"160, true", "165, true", "160, false", "165, false"})
  void noBatchIsLeftBehind(int rows, boolean codegen) {
    switches.close();
    switches = RandomSwitches.none(16);
    spark.conf().set(CODEGEN, codegen);
    spark.range(0, rows, 1, 1).selectExpr("cast(id as double) x").createOrReplaceTempView("r");
    for (String sql :
        List.of("select inc(x) from r", "select count(v), sum(v) from (select inc(x) v from r)")) {
      assertEquals(inOrder(false, sql), inOrder(true, sql), sql);
    }
  }

  /** A helper is inside of a batch's function when the row that comes next cannot be read. */
  @Test
  void aTaskThatEndsTakesItsBatchBack() throws InterruptedException {
    switches.close();
    switches = RandomSwitches.none(16);
    stays = false;
    TestUdf1<Long, Long> slow =
        value -> {
          try {
            if (stays) {
              inside.countDown();
              new CountDownLatch(1).await();
            }
            Thread.sleep(1); // as much work as helpers come for
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw new IllegalStateException(e);
          }
          return value;
        };
    UDF1<Long, Long> read =
        value -> {
          if (stays && value == 20) {
            assertTrue(inside.await(MOST_SECONDS, TimeUnit.SECONDS), "nobody helps");
            throw new IllegalStateException("unreadable");
          }
          return value;
        };
    spark.udf().register("slow", slow, DataTypes.LongType);
    spark.udf().register("read", read, DataTypes.LongType);
    Dataset<Row> rows = spark.range(0, 100, 1, 1).selectExpr("read(id) v").selectExpr("slow(v)");
    assertEquals(100, rows.collectAsList().size()); // what a row takes is known from now on
    stays = true;
    SparkException thrown = assertThrows(SparkException.class, rows::collectAsList);
    assertTrue(thrown.toString().contains("unreadable"), thrown::toString);
    assertTrue(interrupted.await(MOST_SECONDS, TimeUnit.SECONDS), "a helper is still inside");
  }

  private static String reason(Throwable thrown) {
    Throwable t = thrown;
    while (!(t instanceof SparkException e && "FAILED_EXECUTE_UDF".equals(e.getCondition()))) {
      t = t.getCause();
      assertNotNull(t, () -> "no FAILED_EXECUTE_UDF: " + thrown);
    }
    assertInstanceOf(IllegalStateException.class, t.getCause());
    return t.getMessage();
  }

  /** What was decided is logged where everything is explained. */
  @Test
  void isExplained() {
    spark.conf().set(EXPLAIN, "ALL");
    try (ExplainLog log = new ExplainLog()) {
      spark.range(0, 10_000, 1, 2).selectExpr("inc(id + 0d)").collectAsList();
      assertEquals(2, log.tasks().size(), () -> "" + log.tasks());
      for (String line : log.tasks()) {
        assertTrue(
            line.matches(
                "UDF 'inc' in task \\d+ of stage \\d+: \\d+ rows inline, \\d+ batched; .*"),
            line);
      }
    }
  }

  @Test
  void neverIsNever() {
    switches.close();
    spark.conf().set(BATCHING, "never");
    spark.conf().unset("spark.sql.parquet.enableVectorizedReader");
    for (String sql :
        List.of("select inc(x), add(x, y) from t", "select id from t where is_big(x)")) {
      List<String> expected = rowWise(sql);
      Dataset<Row> rows = spark.sql(sql);
      assertSame(expected, Bits.of(rows.collectAsList()));
      assertEquals(0, BatchedNodes.batches(rows), () -> plan(rows));
      assertTrue(BatchedNodes.metric(rows, "numRowsInline") > 0);
    }
  }
}
