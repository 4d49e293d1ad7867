package io.github.sparkgpusched.it.faults;

import static io.github.sparkgpusched.it.faults.LocalSpark.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.CostHint;
import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.it.testing.ExplainLog;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.SparkException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * UDFs that throw, or break the rules of the interface: one failed task, a clear error, no leak.
 */
@Tag("faults")
class FailingUdfTest {
  private static final int ROWS = 3_000;

  private static LocalSpark spark;

  @BeforeAll
  static void start() {
    // Of an error that Spark takes for fatal the JVM ends, with the plugin or without: not here.
    spark = LocalSpark.start(3, "spark.executor.killOnFatalError.depth", "0");
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  private static Throwable failure(Scripted udf, DataType type) {
    int failedBefore = spark.failedTasks();
    spark.register("broken", udf, type);
    Throwable thrown =
        assertThrows(
            Exception.class,
            () ->
                spark
                    .onePartition(ROWS, "broken(id) v")
                    .write()
                    .format("noop")
                    .mode("overwrite")
                    .save());
    assertEquals(failedBefore + 1, spark.failedTasks());
    assertConditionIsSparks(thrown, "`broken (Scripted)`", type);
    return thrown;
  }

  /**
   * The outermost error that has a condition: around it, Spark 3.5 has one that says which task.
   */
  private static SparkException sparksError(Throwable thrown) {
    Throwable error = thrown;
    while (error.getCause() != null
        && !(error instanceof SparkException sparks && sparks.getCondition() != null)) {
      error = error.getCause();
    }
    return assertInstanceOf(SparkException.class, error, thrown::toString);
  }

  /** What code that handles Spark's errors looks at: as where the UDF runs row by row. */
  private static void assertConditionIsSparks(Throwable thrown, String function, DataType type) {
    SparkException error = sparksError(thrown);
    assertEquals("FAILED_EXECUTE_UDF", error.getCondition(), thrown::toString);
    assertEquals("39000", error.getSqlState());
    assertEquals(function, error.getMessageParameters().get("functionName"));
    assertEquals("bigint", error.getMessageParameters().get("signature"));
    assertEquals(type.catalogString(), error.getMessageParameters().get("result"));
  }

  /** A millisecond: long enough for a helper to be called and to find rows left. */
  private static void dawdle() throws InterruptedException {
    Thread.sleep(1);
  }

  @ParameterizedTest(name = "by a helper: {0}")
  @MethodSource("trueAndFalse")
  void thatThrowOnARowAreNamedWithItsValues(boolean helper) {
    Throwable thrown =
        failure(
            Scripted.rows(
                value -> {
                  dawdle();
                  if (Scripted.onHelper() == helper && value > 100) {
                    throw new IllegalStateException("no answer for " + value);
                  }
                  return value;
                }),
            DataTypes.LongType);
    String messages = LocalSpark.messages(thrown);
    assertTrue(
        messages.matches(
            "(?s).*UDF 'broken' \\(io\\.github\\.sparkgpusched\\.it\\.faults\\.Scripted\\) failed for"
                + " broken\\(([0-9]+)\\): java\\.lang\\.IllegalStateException: no answer for \\1(\\. SQLSTATE: 39000)?\n.*"),
        messages);
    spark.assertRecovered();
  }

  @ParameterizedTest(name = "by a helper: {0}")
  @MethodSource("trueAndFalse")
  void whoseBatchMethodThrowsOnARowAreNamedWithItsValues(boolean helper) {
    Throwable thrown =
        failure(
            Scripted.ranges(
                (in, from, until, out) -> {
                  for (int row = from; row < until; row++) {
                    dawdle();
                    long value = in.longs(0).get(row);
                    if (Scripted.onHelper() == helper && value % 100 == 99) {
                      throw new ArithmeticException("no answer for " + value);
                    }
                    out.setLong(row, value);
                  }
                }),
            DataTypes.LongType);
    String messages = LocalSpark.messages(thrown);
    assertTrue(
        messages.matches(
            "(?s).*UDF 'broken' \\(io\\.github\\.sparkgpusched\\.it\\.faults\\.Scripted\\) failed for"
                + " broken\\(([0-9]*99)\\): java\\.lang\\.ArithmeticException: no answer for \\1(\\. SQLSTATE: 39000)?\n.*"),
        messages);
    spark.assertRecovered();
  }

  /** As where they have caught such an exception: Spark's own interrupts are of killed tasks. */
  @Test
  void thatInterruptTheirThreadAreComputed() {
    int failedBefore = spark.failedTasks();
    spark.register(
        "interrupting",
        Scripted.rows(
            value -> {
              // A helper is inside of its rows as the task's thread has none left, and waits.
              long until = System.nanoTime() + (Scripted.onHelper() ? 20_000_000 : 100_000);
              while (System.nanoTime() - until < 0) {
                Thread.onSpinWait();
              }
              Thread.currentThread().interrupt();
              return value;
            }),
        DataTypes.LongType);
    List<Row> sum =
        spark.onePartition(ROWS, "interrupting(id) v").groupBy().sum("v").collectAsList();
    assertEquals((long) ROWS * (ROWS - 1) / 2, sum.get(0).getLong(0));
    assertEquals(failedBefore, spark.failedTasks());
    spark.assertRecovered();
  }

  static Stream<Boolean> trueAndFalse() {
    return Stream.of(true, false);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("brokenRules")
  void thatBreakARuleAreToldWhich(String rule, Scripted udf, DataType type, String[] words) {
    Throwable thrown = failure(udf, type);
    assertMentions(thrown, "UDF 'broken' (io.github.sparkgpusched.it.faults.Scripted)");
    assertMentions(thrown, words);
    spark.assertRecovered();
  }

  /** Of rows that are computed in place the words are the same. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("brokenRulesOfRows")
  void thatBreakARuleInPlaceAreToldWhich(String rule, Scripted udf, DataType type, String[] words) {
    spark.session().conf().set("spark.gpusched.batching", "never");
    try {
      thatBreakARuleAreToldWhich(rule, udf, type, words);
    } finally {
      spark.session().conf().set("spark.gpusched.batching", "always");
    }
  }

  static Stream<Arguments> brokenRulesOfRows() {
    return brokenRules()
        .filter(
            rule -> {
              Scripted udf = (Scripted) rule.get()[1];
              return udf.batchMethod().isEmpty() && udf.costHint().isEmpty();
            });
  }

  /** Far more calls than any stack has room for. */
  private static long withoutEnd(long value) {
    return value < 0 ? 0 : 1 + withoutEnd(value + 1);
  }

  private static Arguments rule(String rule, Scripted udf, DataType type, String... words) {
    return Arguments.of(rule, udf, type, words);
  }

  static Stream<Arguments> brokenRules() {
    DataType bigint = DataTypes.LongType;
    return Stream.of(
        rule(
            "a result of another type",
            Scripted.rows(value -> "text"),
            bigint,
            "registered with result type bigint",
            "returned a java.lang.String for broken("),
        rule(
            "a string result of another type",
            Scripted.rows(value -> value),
            DataTypes.StringType,
            "registered with result type string",
            "java.lang.Long"),
        rule(
            "a date result of another type",
            Scripted.rows(value -> value),
            DataTypes.DateType,
            "registered with result type date",
            "java.lang.Long"),
        rule(
            "a row after the range",
            Scripted.ranges((in, from, until, out) -> out.setLong(until, 1)),
            bigint,
            "is set, but this call computes rows"),
        rule(
            "a row before the range",
            Scripted.ranges((in, from, until, out) -> out.setLong(from - 1, 1)),
            bigint,
            "is set, but this call computes rows"),
        rule(
            "null for a row that is far away",
            Scripted.ranges((in, from, until, out) -> out.setNull(Integer.MAX_VALUE)),
            bigint,
            "is set, but this call computes rows"),
        rule(
            "a setter of another type",
            Scripted.ranges((in, from, until, out) -> out.setDouble(from, 1)),
            bigint,
            "result type bigint",
            "sets a result of type double"),
        rule(
            "an int setter for a string",
            Scripted.ranges((in, from, until, out) -> out.setInt(from, 1)),
            DataTypes.StringType,
            "result type string",
            "sets a result of type int"),
        rule(
            "bytes beyond their array",
            Scripted.ranges((in, from, until, out) -> out.setBytes(from, new byte[4], 2, 3)),
            DataTypes.StringType,
            "IndexOutOfBounds"),
        rule(
            "a column read as another type",
            Scripted.ranges((in, from, until, out) -> out.setLong(from, in.ints(0).get(from))),
            bigint,
            "argument 1 is of type bigint",
            "reads it as byte, short, int or date"),
        rule(
            "an argument that there is not",
            Scripted.ranges((in, from, until, out) -> out.setLong(from, in.longs(1).get(from))),
            bigint,
            "IndexOutOfBounds"),
        rule(
            "a row that there is not",
            Scripted.ranges(
                (in, from, until, out) -> out.setLong(from, in.longs(0).get(in.rows()))),
            bigint,
            "IndexOutOfBounds"),
        rule(
            "a row below zero",
            Scripted.ranges((in, from, until, out) -> out.setLong(from, in.longs(0).get(-1))),
            bigint,
            "IndexOutOfBounds"),
        rule(
            "an error, not an exception",
            Scripted.rows(
                value -> {
                  throw new NoClassDefFoundError("com/example/Missing");
                }),
            bigint,
            "com/example/Missing"),
        rule(
            "an error in a batch method",
            Scripted.ranges(
                (in, from, until, out) -> {
                  throw new AssertionError("never");
                }),
            bigint,
            "never"),
        rule(
            "no memory for an array",
            Scripted.rows(value -> new long[Integer.MAX_VALUE].length + value),
            bigint,
            "failed for broken(",
            "OutOfMemoryError"),
        rule(
            "an error of another kind in a batch method",
            Scripted.ranges(
                (in, from, until, out) -> {
                  throw new scala.NotImplementedError("not yet");
                }),
            bigint,
            "failed for broken(",
            "not yet"),
        rule(
            "a recursion without end",
            Scripted.rows(FailingUdfTest::withoutEnd),
            bigint,
            "StackOverflowError"),
        rule(
            "a recursion without end in a batch method",
            Scripted.ranges(
                (in, from, until, out) -> out.setLong(from, withoutEnd(in.longs(0).get(from)))),
            bigint,
            "failed for broken(",
            "StackOverflowError"),
        rule(
            "a cost hint that throws",
            Scripted.rows(value -> value)
                .withCost(
                    (in, row) -> {
                      throw new IllegalStateException("no idea");
                    }),
            bigint,
            "has a cost hint that failed for broken(0)",
            "no idea"));
  }

  /** A UDF that comes to the executors in another state than a UDF should. */
  private static final class Unready implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    private final String why;

    Unready(String why) {
      this.why = why;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      if (why.equals("read")) {
        throw new InvalidObjectException("stale");
      }
    }

    @Override
    public Long call(Long value) {
      return value;
    }

    @Override
    public Optional<BatchMethod> batchMethod() {
      return why.equals("batch") ? null : Optional.empty();
    }

    @Override
    public Optional<CostHint> costHint() {
      return why.equals("cost") ? null : Optional.empty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"read, stale", "batch, batchMethod()", "cost, costHint()"})
  void thatCannotBeSetUpAreNamed(String why, String word) {
    spark.session().udf().register("unready", new Unready(why), DataTypes.LongType);
    Throwable thrown =
        assertThrows(
            Exception.class, () -> spark.onePartition(10, "unready(id) v").collectAsList());
    assertMentions(thrown, "UDF 'unready' cannot be set up on an executor", word);
    spark.assertRecovered();
  }

  /** Whichever way a UDF runs, the cause is what it threw, and its class is named. */
  @ParameterizedTest(name = "batched: {0}")
  @MethodSource("trueAndFalse")
  void failTheSameWayRowByRow(boolean batched) {
    spark.register(
        "broken",
        Scripted.rows(
            value -> {
              throw new IllegalStateException("no answer for " + value);
            }),
        DataTypes.LongType);
    String call = batched ? "broken(id)" : "transform(array(id), e -> broken(e))";
    Throwable thrown =
        assertThrows(Exception.class, () -> spark.onePartition(10, call).collectAsList());
    assertConditionIsSparks(thrown, "`broken (Scripted)`", DataTypes.LongType);
    Throwable cause = sparksError(thrown).getCause();
    assertEquals(IllegalStateException.class, cause.getClass());
    // Of a batch, any row may be the first to fail.
    assertTrue(
        cause.getMessage().matches(batched ? "no answer for \\d" : "no answer for 0"),
        cause::getMessage);
    assertFalse(sparksError(thrown).getMessage().contains("RowWiseFunction"), thrown::getMessage);
    spark.assertRecovered();
  }

  /** Spark converts no argument; with no rows there is nothing to convert, and no error. */
  @ParameterizedTest(name = "batched: {0}")
  @MethodSource("trueAndFalse")
  void thatCannotTakeTheirArgumentAreToldWhich(boolean batched) {
    spark.register("typed", Scripted.rows(value -> value), DataTypes.LongType);
    String call =
        batched ? "typed(cast(id as int))" : "transform(array(cast(id as int)), e -> typed(e))";
    String why =
        "argument 1 is of SQL type int, which Spark passes as java.lang.Integer, but"
            + " io.github.sparkgpusched.it.faults.Scripted takes java.lang.Long there: CAST it to"
            + " bigint";
    try (ExplainLog log = new ExplainLog()) {
      assertEquals(List.of(), spark.onePartition(0, call).collectAsList());
      assertTrue(
          log.lines().contains("UDF 'typed' cannot take what it is given: " + why), log::toString);
    }
    Throwable thrown =
        assertThrows(Exception.class, () -> spark.onePartition(10, call).collectAsList());
    assertMentions(thrown, why, "ClassCastException");
    assertEquals("FAILED_EXECUTE_UDF", sparksError(thrown).getCondition());
    spark.assertRecovered();
  }

  /** Whose author forgot to put the file into the jar. */
  private static final class WithoutFile implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Long value) {
      return value;
    }

    @Override
    public Optional<CudaSource> cuda() {
      return Optional.of(CudaSource.resource("forgotten.cu", "forgotten"));
    }
  }

  /** Without a GPU, cores compute all rows, and nobody else would say it. */
  @Test
  void whoseCudaSourceIsNotThereAreTold() {
    spark.session().udf().register("forgotten", new WithoutFile(), DataTypes.LongType);
    try (ExplainLog log = new ExplainLog()) {
      assertEquals(3, spark.onePartition(3, "forgotten(id)").collectAsList().size());
      assertTrue(
          log.lines().stream()
              .anyMatch(
                  line ->
                      line.startsWith("UDF 'forgotten' runs on no CUDA device: ")
                          && line.contains("'forgotten.cu'")),
          log::toString);
    }
  }

  /** Gives null for its CUDA function, which only an executor with a GPU would see. */
  private static final class NullForm implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Long value) {
      return value;
    }

    @Override
    public Optional<CudaSource> cuda() {
      return null;
    }
  }

  @Test
  void thatGiveNullForTheirCudaFunctionAreRefusedByThePlanner() {
    int failedBefore = spark.failedTasks();
    spark.session().udf().register("null_form", new NullForm(), DataTypes.LongType);
    Throwable thrown =
        assertThrows(
            Exception.class, () -> spark.onePartition(10, "null_form(id)").collectAsList());
    assertMentions(
        thrown,
        "UDF 'null_form' (io.github.sparkgpusched.it.faults.FailingUdfTest$NullForm) gives null for"
            + " cuda(): give Optional.of(CudaSource.resource(path, function))");
    assertEquals(failedBefore, spark.failedTasks());
    spark.session().conf().set("spark.gpusched.enabled", "false");
    try {
      assertEquals(10, spark.onePartition(10, "null_form(id)").collectAsList().size());
    } finally {
      spark.session().conf().unset("spark.gpusched.enabled");
    }
  }

  /** Its device form is made with what a driver lacks. */
  private static final class FormedElsewhere implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Long value) {
      return value;
    }

    @Override
    public Optional<CudaSource> cuda() {
      throw new IllegalStateException("not here");
    }
  }

  @Test
  void whoseDeviceFormCannotBeHadAreComputedByCores() {
    spark.session().udf().register("elsewhere", new FormedElsewhere(), DataTypes.LongType);
    assertEquals(10, spark.onePartition(10, "elsewhere(id)").collectAsList().size());
  }

  @Test
  void thatFailOnARangeButOnNoRowAloneAreNamedToo() {
    Throwable thrown =
        failure(
            Scripted.ranges(
                (in, from, until, out) -> {
                  if (until - from > 1) {
                    throw new IllegalStateException("too many");
                  }
                  out.setLong(from, in.longs(0).get(from));
                }),
            DataTypes.LongType);
    assertMentions(thrown, "UDF 'broken'", "on no row alone", "too many");
    spark.assertRecovered();
  }

  @Test
  void thatCannotBeSerializedFailAtTheDriver() {
    int failedBefore = spark.failedTasks();
    Object notSerializable = new Object();
    spark.register(
        "heavy", Scripted.rows(value -> value + notSerializable.hashCode()), DataTypes.LongType);
    Exception thrown =
        assertThrows(Exception.class, () -> spark.onePartition(10, "heavy(id)").collectAsList());
    assertMentions(thrown, "java.io.NotSerializableException: java.lang.Object", "UDF 'heavy'");
    assertEquals(failedBefore, spark.failedTasks());
    spark.assertRecovered();
  }
}
