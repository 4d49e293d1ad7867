package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.ExplainLog;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Wherever a call stands: the answer is that of plain rows, and what is not batched says why. */
class PositionsTest extends SqlTest {
  private static final List<Map<String, String>> MODES =
      List.of(
          Map.of(AQE, "true", CODEGEN, "true"),
          Map.of(AQE, "true", CODEGEN, "false"),
          Map.of(AQE, "false", CODEGEN, "true"),
          Map.of(AQE, "false", CODEGEN, "false"));

  @ParameterizedTest
  @MethodSource("queries")
  void agrees(Query query) {
    List<String> expected = rowWise(query.sql());
    for (Map<String, String> mode : MODES) {
      set(mode);
      try (ExplainLog log = new ExplainLog()) {
        Dataset<Row> result = spark.sql(query.sql());
        List<String> rows = Bits.of(result.collectAsList());
        if (query.sql().toLowerCase(Locale.ROOT).contains("order by inc(")) {
          assertEquals(expected, rows);
        } else {
          assertSame(expected, rows);
        }
        assertEquals(query.batched(), isBatched(result), () -> mode + ": " + plan(result));
        assertReasons(query.notBatched(), log.lines());
      }
    }
  }

  static List<Query> queries() {
    return Queries.all();
  }

  private static void assertReasons(List<String> wanted, List<String> lines) {
    assertEquals(wanted.isEmpty(), lines.isEmpty(), () -> "reasons: " + lines);
    for (String line : lines) {
      assertTrue(line.contains("stays row by row"), line);
      assertTrue(wanted.stream().anyMatch(line::contains), line);
    }
  }
}
