package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.TestUdf1;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vectors of a child are freed once: by the node that reads them, or by whoever gives them out. */
class ChildVectorsTest extends SqlTest {
  private static final TestUdf1<Long, Long> NEXT = value -> value + 1;

  @BeforeEach
  void register() {
    spark.udf().register("next", NEXT, DataTypes.LongType);
    CountedVector.OPEN.set(0);
  }

  private static Dataset<Row> vectors(String closes, boolean wide) {
    return spark
        .read()
        .format(VectorSource.class.getName())
        .option("closes", closes)
        .option("wide", wide)
        .load();
  }

  private static List<Long> from(long first) {
    return LongStream.range(first, VectorSource.BATCHES * VectorSource.BATCH_ROWS)
        .mapToObj(id -> id + 1)
        .toList();
  }

  private static List<Long> results(Dataset<Row> query) {
    return query.collectAsList().stream().map(row -> row.getLong(0)).toList();
  }

  /** What Spark does with them by itself: the test's own vectors must stand that. */
  @Test
  void sparkFreesThoseThatAreItsToFree() {
    set(Map.of(ENABLED, "false"));
    assertEquals(from(0), results(vectors("consumer", true).selectExpr("next(id) v", "d")));
    assertEquals(0, CountedVector.OPEN.get());
  }

  /** Batches put together, handed on whole, in parts, and below a filter. */
  @ParameterizedTest
  @CsvSource({
    "consumer, false, 65536, true",
    "consumer, false, 7, true",
    "consumer, true, 65536, true",
    "consumer, true, 7, true",
    "reader, false, 65536, true",
    "reader, false, 7, false",
    "reader, true, 65536, true",
    "reader, true, 65536, false",
    "reader, true, 7, true",
  })
  void areFreedOnce(String closes, boolean wide, int batchRows, boolean codegen) {
    set(Map.of(BATCH_ROWS, String.valueOf(batchRows), CODEGEN, String.valueOf(codegen)));
    Dataset<Row> all = vectors(closes, wide).selectExpr("next(id) v", "*");
    assertEquals(from(0), results(all));
    assertTrue(isBatched(all), () -> plan(all));
    assertEquals(0, CountedVector.OPEN.get());

    Dataset<Row> some = vectors(closes, wide).where("id >= 150").selectExpr("next(id) v", "*");
    assertEquals(from(150), results(some));
    assertTrue(plan(some).contains("BatchedFilter"), () -> plan(some));
    assertEquals(0, CountedVector.OPEN.get());
  }
}
