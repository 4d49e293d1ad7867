package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.functions.Levenshtein;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The built-in function against Spark's own, on the names of the world's cities. */
class LevenshteinCitiesTest extends SqlTest {
  @BeforeAll
  static void register() {
    spark.udf().register("gpu_levenshtein", new Levenshtein(), DataTypes.IntegerType);
    spark.read().parquet("data/cities.parquet").createOrReplaceTempView("cities");
  }

  /** Each city against the next one, and against one far away; as columns and as rows. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select name a, country b from cities",
        "select name a, reverse(name) b from cities",
        "select a.name a, b.name b from cities a join cities b on a.city_id = b.city_id - 1",
        "select a.name a, b.name b from cities a join cities b on a.city_id = 171076 - b.city_id"
      })
  void equalsSparksOwn(String pairs) {
    Dataset<Row> differing =
        spark.sql(
            "select count(*), count_if(gpu_levenshtein(a, b) <=> levenshtein(a, b)), sum(gpu_levenshtein(a, b)) from ("
                + pairs
                + ")");
    Row row = differing.collectAsList().get(0);
    assertTrue(isBatched(differing), () -> plan(differing));
    assertTrue(row.getLong(0) > 171_000, row::toString);
    assertEquals(row.getLong(0), row.getLong(1), row::toString);
    assertTrue(row.getLong(2) > row.getLong(0), row::toString);
  }
}
