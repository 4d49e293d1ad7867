package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters between a columnar scan and a batched node: evaluated on columns where that is sure. */
class BatchedFilterTest extends SqlTest {
  private static final String FILTER = "BatchedFilter ";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select inc(x) from t where k < 3",
        "select id, inc(y), s, a, st, m, z from t where i > 3 or s like '%1%'",
        "select id, inc(x), st.name from t where st.x > 50 and m['x'] < 150",
        "select id, inc(x) from t where z < 0",
        "select id, inc(x) from t where z >= 0",
        "select id, inc(y) from t where y is not null",
        "select id, inc(y) from t where y is null or i is null",
        "select k, sum(inc(x)) from t where id % 50 = 1 group by k",
        "select t.id, uid from t join u on inc(t.x) = u.x where t.k < 5 and u.k < 8",
      })
  void onColumns(String sql) {
    for (String rows : List.of("65536", "7")) {
      set(Map.of(BATCH_ROWS, rows));
      assertBatched(sql);
    }
    assertTrue(finalPlan(sql).contains(FILTER), finalPlan(sql));
  }

  /** Random or with a subquery, above a computed column, or over rows: Spark's own filter. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, inc(x) from t where rand(5) < 0.5",
        "select id, inc(x) from t where x > (select avg(x) from u)",
        "select id, inc(x * 2) from t where k < 3",
        "select id, inc(x) from (select id, max(x) x from t group by id) where x > 7",
      })
  void onRows(String sql) {
    assertBatched(sql);
    assertFalse(finalPlan(sql).contains(FILTER), finalPlan(sql));
  }

  @Test
  void cachedTables() {
    spark.sql("cache table cached as select id, k, x from t");
    try {
      String sql = "select id, inc(x) from cached where k < 3";
      assertBatched(sql);
      assertTrue(finalPlan(sql).contains(FILTER), finalPlan(sql));
    } finally {
      spark.sql("uncache table cached");
    }
  }

  /** A condition that fails for a row fails as in plain Spark. */
  @Test
  void failsAsSparkDoes() {
    set(Map.of(ANSI, "true"));
    String sql = "select sum(inc(x)) from t where 1 div (id - 5) >= 0";
    spark.conf().set(ENABLED, "false");
    String plain = failure(sql);
    spark.conf().unset(ENABLED);
    assertEquals(plain, failure(sql));
    assertTrue(plain.contains("DIVIDE_BY_ZERO"), plain);
    assertTrue(finalPlan(sql).contains(FILTER), finalPlan(sql));
  }

  /** An adaptive plan is final only when it has been run. */
  private static String finalPlan(String sql) {
    set(Map.of(AQE, "false"));
    String plan = plan(spark.sql(sql));
    spark.conf().unset(AQE);
    return plan;
  }

  /** What failed first: around it, Spark 3.5 says which task of which stage it was. */
  private static String failure(String sql) {
    Throwable e = assertThrows(Exception.class, () -> spark.sql(sql).collectAsList());
    while (e.getCause() != null) {
      e = e.getCause();
    }
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /** The same without generated code, for which Spark interprets the condition. */
  @Test
  void interpreted() {
    set(Map.of(CODEGEN, "false"));
    String sql = "select id, inc(x), s from t where k < 3 and s <> 'näme 2'";
    assertEquals(
        rowWise(sql).stream().sorted().toList(),
        Bits.of(spark.sql(sql).collectAsList()).stream().sorted().toList());
  }
}
