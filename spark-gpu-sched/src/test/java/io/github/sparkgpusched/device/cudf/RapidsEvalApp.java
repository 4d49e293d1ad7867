package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmAllocationMode;
import com.nvidia.spark.RapidsUDF;
import io.github.sparkgpusched.functions.Levenshtein;
import io.github.sparkgpusched.functions.MultiplyAdd;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * RAPIDS' own expression for a UDF, {@code GpuScalaUDF}, evaluates a batch of its own vectors by
 * the function of our physical plan, and the results are those of the Java forms. RAPIDS' classes
 * are on the class path alone, so that they are called by reflection. Status 0 if all is right.
 */
final class RapidsEvalApp {
  private static final int ROWS = 1000;

  private RapidsEvalApp() {}

  public static void main(String[] arguments) {
    int status = 1;
    try {
      run();
      status = 0;
    } catch (Throwable e) {
      e.printStackTrace(System.out);
    }
    System.out.flush();
    Runtime.getRuntime().halt(status);
  }

  private static void run() throws Exception {
    Rmm.initialize(RmmAllocationMode.CUDA_DEFAULT, null, 0);
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.devices", "host")
            .config("spark.gpusched.cuda.cacheDir", System.getenv("TMPDIR") + "/kernels");
    try (SparkSession spark = builder.getOrCreate()) {
      // As if RAPIDS executed: its plugin needs a GPU to start.
      ((org.apache.spark.sql.classic.SparkSession) spark)
          .sessionState()
          .conf()
          .setConfString("spark.plugins", "com.nvidia.spark.SQLPlugin");
      spark.udf().register("ma", new MultiplyAdd(), DataTypes.DoubleType);
      spark.udf().register("edits", new Levenshtein(), DataTypes.IntegerType);
      MultiplyAdd ma = new MultiplyAdd();
      evaluate(
          planned(spark, "ma(id / 7D, id / 3D, 1.5D)"),
          List.of(DataTypes.DoubleType, DataTypes.DoubleType, DataTypes.DoubleType),
          row -> ma.call((Double) row[0], (Double) row[1], (Double) row[2]));
      UDF2<String, String, Integer> edits = new Levenshtein();
      evaluate(
          planned(spark, "edits(cast(id as string), 'abc')"),
          List.of(DataTypes.StringType, DataTypes.StringType),
          row -> edits.call((String) row[0], (String) row[1]));
    }
    if (Rmm.getTotalBytesAllocated() != 0) {
      throw new AssertionError(Rmm.getTotalBytesAllocated() + " bytes are left");
    }
    System.out.println("RAPIDS has evaluated them");
  }

  private interface JavaForm {
    Object call(Object[] row) throws Exception;
  }

  private static ScalaUDF planned(SparkSession spark, String call) {
    return CudfSparkApp.calls(
            spark.sql("select " + call + " from range(10)").queryExecution().sparkPlan())
        .get(0);
  }

  private static void evaluate(ScalaUDF planned, List<DataType> types, JavaForm form)
      throws Exception {
    Random random = new Random(11);
    List<List<Object>> values = new ArrayList<>();
    types.forEach(type -> values.add(Values.some(type, ROWS, 1, random)));
    Object udf = gpuScalaUdf(planned, types);
    try (ColumnarBatch batch = batch(types, values)) {
      try (AutoCloseable result = columnarEval(udf, batch);
          HostColumnVector host = base(result).copyToHost()) {
        for (int row = 0; row < ROWS; row++) {
          Object[] arguments = new Object[values.size()];
          boolean isNull = false;
          for (int i = 0; i < arguments.length; i++) {
            arguments[i] = values.get(i).get(row);
            isNull |= arguments[i] == null;
          }
          Object expected = isNull ? null : form.call(arguments);
          Object actual = HostValues.get(host, planned.dataType(), row);
          if (!Objects.equals(expected, actual)) {
            throw new AssertionError(
                planned + ", row " + row + ": " + actual + ", not " + expected);
          }
        }
      }
      passesRetriesThrough(udf, batch);
    }
  }

  /** RAPIDS looks for its exceptions among the causes of what it throws itself. */
  private static void passesRetriesThrough(Object udf, ColumnarBatch batch) throws Exception {
    RmmFaults.failAllocation(0, RmmFaults.OUT_OF_MEMORY);
    columnarEval(udf, batch).close();
    long allocations = RmmFaults.allocations();
    long before = RmmFaults.bytesAllocated();
    for (long n = 1; n <= allocations; n++) {
      RmmFaults.failAllocation(n, "com/nvidia/spark/rapids/jni/GpuRetryOOM");
      try {
        columnarEval(udf, batch).close();
        throw new AssertionError("memory was not short");
      } catch (Exception e) {
        if (!e.getCause().getClass().getSimpleName().equals("GpuRetryOOM")) {
          throw e;
        }
      }
      if (RmmFaults.bytesAllocated() != before) {
        throw new AssertionError(RmmFaults.bytesAllocated() - before + " bytes are left");
      }
    }
    RmmFaults.failAllocation(0, RmmFaults.OUT_OF_MEMORY);
  }

  private static ColumnarBatch batch(List<DataType> types, List<List<Object>> values)
      throws Exception {
    org.apache.spark.sql.vectorized.ColumnVector[] vectors =
        new org.apache.spark.sql.vectorized.ColumnVector[types.size()];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] =
          (org.apache.spark.sql.vectorized.ColumnVector)
              vectorClass()
                  .getMethod("from", ColumnVector.class, DataType.class)
                  .invoke(null, Values.column(types.get(i), values.get(i)), types.get(i));
    }
    return new ColumnarBatch(vectors, ROWS);
  }

  private static Class<?> vectorClass() throws ClassNotFoundException {
    return Class.forName("com.nvidia.spark.rapids.GpuColumnVector");
  }

  private static ColumnVector base(Object vector) throws Exception {
    return (ColumnVector) vectorClass().getMethod("getBase").invoke(vector);
  }

  private static Object gpuScalaUdf(ScalaUDF planned, List<DataType> types) throws Exception {
    List<Expression> arguments = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      arguments.add(
          Class.forName("com.nvidia.spark.rapids.GpuBoundReference")
              .asSubclass(Expression.class)
              .getConstructor(int.class, DataType.class, boolean.class, ExprId.class, String.class)
              .newInstance(i, types.get(i), true, NamedExpression$.MODULE$.newExprId(), "a" + i));
    }
    return Class.forName("org.apache.spark.sql.rapids.GpuScalaUDF")
        .getConstructor(
            RapidsUDF.class, DataType.class, Seq.class, Option.class, boolean.class, boolean.class)
        .newInstance(
            planned.function(),
            planned.dataType(),
            CollectionConverters.asScala(arguments).toList(),
            planned.udfName(),
            planned.nullable(),
            planned.udfDeterministic());
  }

  private static AutoCloseable columnarEval(Object udf, ColumnarBatch batch) throws Exception {
    try {
      return (AutoCloseable)
          udf.getClass().getMethod("columnarEval", ColumnarBatch.class).invoke(udf, batch);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
