package io.github.sparkgpusched.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.GpuSched;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.Work;
import io.github.sparkgpusched.runtime.DriverRuntime;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What any session may ask for. */
class LoadTableFunctionTest {
  private static final long QUERY = 1_000_000;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatViewAclsHideIsNotTold(boolean acls) {
    SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .appName("load tables")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.acls.enable", acls)
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .getOrCreate();
    try {
      ApplicationLoad load = DriverRuntime.current().orElseThrow().load();
      load.queryBegun(QUERY, "salaries", "ada, session 3f", 1);
      load.queryComputes(QUERY, List.of("f"));
      load.queryStage(QUERY, 7, 0, 1, 1);
      load.addStageTask(7, 0, "driver", 0, new Work(5, 1, 0, 10));
      load.queryEnded(QUERY, 2, "no salary of bob");
      Row row = GpuSched.queries(spark).where("id = " + QUERY).collectAsList().get(0);
      assertEquals(acls ? "" : "salaries", row.getAs("description"));
      assertEquals(acls ? "" : "ada, session 3f", row.getAs("user"));
      assertEquals(acls ? "" : "no salary of bob", row.getAs("failure"));
      assertEquals("failed", row.getAs("state"));
      assertEquals(5L, row.<Long>getAs("rows"));
    } finally {
      spark.stop();
    }
  }
}
