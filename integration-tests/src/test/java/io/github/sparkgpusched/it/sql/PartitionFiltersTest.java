package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.ExplainLog;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A function of partition columns chooses the files that are read, as without the plugin: of other
 * partitions the files are broken here.
 */
class PartitionFiltersTest extends SqlTest {
  /** Those that are in it are read by classes of Spark's first interface for sources. */
  private static final String FIRST_INTERFACE = "spark.sql.sources.useV1SourceList";

  /** Within a query that may read rows of the driver calls are told apart from others. */
  private static final String SQL =
      "with q as (select id, k, x from p) select id, inc(x) from q where bucket(k) = 1 and is_big(x + k) and bucket(id) < 2";

  @AfterEach
  void unsetInterface() {
    spark.conf().unset(FIRST_INTERFACE);
    spark.sql("drop view if exists p");
    spark.sql("drop view if exists names");
    spark.sql("drop table if exists parts");
  }

  @ParameterizedTest
  @ValueSource(strings = {"first interface", "second interface", "table"})
  void readsNoOtherPartitions(String source) throws IOException {
    write(source);
    List<String> expected = rowWise(SQL);
    assertTrue(expected.size() > 5, expected::toString);
    set(Map.of(EXPLAIN, "NOT_BATCHED"));
    try (ExplainLog log = new ExplainLog()) {
      Dataset<Row> result = spark.sql(SQL);
      assertSame(expected, Bits.of(result.collectAsList()));
      assertTrue(isBatched(result), () -> plan(result));
      assertEquals(
          List.of(
              "UDF 'bucket' stays row by row in Filter, because it refers to partition columns"
                  + " alone, by which Spark chooses the files that are read"),
          log.lines());
    }
  }

  /** Spark finds out which, as it has the other side of the join; not by its second interface. */
  @ParameterizedTest
  @ValueSource(strings = {"first interface", "table"})
  void readsNoPartitionsThatAJoinLeavesOut(String source) throws IOException {
    write(source);
    names();
    for (String sql :
        List.of(
            "select id, y from (select id, k, inc(x) y from p) f join names n on f.k = n.k where name = 'a'",
            "select id from p join names n on p.k = n.k where name = 'a' and is_big(x)",
            "select sum(y) from (select k, inc(x) y from p where is_big(x)) f join names n on f.k = n.k where name = 'a'")) {
      List<String> expected = rowWise(sql);
      Dataset<Row> result = spark.sql(sql);
      assertSame(expected, Bits.of(result.collectAsList()));
      assertTrue(isBatched(result), () -> plan(result));
    }
  }

  /** A filter of partitions costs nothing where it reads what is broadcast for the join anyway. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void readsPartitionsOfWhatIsBroadcast(String adaptive) throws IOException {
    write("first interface");
    names();
    set(Map.of(AQE, adaptive));
    String sql =
        "select id from p join names n on p.k = n.k where is_big(x) and name = 'a' and seen(length(name)) < 9";
    List<String> expected = rowWise(sql);
    Functions.forget();
    Dataset<Row> result = spark.sql(sql);
    assertSame(expected, Bits.of(result.collectAsList()));
    assertEquals(2, Functions.CALLS.get(), () -> plan(result));
    assertTrue(isBatched(result), () -> plan(result));
  }

  /** In {@code names}: those that are called a are of partitions whose files can be read. */
  private static void names() {
    Path names = TestSpark.directory("names" + System.nanoTime());
    spark
        .sql("select * from values (1, 'a'), (2, 'b'), (4, 'a'), (6, 'b') as names(k, name)")
        .write()
        .parquet(names.toString());
    spark.read().parquet(names.toString()).createOrReplaceTempView("names");
  }

  /** In {@code p}; the files of five of seven partitions are broken. */
  private static void write(String source) throws IOException {
    Path files = TestSpark.directory("parts" + System.nanoTime());
    StructType schema = spark.table("t").select("id", "x", "k").schema();
    if (source.equals("table")) {
      spark
          .table("t")
          .select("id", "x", "k")
          .write()
          .option("path", files.toString())
          .partitionBy("k")
          .format("parquet")
          .saveAsTable("parts");
      spark.table("parts").createOrReplaceTempView("p");
    } else {
      spark.table("t").select("id", "x", "k").write().partitionBy("k").parquet(files.toString());
      spark.conf().set(FIRST_INTERFACE, source.startsWith("first") ? "parquet" : "");
      spark.read().schema(schema).parquet(files.toString()).createOrReplaceTempView("p");
    }
    for (int k : List.of(0, 2, 3, 5, 6)) {
      breakFiles(files.resolve("k=" + k));
    }
  }

  private static void breakFiles(Path partition) throws IOException {
    try (Stream<Path> files = Files.list(partition)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".parquet")).toList()) {
        Files.delete(file.resolveSibling("." + file.getFileName() + ".crc"));
        Files.writeString(file, "broken");
      }
    }
  }
}
