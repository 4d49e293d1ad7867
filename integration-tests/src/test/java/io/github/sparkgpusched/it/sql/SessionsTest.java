package io.github.sparkgpusched.it.sql;

import static org.apache.spark.sql.functions.callUDF;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.when;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.TestSpark;
import io.github.sparkgpusched.it.testing.TestUdf1;
import java.util.List;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.api.java.function.ReduceFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** Ways to a query other than one SQL text in one session. */
class SessionsTest extends SqlTest {
  private static final UserDefinedFunction INC = Functions.inc();
  private static final UserDefinedFunction IS_BIG = udf(Functions.IS_BIG, DataTypes.BooleanType);

  @Test
  void dataFrames() {
    assertBatched(() -> spark.table("t").select(col("id"), INC.apply(col("x"))));
    assertBatched(() -> spark.table("t").withColumn("x", INC.apply(INC.apply(col("x")))));
    assertBatched(() -> spark.table("t").filter(IS_BIG.apply(col("x"))).select("id"));
    assertBatched(() -> spark.table("t").select(callUDF("inc", col("x")), col("st")));
    assertBatched(() -> spark.table("t").groupBy(INC.apply(col("x")).mod(5)).count());
    assertBatched(
        () -> spark.table("t").select(when(col("k").gt(3), INC.apply(col("y"))).otherwise(lit(0))));
    assertBatched(() -> spark.table("t").repartition(3, INC.apply(col("x"))).select("id"));
    assertBatched(() -> spark.table("t").sortWithinPartitions(INC.apply(col("x"))).select("id"));
    assertBatched(
        () ->
            spark
                .table("t")
                .join(spark.table("u"), INC.apply(spark.table("u").col("x")).equalTo(col("id")))
                .select("id", "uid"));
    assertBatched(
        () ->
            spark
                .table("t")
                .withColumn(
                    "w",
                    sum(INC.apply(col("x")))
                        .over(Window.partitionBy(col("k")).orderBy(INC.apply(col("x")))))
                .select("id", "w"));
    assertBatched(() -> spark.table("t").dropDuplicates("k").select(INC.apply(col("x")).gt(-1)));
    assertBatched(
        () ->
            spark
                .table("t")
                .select(col("k"), INC.apply(col("x")).as("v"))
                .groupBy("k")
                .pivot("k")
                .sum("v"));
  }

  @Test
  void typedDatasets() {
    Dataset<Double> doubles = spark.table("t").select(INC.apply(col("x"))).as(Encoders.DOUBLE());
    assertTrue(isBatched(doubles), () -> plan(doubles));
    FilterFunction<Double> large = d -> d > 100;
    ReduceFunction<Double> plus = Double::sum;
    double total = doubles.filter(large).reduce(plus);
    assertEquals(15_050.0, total);
    assertEquals(Tables.T_ROWS, doubles.toJavaRDD().count());
    assertFalse(doubles.isEmpty());
    assertEquals(
        1.0, spark.table("t").orderBy("id").select(INC.apply(col("x"))).head().getDouble(0));
  }

  @Test
  void views() {
    spark.sql("create or replace temp view v as select id, inc(x) v from t where is_big(x)");
    assertBatched("select sum(v) from v where id % 2 = 0");
    spark.sql("select k, inc(sum(x)) v from t group by k").createOrReplaceGlobalTempView("g");
    assertBatched("select v from global_temp.g where is_big(v)");
  }

  @Test
  void cachedTables() {
    for (String sql :
        List.of(
            "select id, k, inc(x) v from t",
            "select id, x v from t",
            "select id, shout(s) v from t")) {
      spark.sql(sql).createOrReplaceTempView("c");
      List<String> expected = rowWise("select * from c");
      List<String> above = sql.contains("shout") ? null : rowWise("select id, inc(v) from c");
      spark.catalog().cacheTable("c");
      try {
        Dataset<Row> first = spark.sql("select * from c");
        assertSame(expected, Bits.of(first.collectAsList()));
        assertTrue(isCached(first), () -> plan(first));
        if (above != null) {
          Dataset<Row> over = spark.sql("select id, inc(v) from c");
          assertSame(above, Bits.of(over.collectAsList()));
          assertTrue(isBatched(over) && isCached(over), () -> plan(over));
        }
        // The cached query, written again, is answered from the cache.
        Dataset<Row> again = spark.sql(sql);
        assertTrue(isCached(again), () -> plan(again));
      } finally {
        spark.catalog().uncacheTable("c");
      }
    }
  }

  private static boolean isCached(Dataset<Row> query) {
    return plan(query).contains("In-memory table");
  }

  @Test
  void writes() {
    spark.sql("drop table if exists made");
    spark.sql("create table made using parquet as select id, inc(y) v, shout(s) w from t");
    assertEquals(
        rowWise("select id, inc(y) v, shout(s) w from t order by id"),
        Bits.of(spark.sql("select * from made order by id").collectAsList()));
    spark.sql("insert into made select uid, inc(x), shout(w) from u where is_big(x)");
    spark.sql(
        "insert overwrite made select id + 1, inc(v), 'w' from t"
            + " lateral view explode(array(x)) e as v");
    assertEquals(
        rowWise("select id + 1, inc(x), 'w' from t order by id"),
        Bits.of(spark.sql("select * from made order by id").collectAsList()));
    spark.sql("drop table made");
    String path = TestSpark.directory("written").toString();
    spark
        .sql("select id, inc(x) v, k from t")
        .write()
        .mode("overwrite")
        .partitionBy("k")
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("written");
    assertSame(
        rowWise("select id, inc(x), k from t"), Bits.of(spark.table("written").collectAsList()));
    // A partition column is a constant vector.
    assertBatched("select bucket(k), inc(v) from written");
    assertBatched("select id from written where k = 3 and bucket(k) = 0");
  }

  /** Settings and functions are a session's own. */
  @Test
  void twoSessions() {
    SparkSession other = spark.newSession();
    TestUdf1<Double, Double> twice = x -> 2 * x;
    other.udf().register("inc", twice, DataTypes.DoubleType);
    String numbers = "(select cast(id as double) x from range(100))";
    other.conf().set(ENABLED, "false");
    Dataset<Row> mine = spark.sql("select sum(inc(x)) from " + numbers);
    Dataset<Row> others = other.sql("select sum(inc(x)) from " + numbers);
    assertEquals(5050.0, mine.head().getDouble(0));
    assertEquals(9900.0, others.head().getDouble(0));
    assertTrue(isBatched(mine));
    assertFalse(isBatched(others));
    other.conf().set(ENABLED, "true");
    other.conf().set(BATCH_ROWS, "3");
    Dataset<Row> batched = other.sql("select sum(inc(x)) from " + numbers);
    assertEquals(9900.0, batched.head().getDouble(0));
    assertTrue(isBatched(batched));
  }

  /** Two sessions at the same time, each with its functions. */
  @Test
  void sessionsSideBySide() {
    SparkSession other = spark.newSession();
    TestUdf1<Double, Double> twice = x -> 2 * x;
    other.udf().register("inc", twice, DataTypes.DoubleType);
    String sql = "select sum(inc(x)) from (select cast(id as double) x from range(0, 20000, 1, 3))";
    List<Double> sums =
        List.of(spark, other, spark, other).parallelStream()
            .map(session -> session.sql(sql).head().getDouble(0))
            .toList();
    assertEquals(List.of(200_010_000.0, 399_980_000.0, 200_010_000.0, 399_980_000.0), sums);
  }
}
