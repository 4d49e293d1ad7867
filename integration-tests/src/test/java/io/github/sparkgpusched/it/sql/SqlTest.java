package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.BatchedNodes;
import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.ExplainLog;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalog.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** A test of queries on the shared session, with {@link Functions} and {@link Tables}. */
@Tag("sql")
abstract class SqlTest {
  static final String ENABLED = "spark.gpusched.enabled";
  static final String EXPLAIN = "spark.gpusched.explain";
  static final String BATCH_ROWS = "spark.gpusched.batch.rows";
  static final String BATCHING = "spark.gpusched.batching";
  static final String AQE = "spark.sql.adaptive.enabled";
  static final String CODEGEN = "spark.sql.codegen.wholeStage";

  /** Spark 3.5 has it off unless it is set. */
  static final String ANSI = "spark.sql.ansi.enabled";

  static final String JAVA8 = "spark.sql.datetime.java8API.enabled";
  private static final List<String> KEYS =
      List.of(ENABLED, EXPLAIN, BATCHING, BATCH_ROWS, AQE, CODEGEN, ANSI, JAVA8);

  static SparkSession spark;

  @BeforeAll
  static void open() {
    spark = TestSpark.session();
    reset();
    dropViews();
    Functions.register(spark);
    Tables.create(spark);
  }

  /** Classes share a session and come in any order: none sees what another has left. */
  private static void dropViews() {
    for (Table table : spark.catalog().listTables().collectAsList()) {
      if (table.isTemporary()) {
        spark.catalog().dropTempView(table.name());
      }
    }
  }

  @AfterEach
  void unset() {
    reset();
  }

  /** What {@link TestSpark} has set for the session would be lost where it is unset here. */
  private static void reset() {
    KEYS.forEach(key -> spark.conf().unset(key));
    spark.conf().set(BATCHING, "always");
  }

  /** Sets, for the rest of the test. */
  static void set(Map<String, String> settings) {
    settings.forEach((key, value) -> spark.conf().set(key, value));
  }

  /** What a query gives row by row, as the plugin's rule on nulls has it. */
  static List<String> rowWise(Supplier<Dataset<Row>> query) {
    spark.conf().set(ENABLED, "false");
    try {
      Dataset<Row> result = query.get();
      List<String> rows = Bits.of(result.collectAsList());
      assertFalse(isBatched(result), "batched though the plugin is off");
      return rows;
    } finally {
      spark.conf().unset(ENABLED);
    }
  }

  static List<String> rowWise(String sql) {
    return rowWise(() -> spark.sql(sql));
  }

  /** Runs a query, which must be batched whole, and give the same as row by row. */
  static void assertBatched(String sql) {
    assertBatched(() -> spark.sql(sql));
  }

  static void assertBatched(Supplier<Dataset<Row>> query) {
    List<String> expected = rowWise(query);
    try (ExplainLog log = new ExplainLog()) {
      Dataset<Row> result = query.get();
      assertSame(expected, Bits.of(result.collectAsList()));
      assertTrue(isBatched(result), () -> "not batched: " + plan(result));
      if (spark.conf().get(BATCHING).equals("always")) {
        assertFalse(BatchedNodes.of(result).isEmpty(), () -> plan(result));
        // All that there are: of a query whose rows are filtered out there are none.
        assertEquals(
            BatchedNodes.metric(result, "numOutputRows"),
            BatchedNodes.metric(result, "numRowsBatched"),
            () -> "rows that were not in batches: " + plan(result));
      }
      assertEquals(List.of(), log.lines());
    }
  }

  /** The same rows, whatever their order; queries that order theirs are few and check it. */
  static void assertSame(List<String> expected, List<String> actual) {
    assertEquals(sorted(expected), sorted(actual));
  }

  private static String sorted(List<String> rows) {
    return String.join("\n", rows.stream().sorted().toList());
  }

  /** True if some call of a query's plan, its subqueries and cached parts is batched. */
  static boolean isBatched(Dataset<?> query) {
    return plan(query).contains("BatchedUdfs [");
  }

  static String plan(Dataset<?> query) {
    return query.queryExecution().executedPlan().toString();
  }
}
