package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.ExplainLog;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which file is read, asked for beside calls: a task reads several small files. */
class InputFilesTest extends SqlTest {
  @TempDir static Path folder;

  @BeforeAll
  static void write() {
    String files = folder.resolve("files").toUri().toString();
    spark.range(0, 400, 1, 4).selectExpr("id", "double(id) x").write().parquet(files);
    spark.read().parquet(files).coalesce(1).createOrReplaceTempView("files");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select input_file_name() f, inc(x) from files",
        "select distinct input_file_name() from files where inc(x) > 150",
        "select id, input_file_block_start(), input_file_block_length() from files where inc(x) > 150",
        "select f, id from (select input_file_name() f, id, inc(x) y from files) where y > 150",
      })
  void staysThoseOfItsRow(String sql) {
    set(Map.of(BATCHING, "always"));
    List<String> expected = rowWise(sql);
    try (ExplainLog log = new ExplainLog()) {
      Dataset<Row> result = spark.sql(sql);
      assertSame(expected, Bits.of(result.collectAsList()));
      assertFalse(isBatched(result), () -> plan(result));
      assertTrue(log.lines().toString().contains("is evaluated after it"), log.lines()::toString);
    }
  }

  /** Known before the batch, it is a column like any other. */
  @Test
  void aboveItIsBatched() {
    set(Map.of(BATCHING, "always"));
    assertBatched("select f, inc(x) from (select input_file_name() f, x from files) where x > 50");
    // Spark itself computes what is random or the like below an aggregate.
    assertBatched("select input_file_name() f, count(*), sum(inc(x)) from files group by 1");
    assertEquals(
        4, spark.sql("select distinct input_file_name() from files").collectAsList().size());
  }
}
