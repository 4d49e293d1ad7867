package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.BatchedNodes;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** By what executors know a query again, to whose rows they then give the time that they took. */
class RepeatedQueryTest extends SqlTest {
  private static int planned(String sql) {
    Dataset<Row> query = spark.sql(sql);
    query.collectAsList();
    List<SparkPlan> nodes = BatchedNodes.of(query);
    assertEquals(1, nodes.size(), () -> plan(query));
    return nodes.get(0).semanticHash();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void aQueryThatIsPlannedAgainIsTheSame(String adaptive) {
    set(Map.of(AQE, adaptive));
    for (String sql :
        List.of(
            "select add(x, 2.0D) from t",
            "select sum(inc(x)) from t where k < 5",
            "select inc(t.x) from t join u using (k)")) {
      assertEquals(planned(sql), planned(sql), sql);
    }
    int one = planned("select add(x, 2.0D) from t");
    assertNotEquals(one, planned("select add(x, 3.0D) from t"));
    assertNotEquals(one, planned("select add(x, 2.0D) from t where k < 5"));
    assertNotEquals(one, planned("select add(x, 2.0D) from u"));
    assertTrue(isBatched(spark.sql("select add(x, 2.0D) from t")));
  }
}
