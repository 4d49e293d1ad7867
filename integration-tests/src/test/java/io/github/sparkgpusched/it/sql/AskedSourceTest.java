package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A table of the second interface is asked for what it is asked for without the plugin: columns,
 * limits, and the partitions that a join leaves.
 */
class AskedSourceTest extends SqlTest {
  @BeforeEach
  void views() {
    spark.read().format(AskedSource.class.getName()).load().createOrReplaceTempView("asked");
    Path names = TestSpark.directory("names" + System.nanoTime());
    spark
        .sql("select * from values (1, 'a'), (4, 'a'), (6, 'b') as names(k, name)")
        .write()
        .parquet(names.toString());
    spark.read().parquet(names.toString()).createOrReplaceTempView("names");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select inc(x) from asked limit 3",
        "select count(*) from (select inc(x) y from asked limit 3) where y >= 0",
        "select inc(x) from asked where is_big(y)",
        "select x, inc(y) from asked a join names n on a.k = n.k where n.name = 'a'",
        "select x from asked a join names n on a.k = n.k where n.name = 'a' and is_big(y)",
        "select inc(x) from asked a where is_big(y) and a.k in (select k from names where name = 'b')",
        "select y from asked a where exists (select 1 from names n where n.k = a.k and name = 'a' and is_big(n.k * 100D))",
        "select sum(inc(x)) from asked a join names n on a.k = n.k where n.name = 'b' group by a.k"
      })
  void isAskedForNoMore(String sql) {
    AskedSource.READ.clear();
    List<String> rows = rowWise(sql);
    Set<String> read = new TreeSet<>(AskedSource.READ);
    assertTrue(read.size() < AskedSource.PARTITIONS || !sql.contains("names"), read::toString);
    AskedSource.READ.clear();
    Dataset<Row> batched = spark.sql(sql);
    List<String> same = Bits.of(batched.collectAsList());
    assertTrue(isBatched(batched), () -> plan(batched));
    assertEquals(read, AskedSource.READ, () -> plan(batched));
    assertSame(rows, same);
  }
}
