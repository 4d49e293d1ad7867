package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.sparkgpusched.device.SharedCalls;
import io.github.sparkgpusched.it.testing.ExplainLog;
import io.github.sparkgpusched.it.testing.TestUdf1;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.runtime.DriverRuntime;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users are told: the log lines of {@code spark.gpusched.explain}, plans, and bad values. */
class ExplainTest extends SqlTest {
  private static final String SQL =
      "select inc(add(x, y)), transform(a, e -> inc(e)), case when k > 3 then shout(s) end"
          + " from t where is_big(x)";

  private static final String NOT_BATCHED =
      "UDF 'inc' stays row by row in Project, because it stands in the lambda of a higher-order"
          + " function";

  private static List<String> lines(String mode, String sql) {
    set(Map.of(EXPLAIN, mode));
    try (ExplainLog log = new ExplainLog()) {
      spark.sql(sql).collectAsList();
      return log.lines();
    }
  }

  @Test
  void none() {
    assertEquals(List.of(), lines("NONE", SQL));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NOT_BATCHED", "not_batched"})
  void notBatched(String mode) {
    assertEquals(List.of(NOT_BATCHED), lines(mode, SQL));
  }

  /** Each call once, those that are not batched first. */
  @Test
  void all() {
    assertEquals(
        List.of(
            NOT_BATCHED,
            "UDF 'inc' is batched: inc(add)",
            "UDF 'add' is batched: add(x, y)",
            "UDF 'shout' is batched: shout(s)",
            "UDF 'is_big' is batched: is_big(x)"),
        lines("ALL", SQL));
  }

  /** Tools that note where data comes from read plans so. */
  @Test
  void plansAreToldAsJson() throws IOException {
    Dataset<Row> query = spark.sql("select inc(add(x, y)) z, id from t where is_big(x)");
    query.collectAsList();
    QueryExecution execution = query.queryExecution();
    for (LogicalPlan plan : List.of(execution.analyzed(), execution.optimizedPlan())) {
      String json = plan.toJSON();
      assertTrue(new ObjectMapper().readTree(json).size() > 2, json);
      assertTrue(json.contains("\"udfName\":\"add\""), json);
    }
    String physical = execution.sparkPlan().toJSON();
    assertTrue(new ObjectMapper().readTree(physical).size() > 2, physical);
    assertTrue(physical.contains("BatchedUdfsExec"), physical);
    JsonNode batched = new ObjectMapper().readTree(execution.optimizedPlan().toJSON());
    JsonNode columns = batched.get(0).get("projectList");
    assertEquals("z", columns.get(0).get(0).get("name").asText(), batched::toString);
  }

  @Test
  void notBatchedIsTheDefault() {
    try (ExplainLog log = new ExplainLog()) {
      spark.sql(SQL).collectAsList();
      assertEquals(List.of(NOT_BATCHED), log.lines());
    }
  }

  @Test
  void nothingWhereThePluginIsOff() {
    set(Map.of(ENABLED, "false"));
    assertEquals(List.of(), lines("ALL", SQL));
  }

  /** Every plan is as Spark makes it: here it computes the call on the driver. */
  @Test
  void localRowsAreSparksWhereThePluginIsOff() {
    set(Map.of(ENABLED, "false"));
    assertEquals(
        "LocalRelation",
        spark
            .sql("select inc(v) y from values (1d), (3d) as w(v)")
            .queryExecution()
            .optimizedPlan()
            .nodeName());
  }

  @Test
  void nothingWithoutCalls() {
    assertEquals(List.of(), lines("ALL", "select x + 1 from t where k > 2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select id, uid from t left join u on t.k = u.k and is_big(add(t.x, u.x)) | UDF 'add' stays"
            + " row by row in Join, because it refers to both sides of a LEFT OUTER join, whose"
            + " condition decides which rows are padded",
        "select try_add(date'2026-01-01', bucket(id)) from t | UDF 'bucket' stays row by row in"
            + " Project, because it stands in a try_ function, which catches errors row by row",
        "select if(rand() > 2 * x, inc(x), 0d) from t | UDF 'inc' stays row by row in Project,"
            + " because it is evaluated only if a non-deterministic part of",
        "select inc_anew(x) from t | UDF 'inc_anew' stays row by row in Project, because it is"
            + " registered as non-deterministic",
      })
  void reasons(String sql, String line) {
    List<String> lines = lines("NOT_BATCHED", sql);
    assertTrue(lines.stream().anyMatch(l -> l.startsWith(line)), lines::toString);
  }

  /** On a core of another executor the first would count nothing; the second takes a journey. */
  @Test
  void callsThatStayInTheirExecutor() {
    LongAccumulator counter = spark.sparkContext().longAccumulator("rows");
    TestUdf1<Double, Double> counting =
        x -> {
          counter.add(1);
          return x;
        };
    spark.udf().register("counting", counting, DataTypes.DoubleType);
    double[] table = new double[3 << 20];
    TestUdf1<Double, Double> large = x -> table[0] + x;
    spark.udf().register("large", large, DataTypes.DoubleType);
    SharedCalls.start(); // as on a cluster
    try {
      List<String> lines = lines("ALL", "select counting(x), inc(y), large(x) from t");
      assertEquals(
          List.of(
              "UDF 'counting' is batched: counting(x); its rows stay in their executor, because it"
                  + " refers to an accumulator, which counts in tasks alone",
              "UDF 'inc' is batched: inc(y)",
              "UDF 'large' is batched: large(x); its rows stay in their executor, because it takes 24"
                  + " MB, and the driver sends each executor at most 16 MB of a function: give it a"
                  + " broadcast variable"),
          lines);
    } finally {
      SharedCalls.end();
    }
  }

  /** Shown, planned adaptively and run twice, with a call in two operators: it is one plan. */
  @Test
  void aPlanIsCountedOnce() {
    spark.udf().register("told", (TestUdf1<Double, Double>) x -> x, DataTypes.DoubleType);
    Dataset<Row> query =
        spark.sql(
            "select k, max(v[0]) from (select k, transform(array(x), e -> told(e)) v from t"
                + " where exists(array(x), e -> told(e) > 0)) group by k");
    try (ExplainLog log = new ExplainLog()) {
      query.explain();
      query.collectAsList();
      query.collectAsList();
      assertEquals(2, log.lines().size(), log.lines()::toString);
    }
    assertEquals(
        List.of(1L),
        DriverRuntime.current().orElseThrow().load().view(System.nanoTime(), 0).fallbacks().stream()
            .filter(call -> call.udf().equals("told"))
            .map(LoadView.Fallback::plans)
            .toList());
  }

  /** A type of many fields is cut off: reasons stay a line. */
  @Test
  void longTypesAreShortened() {
    String fields =
        IntStream.range(0, 100)
            .mapToObj(i -> "'field_" + i + "', cast(id as bigint)")
            .collect(Collectors.joining(", "));
    spark
        .udf()
        .register("head", (TestUdf1<Row, Long>) row -> (long) row.length(), DataTypes.LongType);
    List<String> lines = lines("ALL", "select head(named_struct(" + fields + ")) from t");
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.get(0).contains("is of type struct<field_0:bigint,"), lines::toString);
    assertTrue(lines.get(0).length() < 400, lines::toString);
  }

  @Test
  void nodeInPlans() {
    Dataset<Row> query = spark.sql("select add(x, y), if(k > 3, inc(x), 0d) from t");
    String plan = plan(query).replaceAll("#\\d+", "");
    assertTrue(plan.contains("BatchedUdfs [add(x, y) AS add, inc(x) AS inc if _gpusched_in"), plan);
    String logical = query.queryExecution().optimizedPlan().toString();
    assertTrue(logical.contains("BatchedUdfs [add(x"), logical);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spark.gpusched.batch.rows | 0 | a whole number from 1 to 16777216",
        "spark.gpusched.batch.rows | many | a whole number from 1 to 16777216",
        "spark.gpusched.batch.bytes | 1k | a size from 64k to 1g",
        "spark.gpusched.explain | SOME | one of NONE, NOT_BATCHED, ALL",
        "spark.gpusched.enabled | yes | true or false",
      })
  void badValueInASession(String key, String value, String allowed) {
    Exception e = assertThrows(Exception.class, () -> spark.conf().set(key, value));
    assertEquals(key + "='" + value + "' is not allowed: give " + allowed, e.getMessage());
  }
}
