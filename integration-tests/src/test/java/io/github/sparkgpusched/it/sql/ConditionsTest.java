package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A batched call is computed on the rows on which Spark would evaluate it, and on no others; {@code
 * seen} notes what it is called with. In {@code t}: k = id % 7, z = id % 4, i is null every fifth
 * row and else id % 11.
 */
class ConditionsTest extends SqlTest {
  private static final String CROSS_JOINS = "spark.sql.crossJoin.enabled";

  @Test
  void caseBranch() {
    assertSees("select case when k > 3 then seen(id) else 0 end from t", id -> id % 7 > 3);
  }

  @Test
  void elseBranch() {
    assertSees("select case when k > 3 then 0 else seen(id) end from t", id -> id % 7 <= 3);
  }

  @Test
  void laterBranches() {
    assertSees(
        "select case when k = 1 then 0 when k = 2 then seen(id) when k < 5 then 1"
            + " else seen(id) end from t",
        id -> id % 7 == 2 || id % 7 >= 5);
  }

  /** A condition that is null does not take its branch; the next is looked at. */
  @Test
  void nullConditions() {
    assertSees("select case when i > 3 then seen(id) end from t", id -> id % 5 != 0 && id % 11 > 3);
    assertSees(
        "select case when i > 3 then 0 else seen(id) end from t",
        id -> id % 5 == 0 || id % 11 <= 3);
    assertSees("select if(i > 3, 0, seen(id)) from t", id -> id % 5 == 0 || id % 11 <= 3);
  }

  @Test
  void branchesWithinBranches() {
    assertSees(
        "select case when k > 3 then if(z = 0, 1, seen(id)) end from t",
        id -> id % 7 > 3 && id % 4 != 0);
  }

  /** A condition that is itself a call. */
  @Test
  void conditionsOfCalls() {
    assertSees(
        "select case when is_big(x) then 0 when bucket(id) = 1 then seen(id) end from t",
        id -> id <= 100 && id % 3 == 1);
  }

  @Test
  void conditionsOfConditionalCalls() {
    assertSees(
        "select case when k > 2 and seen(id) % 2 = 0 then bucket(id) end from t", id -> id % 7 > 2);
  }

  @Test
  void argumentsOfConditionalCalls() {
    assertSees("select if(k > 3, bucket(seen(id)), 0) from t", id -> id % 7 > 3);
  }

  @Test
  void coalesce() {
    assertSees("select coalesce(i, seen(id), 1) from t", id -> id % 5 == 0);
    assertSees("select ifnull(i, seen(id)) from t", id -> id % 5 == 0);
    assertSees("select nvl2(i, seen(id), 0) from t", id -> id % 5 != 0);
  }

  /** The right side counts where the left has not decided: also where it is null. */
  @Test
  void andOr() {
    assertSees("select i > 3 and seen(id) > 5 from t", id -> id % 5 == 0 || id % 11 > 3);
    assertSees("select i > 3 or seen(id) > 5 from t", id -> id % 5 == 0 || id % 11 <= 3);
    assertSees("select k > 3 and (z = 1 or seen(id) > 5) from t", id -> id % 7 > 3 && id % 4 != 1);
  }

  @Test
  void where() {
    assertSees("select id from t where k > 3 and seen(id) > 5", id -> id % 7 > 3);
    assertSees("select id from t where seen(id) > 5 and k > 3", id -> id % 7 > 3);
    assertSees("select id from t where k > 3 or seen(id) > 5", id -> id % 7 <= 3);
    assertSees("select id from t where is_big(x) and seen(id) > 150", id -> id > 100);
  }

  /** The list of IN is looked at up to what is equal; a null is no condition. */
  @Test
  void in() {
    assertSees("select z in (1, seen(id)) from t", id -> id % 4 != 1);
    assertSees("select z in (1, 2, seen(id), 3) from t", id -> id % 4 == 0 || id % 4 == 3);
    assertSees("select z not in (k, seen(id)) from t", id -> id % 4 != id % 7);
    assertSees("select z in (seen(id), 1) from t", id -> true);
    assertSees("select seen(id) in (1, z) from t", id -> true);
    assertSees("select z in (bucket(id), seen(id)) from t", id -> id % 4 != id % 3);
    assertSees("select k > 3 and z in (1, seen(id)) from t", id -> id % 7 > 3 && id % 4 != 1);
    assertSees("select i in (seen(id), 1) from t", id -> id % 5 != 0);
    assertSees("select i in (1, seen(id)) from t", id -> id % 5 != 0 && id % 11 != 1);
  }

  @Test
  void elt() {
    assertSees("select elt(z + 1, s, seen(id), 'b', 'c') from t", id -> id % 4 == 1);
    assertSees("select elt(bucket(id) + 1, s, 'b', seen(id)) from t", id -> id % 3 == 2);
  }

  /** Of a row that has a value already others are not looked at. */
  @Test
  void rowsOfNulls() {
    // Since Spark 4.2 a filter stays above what it reads, unless this is off.
    String above = "spark.sql.optimizer.avoidDoubleFilterEval";
    spark.conf().set(above, "false");
    try {
      assertSees(
          () ->
              spark
                  .sql("select id, y, seen(id) as seen from t")
                  .na()
                  .drop("all", new String[] {"y", "seen"})
                  .select("id"),
          id -> id % 3 == 0);
    } finally {
      spark.conf().unset(above);
    }
  }

  @Test
  void aggregateFilter() {
    assertSees("select sum(seen(id)) filter (where k > 3) from t", id -> id % 7 > 3);
    assertSees("select sum(seen(id)) filter (where is_big(x)) from t", id -> id > 100);
    assertSees("select k, sum(if(z = 0, seen(id), 0)) from t group by k", id -> id % 4 == 0);
  }

  /**
   * A call in a join condition is computed once a row of its side, whether or not the row has a
   * match; what stands before it in the condition and refers to that side counts.
   */
  @Test
  void joinConditions() {
    assertComputes(
        "select id, uid from t left join u on t.x = u.x and t.k > 3 and seen(t.id) > 5",
        id -> id % 7 > 3);
    assertSees(
        "select id, uid from t join u on t.x = u.x where t.k > 3 and seen(t.id) > 5",
        id -> id % 7 > 3);
  }

  /** Rows of the driver may be in these: their calls are unevaluable to Spark's optimizer. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "with c as (select * from t) select c.id, uid from c, u where seen(c.id) = u.uid",
        "with c as (select * from t) select c.id, uid from c join u on seen(c.id) = u.uid"
            + " join (select k from t group by k) w on u.k = w.k",
        "select id, uid, v from t, u, (values (1), (3)) w(v) where seen(t.id) = u.uid and v = uid",
      })
  void conditionsStandInJoins(String sql) {
    assertSees(sql, id -> true);
    assertEquals(Tables.T_ROWS, Functions.CALLS.get(), () -> plan(spark.sql(sql)));
    Dataset<Row> query = spark.sql(sql);
    query.collectAsList();
    assertFalse(
        plan(query).contains("CartesianProduct") || plan(query).contains("NestedLoopJoin"),
        () -> plan(query));
  }

  /** Where Spark refuses all pairs of rows, a join on a call of both sides is still a condition. */
  @Test
  void joinsOnCallsOfBothSidesAreNoCrossJoins() {
    spark.conf().set(CROSS_JOINS, "false");
    try {
      assertBatched("select id, uid from t join u on add(t.x, u.x) > 900");
      assertBatched("select id, uid from t, u where add(t.x, u.x) > 900 and is_big(t.x)");
      for (String enabled : List.of("false", "true")) {
        set(Map.of(ENABLED, enabled));
        assertThrows(
            AnalysisException.class,
            () -> spark.sql("select id, uid from t, u where is_big(t.x)").collectAsList());
      }
    } finally {
      spark.conf().unset(CROSS_JOINS);
    }
  }

  @Test
  void otherPositions() {
    assertSees("select id from t order by if(k > 3, seen(id), 0)", id -> id % 7 > 3);
    assertSees("select k, max(if(k > 3, seen(id), 0)) over () from t", id -> id % 7 > 3);
    assertSees(
        "select if(k > 3, seen(id), 0), count(*) from t group by if(k > 3, seen(id), 0)",
        id -> id % 7 > 3);
  }

  /** Each row once, though the call stands there three times. */
  @Test
  void sameCallIsComputedOnce() {
    assertSees("select seen(id), seen(id) + 1, if(k > 3, seen(id), 0) from t", id -> true);
    assertEquals(Tables.T_ROWS, Functions.CALLS.get());
    assertSees("select id from t where seen(id) > 5 and seen(id) < 100", id -> true);
    assertEquals(Tables.T_ROWS, Functions.CALLS.get());
  }

  @Test
  void sameConditionalCallIsComputedOnce() {
    assertSees(
        "select if(k > 3, seen(id), 0), if(k > 3, seen(id) + 1, 1) from t", id -> id % 7 > 3);
    assertEquals(
        IntStream.range(0, Tables.T_ROWS).filter(id -> id % 7 > 3).count(), Functions.CALLS.get());
  }

  @Test
  void limitedRows() {
    assertSees("select seen(id) from (select id from t order by id limit 20)", id -> id < 20);
    assertSees(
        "select seen(id) from (select id from t order by id limit 5 offset 3)",
        id -> id >= 3 && id < 8);
    Functions.forget();
    Dataset<Row> some = spark.sql("select seen(id) from t limit 5");
    assertEquals(5, some.collectAsList().size());
    assertTrue(isBatched(some), () -> plan(some));
    assertEquals(5, Functions.CALLS.get());
  }

  /** Arguments that fail where the branch is not taken. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select case when z <> 0 then bucket(int(100 div z)) end from t",
        "select case when z = 0 then 0 else bucket(cast(100 / z as int)) end from t",
        "select if(z <> 0, inc(x / z), 0d) from t",
        "select z <> 0 and is_big(x / z) from t",
        "select z in (0, bucket(int(100 div z))) from t",
        "select nullif(z, 0) in (bucket(int(100 div z)), 2) from t",
        "select id from t where is_big(double(z) * 1000) and 100 div z > 3",
        "select id from t where is_big(double(z) * 1000) and is_big(100 / z)",
        "select id from t where 100 > id and is_big(double(z) * 1000) and k > 1 and 100 div z > 3",
        "select id, uid from t join u on t.k = u.k and is_big(1000D * z * (uid + 1)) and 100 div (z * (uid + 1)) > 3",
        "select elt(if(z = 0, 1, 2), s, shout(string(100 div z))) from t",
        "select z = 0 or is_big(x / z) from t",
        "select id from t where z <> 0 and is_big(x / z)",
        "select coalesce(if(z = 0, 1, null), bucket(int(100 div z))) from t",
        "select sum(bucket(int(100 div z))) filter (where z <> 0) from t",
        "select case when z <> 0 then case when bucket(int(100 div z)) = 1 then inc(x / z) end end from t",
        "select case when z <> 0 then case when 100 div z = 1 then inc(x) when 100 div z = 2 then inc(x + 1) when 100 div z = 3 then inc(x + 2) else inc(x + 3) end end from t",
        "select id, uid from t left join u on t.k = u.k and z <> 0 and bucket(int(100 div z)) = 1",
        "select id, uid from t left join u on t.k = u.k and z <> 0 and case when 100 div z = 1 then is_big(t.x) when 100 div z = 2 then is_big(t.x + 1) when 100 div z = 3 then is_big(t.x + 2) end",
        "select if(k > 9, inc(cast(s as double)), 1d) from t",
        "select case when array_size(a) > 5 then inc(a[4]) end from t",
        // What may fail stands twice in a guard, in two guards, or in a filter.
        "select case when z = 0 then 0d when 100 div z > 2 and 100 div z < 50 then inc(x) else -1d end from t",
        "select case when z = 0 then 0d when 100 div z > 2 then inc(x) else inc(x + 1) end from t",
        "select if(z <> 0, if(100 div z > 2, inc(x), inc(x + 1)), 0d) from t",
        "select if(z <> 0, if(100 div z > 2, case k % 4 when 1 then inc(x) when 2 then inc(x + 1) when 3 then 6d end, case k % 5 when 1 then inc(x + 2) when 2 then inc(x + 3) when 3 then 8d end), 0d) from t",
        "select sum(inc(x)) filter (where z <> 0 and 100 div z > 2 and 100 div z < 50) from t",
        "select inc(x) from t where z <> 0 and 100 div z > 2 and 100 div z < 50",
        "select id, uid from t left join u on t.k = u.k and z <> 0 and 100 div z > 2 and 100 div z < 50 and is_big(t.x)",
        // A null is no false: what stands behind it is not evaluated in a filter and in nested
        // CASE.
        "select inc(x) from t where try_divide(100, z) > -1000000 and 100 div z > -1000000",
        "select if(try_divide(100, z) > -1000000, if(100 div z > 2, inc(x), inc(x + 1)), 0d) from t",
      })
  void failingArguments(String sql) {
    set(Map.of(ANSI, "true"));
    assertBatched(sql);
  }

  /** Where the branch is taken the argument fails, batched or not. */
  @Test
  void failuresAreNotHidden() {
    set(Map.of(ANSI, "true"));
    String sql = "select if(z < 2, inc(x / z), 0d) from t";
    assertTrue(isBatched(spark.sql(sql)));
    Exception batched = assertThrows(Exception.class, () -> spark.sql(sql).collectAsList());
    assertTrue(batched.toString().contains("DIVIDE_BY_ZERO"), batched::toString);
    Exception rowWise = assertThrows(Exception.class, () -> rowWise(sql));
    assertTrue(rowWise.toString().contains("DIVIDE_BY_ZERO"), rowWise::toString);
  }

  /** {@code seen} is called for the wanted ids alone, and for no others than row by row. */
  private static void assertSees(String sql, IntPredicate wanted) {
    assertSees(() -> spark.sql(sql), wanted);
  }

  private static void assertSees(Supplier<Dataset<Row>> query, IntPredicate wanted) {
    Functions.forget();
    rowWise(query);
    Set<Integer> rowWise = new TreeSet<>(Functions.SEEN);
    assertComputes(query, wanted);
    assertTrue(
        rowWise.containsAll(Functions.SEEN), () -> plan(query.get()) + " calls for " + rowWise);
  }

  private static void assertComputes(String sql, IntPredicate wanted) {
    assertComputes(() -> spark.sql(sql), wanted);
  }

  private static void assertComputes(Supplier<Dataset<Row>> query, IntPredicate wanted) {
    Set<Integer> expected = new TreeSet<>();
    IntStream.range(0, Tables.T_ROWS).filter(wanted).forEach(expected::add);
    List<String> rowWise = rowWise(query);
    Functions.forget();
    Dataset<Row> result = query.get();
    assertSame(rowWise, Bits.of(result.collectAsList()));
    assertTrue(isBatched(result), () -> plan(result));
    assertEquals(expected, new TreeSet<>(Functions.SEEN), () -> plan(result));
  }
}
