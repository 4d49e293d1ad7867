package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.functions.Levenshtein;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.ExplainLog;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sessions whose configuration says that the RAPIDS Accelerator executes, where it is not there to
 * take anything: each call that it is given is left, and must be batched as without it.
 */
class LeftByRapidsTest extends SqlTest {
  private static final String PLUGINS = "spark.plugins";
  private static final String OURS = "io.github.sparkgpusched.GpuSchedPlugin";
  private static final String MODE = "spark.rapids.sql.mode";
  private static final String RAPIDS = "spark.gpusched.rapids";

  @BeforeEach
  void withRapids() {
    spark.udf().register("ma", new MultiplyAdd(), DataTypes.DoubleType);
    spark.udf().register("distance", new Levenshtein(), DataTypes.IntegerType);
    conf().setConfString(PLUGINS, OURS + ",com.nvidia.spark.SQLPlugin");
  }

  @AfterEach
  void withoutRapids() {
    conf().setConfString(PLUGINS, OURS);
    conf().unsetConf(MODE);
    conf().unsetConf(RAPIDS);
  }

  private static SQLConf conf() {
    return ((org.apache.spark.sql.classic.SparkSession) spark).sessionState().conf();
  }

  /** What is executed of a query, but for the numbers of its expressions. */
  private static String planned(String sql) {
    Dataset<Row> query = spark.sql(sql);
    query.collectAsList();
    return plan(query)
        .split("== Initial Plan ==", 2)[0]
        .replaceAll("#\\d+L?", "#")
        .replaceAll("plan_id=\\d+", "plan_id=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, ma(x, y, 1.5D) from t",
        "select ma(ma(x, y, 1.5D), x, 2D) from t where ma(x, x, y) > 0",
        "select k, sum(ma(x, y, 1D)) from t group by k",
        "select inc(ma(x, x, 2D)) from t",
        "select distance(s, 'abc'), count(*) from t group by distance(s, 'abc')",
        "select t.id from t join u on ma(t.x, t.y, 1D) = u.x",
        "select case when k > 3 then ma(x, y, 1D) else inc(x) end from t",
        "select id from t order by ma(x, y, 1D), id limit 5",
        "select inc(x), ma(x, y, 1D), inc(ma(x, y, 2D)) from t"
      })
  void isBatchedAsWithoutIt(String sql) {
    for (String adaptive : List.of("true", "false")) {
      set(Map.of(AQE, adaptive));
      List<String> expected = rowWise(sql);
      conf().setConfString(RAPIDS, "off");
      String without = planned(sql);
      conf().setConfString(RAPIDS, "auto");
      Dataset<Row> query = spark.sql(sql);
      assertSame(expected, Bits.of(query.collectAsList()));
      assertTrue(isBatched(query), () -> plan(query));
      if (!sql.contains("inc(x)")) { // RAPIDS is not given it: it is in a layer of its own
        assertEquals(without, planned(sql));
      }
      unset();
    }
  }

  /** Once a call, however often a plan is shown, and adaptive execution plans it. */
  @Test
  void saysWhy() {
    try (ExplainLog log = new ExplainLog()) {
      Dataset<Row> query = spark.sql("select k, max(ma(x, y, 1D)) from t group by k");
      query.explain();
      query.collectAsList();
      query.collectAsList();
      assertEquals(1, log.lines().size(), log.lines()::toString);
      assertTrue(
          log.lines().get(0).startsWith("UDF 'ma' is batched, as RAPIDS leaves it on the CPU: "),
          log.lines()::toString);
    }
  }

  @Test
  void saysWhatItIsGiven() {
    set(Map.of(EXPLAIN, "all"));
    try (ExplainLog log = new ExplainLog()) {
      spark.sql("select ma(x, y, 1D), inc(x) from t").queryExecution().optimizedPlan();
      assertEquals(
          List.of("UDF 'ma' is given to RAPIDS: ma(x, y, 1.0)", "UDF 'inc' is batched: inc(x)"),
          log.lines());
    }
  }

  /** It is not asked where it executes nothing, or where a session says so. */
  @Test
  void isNotAsked() {
    conf().setConfString(MODE, "explainOnly");
    assertBatched("select ma(x, y, 1D) from t");
    conf().unsetConf(MODE);
    conf().setConfString(RAPIDS, "off");
    assertBatched("select ma(x, y, 1D) from t");
  }

  /** An adaptive query is planned as it is explained, and goes on as it is run. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void settingsMayChangeAfterAPlanIsMade(String adaptive) {
    set(Map.of(AQE, adaptive));
    Dataset<Row> query = spark.sql("select k, sum(ma(x, y, 1D)) from t group by k");
    query.queryExecution().executedPlan();
    conf().setConfString(RAPIDS, "off");
    query.collectAsList();
    assertTrue(isBatched(query), () -> plan(query));
  }

  @Test
  void leavesAllAloneWhereThePluginIsOff() {
    set(Map.of(ENABLED, "false"));
    Dataset<Row> query = spark.sql("select ma(x, y, 1D) from t");
    query.collectAsList();
    assertFalse(isBatched(query), () -> plan(query));
  }
}
