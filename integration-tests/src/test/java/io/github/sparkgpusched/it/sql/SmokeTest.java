package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class SmokeTest {
  public static final class Add implements UDF2<Double, Double, Double>, GpuUdf {
    @Override
    public Double call(Double a, Double b) {
      return a + b;
    }

    @Override
    public CudaSource cuda() {
      return CudaSource.text("", "add");
    }
  }

  @Test
  void runs() {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.explain", "ALL")
            .getOrCreate();
    spark.udf().register("add", new Add(), DataTypes.DoubleType);
    spark
        .range(100000)
        .selectExpr(
            "cast(id as double) x",
            "id % 7 k",
            "case when id % 3 = 0 then null else cast(id as double) end y")
        .write()
        .mode("overwrite")
        .parquet("target/tmp/smoke");
    spark.read().parquet("target/tmp/smoke").createOrReplaceTempView("t");
    for (String q :
        new String[] {
          "select sum(add(x, x)) s from t",
          "select sum(add(x, y)) s from t where k > 2",
          "select k, add(sum(x), 1d) s from t group by k order by add(sum(x), 2d)",
          "select sum(case when k > 3 then add(x, add(x, 1d)) else 0 end) s from t",
          "select count(*) from t a join t b on add(a.x, 1d) = b.x where add(b.y, 2d) > 10 and add(a.x, b.x) < 1000",
          "select k, sum(add(x, 1d)) over (partition by k order by add(x, 2d)) w from t order by x limit 5",
          "select transform(array(x, y), v -> add(v, 1d)) from t limit 2",
        }) {
      spark.conf().set("spark.gpusched.enabled", "true");
      var df = spark.sql(q);
      System.out.println(q);
      System.out.println(df.queryExecution().executedPlan());
      var batched = df.collectAsList();
      spark.conf().set("spark.gpusched.enabled", "false");
      var plain = spark.sql(q).collectAsList();
      System.out.println(batched.subList(0, Math.min(3, batched.size())));
      assertEquals(plain, batched);
    }
    spark.stop();
  }
}
