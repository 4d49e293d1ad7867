package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.ExplainLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wherever a call stands: the answer is that of plain rows, and what is not batched says why. */
class PositionsTest extends SqlTest {
  private static final Map<String, String> FUSED =
      Map.of(AQE, "false", CODEGEN, "true", BATCHING, "always");
  private static final Map<String, String> ADAPTIVE =
      Map.of(AQE, "true", CODEGEN, "false", BATCHING, "auto");
  private static final Map<String, String> BOTH =
      Map.of(AQE, "true", CODEGEN, "true", BATCHING, "auto");
  private static final Map<String, String> NEITHER =
      Map.of(AQE, "false", CODEGEN, "false", BATCHING, "never");

  /** Plans that AQE and code generation change most: these run in all modes, the others in two. */
  private static final Set<String> THOROUGH =
      Set.of(
          "select",
          "where, mixed",
          "where nested",
          "sum with filter",
          "two distincts",
          "key",
          "rollup",
          "around and inside",
          "having, mixed",
          "inner join keys",
          "left join key",
          "full join keys",
          "left semi join, other side",
          "left anti join keys",
          "inner join, both sides",
          "left join, one and both sides",
          "sort-merge",
          "self join",
          "window everywhere",
          "order by",
          "cluster by",
          "scalar in where",
          "in, both",
          "not in",
          "exists, both",
          "cte used twice",
          "union",
          "explode",
          "transform",
          "nested case",
          "coalesce",
          "and, or");

  @ParameterizedTest
  @MethodSource("queriesInModes")
  void agrees(Query query, List<Map<String, String>> modes) {
    List<String> expected = rowWise(query.sql());
    for (Map<String, String> mode : modes) {
      set(mode);
      try (ExplainLog log = new ExplainLog()) {
        Dataset<Row> result = spark.sql(query.sql());
        List<String> rows = Bits.of(result.collectAsList());
        if (query.name().startsWith("order by")) {
          assertEquals(expected, rows);
        } else {
          assertSame(expected, rows);
        }
        assertEquals(query.batched(), isBatched(result), () -> mode + ": " + plan(result));
        assertReasons(query.notBatched(), log.lines());
      }
    }
  }

  static List<Arguments> queriesInModes() {
    List<Arguments> all = new ArrayList<>();
    for (Query query : Queries.all()) {
      List<Map<String, String>> modes =
          THOROUGH.contains(query.name())
              ? List.of(BOTH, NEITHER, FUSED, ADAPTIVE)
              : all.size() % 2 == 0 ? List.of(BOTH, NEITHER) : List.of(FUSED, ADAPTIVE);
      all.add(Arguments.of(query, modes));
    }
    return all;
  }

  /** A renamed query must not drop out of {@link #THOROUGH} unseen. */
  @Test
  void thoroughQueriesExist() {
    Set<String> names = Queries.all().stream().map(Query::name).collect(Collectors.toSet());
    assertTrue(names.containsAll(THOROUGH), () -> THOROUGH + " are not all of " + names);
    assertEquals(Queries.all().size(), names.size(), "a name stands for two queries");
  }

  private static void assertReasons(List<String> wanted, List<String> lines) {
    assertEquals(wanted.isEmpty(), lines.isEmpty(), () -> "reasons: " + lines);
    for (String line : lines) {
      assertTrue(line.contains("stays row by row"), line);
      assertTrue(wanted.stream().anyMatch(line::contains), line);
    }
  }
}
