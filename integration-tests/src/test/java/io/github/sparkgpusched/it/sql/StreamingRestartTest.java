package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A stream that goes on from its checkpoint with the plugin switched on or off: its state is that
 * of plain Spark.
 */
class StreamingRestartTest extends SqlTest {
  /** What is computed of the streams {@code l} and {@code r}, of the same files, and the mode. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select l.id, l.x, r.id as other from l join r on inc(l.x) = r.x | append",
        "select l.y1, r.x from (select id, inc(x) as y1 from l where is_big(y)) l join r"
            + " on l.y1 = r.x and r.id > 50 | append",
        "select bucket(id), inc(sum(inc(x))), count(*) from l group by bucket(id) | complete",
      })
  void agrees(String sql, String mode) throws Exception {
    List<List<String>> expected = runs(sql, mode, false, false);
    assertTrue(expected.stream().noneMatch(List::isEmpty), expected::toString);
    assertEquals(expected, runs(sql, mode, false, true));
    assertEquals(expected, runs(sql, mode, true, false));
  }

  /** The rows of two runs over the same checkpoint, between which files were added. */
  private static List<List<String>> runs(String sql, String mode, boolean... enabled)
      throws Exception {
    String files = TestSpark.directory("files" + System.nanoTime()).toString();
    String checkpoint = TestSpark.directory("restart" + System.nanoTime()).toString();
    List<List<String>> runs = new ArrayList<>();
    for (int run = 0; run < enabled.length; run++) {
      spark
          .table("t")
          .where("id div 2 % 2 = " + run)
          .coalesce(1)
          .write()
          .mode("append")
          .parquet(files);
      for (String stream : List.of("l", "r")) {
        spark
            .readStream()
            .schema(spark.table("t").schema())
            .parquet(files)
            .createOrReplaceTempView(stream);
      }
      set(Map.of(ENABLED, String.valueOf(enabled[run])));
      List<Row> rows = new ArrayList<>();
      VoidFunction2<Dataset<Row>, Long> keep =
          (batch, number) -> rows.addAll(batch.collectAsList());
      spark
          .sql(sql)
          .writeStream()
          .foreachBatch(keep)
          .outputMode(mode)
          .trigger(Trigger.AvailableNow())
          .option("checkpointLocation", checkpoint)
          .start()
          .awaitTermination();
      runs.add(Bits.of(rows).stream().sorted().toList());
    }
    return runs;
  }
}
