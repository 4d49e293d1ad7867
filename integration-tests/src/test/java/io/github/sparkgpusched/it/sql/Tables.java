package io.github.sparkgpusched.it.sql;

import io.github.sparkgpusched.it.testing.TestSpark;
import java.nio.file.Files;
import org.apache.spark.sql.SparkSession;

/**
 * The Parquet tables {@code t} and {@code u} that the suite's queries read. Doubles are whole
 * numbers, so that a sum is the same in every order.
 */
public final class Tables {
  static final int T_ROWS = 200;

  private Tables() {}

  public static void create(SparkSession spark) {
    String t = TestSpark.directory("t").toString();
    String u = TestSpark.directory("u").toString();
    if (!Files.exists(TestSpark.directory("u"))) {
      spark
          .range(0, T_ROWS, 1, 2)
          .selectExpr(
              "cast(id as int) id",
              "cast(id % 7 as int) k",
              "cast(id % 4 as int) z",
              "cast(id as double) x",
              "case when id % 3 <> 0 then cast(id * 2 as double) end y",
              "case when id % 5 <> 0 then cast(id % 11 as int) end i",
              "concat('näme ', id % 13) s",
              "array(cast(id as double), null, cast(id % 3 as double)) a",
              "named_struct('x', cast(id as double), 'name', concat('n', id)) st",
              "map('x', cast(id as double)) m")
          .write()
          .parquet(t);
      spark
          .range(0, 40, 1, 2)
          .selectExpr(
              "cast(id as int) uid",
              "cast(id % 9 as int) k",
              "cast(id * 3 as double) x",
              "case when id % 4 <> 0 then cast(id as double) end y",
              "concat('NÄME ', id % 17, '!') w")
          .write()
          .parquet(u);
    }
    spark.read().parquet(t).createOrReplaceTempView("t");
    spark.read().parquet(u).createOrReplaceTempView("u");
  }
}
