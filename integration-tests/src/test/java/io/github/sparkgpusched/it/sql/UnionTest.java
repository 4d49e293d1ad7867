package io.github.sparkgpusched.it.sql;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Unions of batched columns and of columns that are there anyway, which share the partitioning of
 * their children from Spark 4.1 on, with the plugin and without.
 */
class UnionTest extends SqlTest {
  @AfterEach
  void forget() {
    spark.sql("uncache table if exists c");
    spark.sql("drop view if exists c");
  }

  @Test
  void ofOnePartitionEach() {
    spark.sql("cache table c as select /*+ coalesce(1) */ x from t");
    assertBatched("select sum(x) from (select x from c union all select inc(x) as inc from c)");
  }

  @Test
  void ofTheSameKeys() {
    spark.conf().set(AQE, "false");
    spark.sql("cache table c as select k, sum(x) s from t group by k");
    assertBatched(
        "select k, count(*), max(s) from"
            + " (select k, s from c union all select k, inc(s) as inc from c) group by k");
  }

  /** Whoever is above it takes columns. */
  @Test
  void belowACall() {
    spark.sql("cache table c as select x from t");
    assertBatched("select inc(v) from (select x v from c union all select inc(x) as inc from c)");
  }
}
