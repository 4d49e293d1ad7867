package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.it.testing.Bits;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that refer to themselves: each level is a query of its own, as in plain Spark. */
class RecursiveQueryTest extends SqlTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "with recursive r(n) as (values (1) union all select seen(n) + 1 from r where n < 30) select n from r",
        "with recursive r(n) as (values (1) union all select n + 1 from r where seen(n) < 30) select sum(n) from r",
        "with recursive r(n) as (values (1) union all select seen(n + 1) from r where n < 30) select inc(double(n)) from r",
        "with recursive r(n) as (select k from u where uid = 1 union all select seen(n + 1) from r join t on n = t.id where n < 9) select n from r",
      })
  void callsAreAsOftenAsRowByRow(String sql) {
    Functions.forget();
    List<String> expected = rowWise(sql);
    long calls = Functions.CALLS.get();
    Functions.forget();
    assertSame(expected, Bits.of(spark.sql(sql).collectAsList()));
    assertEquals(calls, Functions.CALLS.get(), () -> plan(spark.sql(sql)));
  }
}
