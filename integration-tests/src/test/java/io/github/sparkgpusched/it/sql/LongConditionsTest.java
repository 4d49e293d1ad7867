package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.cluster.Waiting;
import io.github.sparkgpusched.it.testing.Bits;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.debug.package$;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple3;

/** Each call waits for the one before it: as many nodes above each other as there are calls. */
class LongConditionsTest extends SqlTest {
  private static final int CALLS = 20;

  /** What takes a time exponential in it does not end. */
  private static final int LAYERS = 40;

  /** Of plain Spark, all calls in one: some 40,000. */
  private static final int MOST_CHARACTERS = 400_000;

  @ParameterizedTest
  @ValueSource(strings = {" or ", ", "})
  void codeDoesNotGrowWithoutEnd(String between) {
    String calls =
        IntStream.range(0, CALLS)
            .mapToObj(i -> "inc(x + " + i + ")" + (between.equals(", ") ? "" : " = " + 3 * i))
            .collect(Collectors.joining(between));
    String sql =
        between.equals(", ")
            ? "select id, coalesce(" + calls + ") from (select id, x + id as x from t)"
            : "select id from (select id, x + id as x from t) where " + calls;
    List<String> expected = rowWise(sql);
    set(Map.of(BATCHING, "auto", AQE, "false"));
    Dataset<Row> query = spark.sql(sql);
    int longest = 0;
    for (Tuple3<String, String, ?> code : codes(query)) {
      longest = Math.max(longest, code._2().length());
    }
    assertSame(expected, Bits.of(query.collectAsList()));
    assertTrue(isBatched(query), () -> plan(query));
    int most = longest;
    assertTrue(0 < most && most < MOST_CHARACTERS, () -> most + " characters");
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static List<Tuple3<String, String, ?>> codes(Dataset<Row> query) {
    return (List)
        scala.jdk.javaapi.CollectionConverters.asJava(
            package$.MODULE$.codegenStringSeq(query.queryExecution().executedPlan()));
  }

  /** As a loop over {@code withColumn} makes them; each asks the one below for its end. */
  @ParameterizedTest
  @CsvSource({"always, true", "always, false", "auto, true", "auto, false"})
  void chainsOfCallsEnd(String batching, boolean wholeStage) {
    String calls = "inc(".repeat(LAYERS) + "x" + ")".repeat(LAYERS);
    for (String from : List.of("t", "(select id, x + id as x from t)")) {
      assertEnds("select id, " + calls + " from " + from, batching, wholeStage);
    }
  }

  /** Each branch has a guard, in which are those of all branches before it. */
  @ParameterizedTest
  @ValueSource(strings = {"k = %d", "inc(x) = %d"})
  void casesOfManyBranchesEnd(String condition) {
    String branches =
        IntStream.range(0, LAYERS)
            .mapToObj(i -> " when " + condition.formatted(i) + " then add(x, " + i + ".5D)")
            .collect(Collectors.joining());
    assertEnds("select id, case" + branches + " else inc(y) end from t", "always", true);
  }

  /** Else the guards of a CASE are together as long as its square. */
  @ParameterizedTest
  @ValueSource(
      strings = {"k = %1$d", "inc(x) = %1$d", "inc(x + %1$d) = %1$d", "k = 1 or inc(x) = %1$d"})
  void aPredicateStandsInFewGuards(String condition) {
    int first = 1000;
    String branches =
        IntStream.range(first, first + CALLS)
            .mapToObj(i -> " when " + condition.formatted(i) + " then add(x, " + i + ".5D)")
            .collect(Collectors.joining());
    String sql =
        "select id, case"
            + branches
            + " else inc(y) end from (select id, k, y, x + 1000 - id as x from t)";
    List<String> expected = rowWise(sql);
    for (String batching : List.of("always", "auto")) {
      set(Map.of(BATCHING, batching));
      Dataset<Row> query = spark.sql(sql);
      String plan = query.queryExecution().optimizedPlan().toString();
      long guards = Pattern.compile("= " + first + "(\\.0)?\\)").matcher(plan).results().count();
      assertTrue(0 < guards && guards <= CALLS / 2, () -> guards + " in " + plan);
      assertSame(expected, Bits.of(query.collectAsList()));
    }
  }

  private static void assertEnds(String sql, String batching, boolean wholeStage) {
    List<String> expected = rowWise(sql);
    set(Map.of(BATCHING, batching, CODEGEN, String.valueOf(wholeStage)));
    assertTimeoutPreemptively(
        Waiting.PATIENCE, () -> assertSame(expected, Bits.of(spark.sql(sql).collectAsList())));
  }

  /** By its size Spark chooses which side of a join is broadcast. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, shout(s) a, shout(concat(s, 'x')) b from t",
        "select id, length(s) from t where is_big(x)",
        "select inc(x) from t",
      })
  void sizesAreThoseOfPlainSpark(String sql) {
    set(Map.of(ENABLED, "false"));
    double plain = sizeInBytes(sql);
    set(Map.of(ENABLED, "true"));
    Dataset<Row> query = spark.sql(sql);
    // Each node rounds once.
    assertEquals(1, sizeInBytes(sql) / plain, 0.01, () -> plan(query));
    assertTrue(isBatched(query), () -> plan(query));
  }

  private static double sizeInBytes(String sql) {
    return spark.sql(sql).queryExecution().optimizedPlan().stats().sizeInBytes().toDouble();
  }
}
