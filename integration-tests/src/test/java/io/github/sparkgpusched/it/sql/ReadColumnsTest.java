package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A query with calls reads the columns of a table that it reads without the plugin, and no more.
 */
class ReadColumnsTest extends SqlTest {
  /** Those that are in it are read by classes of Spark's first interface for sources. */
  private static final String FIRST_INTERFACE = "spark.sql.sources.useV1SourceList";

  /** What a scan of a file, or of the cache, says that it reads. */
  private static final Pattern READ =
      Pattern.compile(
          "ReadSchema: \\S+|(InMemoryTableScan|(Partition|Pushed)Filters:) \\[[^\\]]*\\]");

  private Path files;

  @BeforeEach
  void write() {
    files = TestSpark.directory("wide" + System.nanoTime());
    spark
        .sql(
            """
            select id, x, x + 1 a, x + 2 b, cast(id as string) c, cast(id % 3 as int) p,
              named_struct('x', x, 'y', x + 1, 'z', named_struct('u', x, 'v', id)) s
            from t
            """)
        .write()
        .partitionBy("p")
        .parquet(files.toString());
  }

  @AfterEach
  void drop() {
    spark.catalog().clearCache();
    spark.catalog().dropTempView("wide");
    spark.conf().unset(FIRST_INTERFACE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"first interface", "second interface", "cache"})
  void noMoreColumnsAreRead(String source) {
    spark.conf().set(FIRST_INTERFACE, source.equals("second interface") ? "" : "parquet");
    spark.read().parquet(files.toString()).createOrReplaceTempView("wide");
    if (source.equals("cache")) {
      spark.sql("cache table wide");
    }
    List<String> queries =
        List.of(
            "select id from wide where is_big(x)",
            "select count(*) from wide where is_big(x)",
            "select inc(x) y, id from wide",
            "select id, inc(a) from wide where is_big(x) and p = 1",
            "select id from wide where b > 3 and is_big(x)",
            "select id from wide where p = 1 and x < 1000 and is_big(x) and rand(1) >= 0",
            "select inc(x) from wide where c = '17' or is_big(a)",
            "select w.id from wide w join t on w.id = t.id where is_big(w.x)",
            "select p, sum(inc(x)) from wide where is_big(a) group by p",
            "select id from wide where is_big(x) and exists (select 1 from t where t.id = wide.a)",
            "select id from wide where exists (select 1 from t where t.x = inc(wide.a))",
            "select b from wide where not exists"
                + " (select 1 from t where t.x = inc(wide.a) and is_big(t.y))",
            "select id, exists (select 1 from t where t.x = inc(wide.a)) e from wide",
            "select id, max(inc(x)) over (partition by p) from wide where is_big(b)",
            "select inc(x) from wide order by id limit 3",
            "select inc(s.x), s.y from wide where s.z.v > 3",
            "select s.z from wide where is_big(s.x) and a > 3",
            "select id from wide where is_big(x) and s.y < 50 and s.z.v > 3",
            "select w.s.y from wide w join t on w.id = t.id where is_big(w.s.x)",
            "select s.y, sum(inc(s.x)) from wide where is_big(s.z.u) group by s.y",
            "select count(*) from (select inc(s.x) y from wide limit 30) where y > 0");
    // How plans are made is the same for all; what a source is asked for, a few tell.
    queries.stream().limit(source.equals("cache") ? 4 : 99).forEach(sql -> sameColumns(sql));
  }

  private static void sameColumns(String sql) {
    spark.conf().set(ENABLED, "false");
    Dataset<Row> plain = spark.sql(sql);
    List<String> rows = Bits.of(plain.collectAsList());
    List<String> read = read(plain);
    spark.conf().unset(ENABLED);
    Dataset<Row> batched = spark.sql(sql);
    assertSame(rows, Bits.of(batched.collectAsList()));
    assertTrue(isBatched(batched), () -> plan(batched));
    assertFalse(read.isEmpty(), () -> plan(plain));
    assertEquals(read, read(batched), () -> plan(batched));
  }

  private static List<String> read(Dataset<Row> query) {
    String plan = plan(query).replaceAll("#\\d+L?", "");
    return READ.matcher(plan).results().map(MatchResult::group).distinct().sorted().toList();
  }
}
