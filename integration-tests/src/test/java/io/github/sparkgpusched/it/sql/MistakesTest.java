package io.github.sparkgpusched.it.sql;

import static org.apache.spark.sql.functions.col;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that cannot be meant: Spark's own words reach the user, with what it suggests. */
class MistakesTest extends SqlTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select inc(nosuch) from t",
        "select inc(t.nosuch) from t",
        "select id from t where inc(nosuch) > 1",
        "select t.id from t join u on inc(t.nosuch) = u.x",
        "select sum(inc(nosuch)) from t group by k",
        "select k, count(*) from t group by cube(bucket(id), k) having grouping(bucket(id)) = 0",
        "select inc(x, y) from t",
        "select inc() from t",
        "select nosuch(inc(x)) from t",
        "select inc(x) from t where x in (select inc(nosuch) from u)"
      })
  void areNamedAsInPlainSpark(String sql) {
    assertNamedAsInPlainSpark(() -> spark.sql(sql).collectAsList());
  }

  @Test
  void areNamedAsInPlainSparkByTheApi() {
    Dataset<Row> table = spark.table("t");
    Column call = Functions.inc().apply(col("nosuch"));
    assertNamedAsInPlainSpark(() -> table.select(call));
    assertNamedAsInPlainSpark(() -> table.filter(call.gt(1)));
    assertNamedAsInPlainSpark(() -> table.withColumn("v", call));
    assertNamedAsInPlainSpark(() -> table.groupBy(call).count());
    assertNamedAsInPlainSpark(() -> table.orderBy(call));
  }

  private static void assertNamedAsInPlainSpark(Executable query) {
    set(Map.of(ENABLED, "false"));
    AnalysisException plain = assertThrows(AnalysisException.class, query);
    set(Map.of(ENABLED, "true"));
    AnalysisException batched = assertThrows(AnalysisException.class, query);
    assertEquals(plain.getCondition(), batched.getCondition());
    assertEquals(plain.getSimpleMessage(), batched.getSimpleMessage());
  }
}
