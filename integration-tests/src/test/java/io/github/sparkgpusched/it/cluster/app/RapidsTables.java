package io.github.sparkgpusched.it.cluster.app;

import com.nvidia.spark.RapidsUDF;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.functions.Levenshtein;
import io.github.sparkgpusched.functions.MultiplyAdd;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The tables and functions of {@link RapidsQuery}. */
final class RapidsTables {
  private static final StructType T =
      StructType.fromDDL("a double, b double, c double, k int, s string, u string");
  private static final StructType TIMES =
      StructType.fromDDL("n timestamp_ntz, a double, b double, c double");

  private RapidsTables() {}

  /**
   * Names them in a session.
   *
   * @param folder has Parquet files of {@code t}, or none: no file is read for a plan, as the
   *     schema is given
   */
  static void register(SparkSession spark, String folder) {
    spark.read().schema(T).parquet(folder).createOrReplaceTempView("t");
    spark.read().schema(T).json(folder).createOrReplaceTempView("json");
    spark.read().schema(TIMES).parquet(folder).createOrReplaceTempView("times");
    spark
        .createDataFrame(
            JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(List.<Row>of()), T)
        .createOrReplaceTempView("rows");
    spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
    spark.udf().register("edits", new Levenshtein(), DataTypes.IntegerType);
    spark.udf().register("host_only", new HostOnly(), DataTypes.DoubleType);
    spark.udf().register("columnar_inc", new ColumnarInc(), DataTypes.DoubleType);
  }

  /** A {@link GpuUdf} without a CUDA function. */
  static final class HostOnly implements UDF1<Double, Double>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Double call(Double x) {
      return x == null ? null : (Double) (x + 1);
    }
  }

  /** Planned, and not run on a GPU. */
  static final class ColumnarInc implements UDF1<Double, Double>, GpuUdf, RapidsUDF {
    private static final long serialVersionUID = 1L;

    @Override
    public Double call(Double x) {
      return x == null ? null : (Double) (x + 1);
    }
  }
}
