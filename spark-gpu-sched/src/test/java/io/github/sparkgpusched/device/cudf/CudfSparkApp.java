package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmAllocationMode;
import com.nvidia.spark.RapidsUDF;
import com.nvidia.spark.rapids.jni.GpuRetryOOM;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import io.github.sparkgpusched.testing.Patience;
import io.github.sparkgpusched.testing.SparkSurfaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;

/**
 * A Spark application beside a plugin that is called as RAPIDS is: tasks compute a call as RAPIDS
 * would, by the function of the physical plan, on cuDF's columns. Prints what the executor's
 * devices did. Status 0 if all results are right.
 */
final class CudfSparkApp {
  private static final int TASKS = 4;
  private static final int ROWS = 500;

  private CudfSparkApp() {}

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
        SparkSurfaces.configure(SparkSession.builder())
            .master("local[2]")
            .config("spark.log.level", "INFO")
            .config(
                "spark.plugins",
                "io.github.sparkgpusched.GpuSchedPlugin,com.nvidia.spark.SQLPlugin")
            .config("spark.gpusched.devices", System.getenv("DEVICES"))
            .config("spark.gpusched.cuda.cacheDir", System.getenv("TMPDIR") + "/kernels");
    try (SparkSession spark = builder.getOrCreate()) {
      spark.udf().register("ma", new MultiplyAdd(), DataTypes.DoubleType);
      RapidsUDF function =
          (RapidsUDF)
              calls(
                      spark
                          .sql("select ma(id / 7D, id / 3D, 1.5D) from range(10)")
                          .queryExecution()
                          .sparkPlan())
                  .get(0)
                  .function();
      List<Integer> tasks = new ArrayList<>();
      for (int task = 0; task < TASKS; task++) {
        tasks.add(task);
      }
      JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
      context.parallelize(List.of(TASKS), 1).foreach(task -> runShort(function, task));
      context.parallelize(tasks, TASKS).foreach(task -> compute(function, task));
      LoadAccumulator.of(spark.sparkContext())
          .value()
          .forEach((device, work) -> System.out.println("WORK " + device + ": " + work));
      System.out.println("LOAD " + awaitLoad(spark));
      SparkSurfaces.print(spark, "rapids:0", TASKS * ROWS);
    }
    System.out.println(Rmm.getTotalBytesAllocated() + " bytes are left");
  }

  /** The calls that RAPIDS finds in a physical plan, before its own rules. */
  static List<ScalaUDF> calls(SparkPlan plan) {
    List<ScalaUDF> found = new ArrayList<>();
    plan.foreach(
        node -> {
          node.expressions()
              .foreach(
                  expression -> {
                    expression.foreach(
                        part -> {
                          // By its very class: RAPIDS knows no other.
                          if (part.getClass() == ScalaUDF.class
                              && ((ScalaUDF) part).function() instanceof RapidsUDF) {
                            found.add((ScalaUDF) part);
                          }
                          return null;
                        });
                    return null;
                  });
          return null;
        });
    return found;
  }

  /** Memory is short, as RAPIDS says it: its exception comes through, and it tries again. */
  private static void runShort(RapidsUDF function, int task) {
    try (ColumnVector a = Values.column(DataTypes.DoubleType, List.of(1D, 2D, 3D))) {
      RmmFaults.failAllocation(1, "com/nvidia/spark/rapids/jni/GpuRetryOOM");
      function.evaluateColumnar(3, a, a, a).close();
      throw new AssertionError("there was memory for task " + task);
    } catch (GpuRetryOOM expected) {
      RmmFaults.failAllocation(0, RmmFaults.OUT_OF_MEMORY);
    }
  }

  private static void compute(RapidsUDF function, int task) {
    Random random = new Random(task);
    List<List<Object>> values = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      values.add(Values.some(DataTypes.DoubleType, ROWS, 1, random));
    }
    try (ColumnVector a = Values.column(DataTypes.DoubleType, values.get(0));
        ColumnVector b = Values.column(DataTypes.DoubleType, values.get(1));
        ColumnVector c = Values.column(DataTypes.DoubleType, values.get(2));
        ColumnVector result = function.evaluateColumnar(ROWS, a, b, c);
        HostColumnVector host = result.copyToHost()) {
      for (int row = 0; row < ROWS; row++) {
        Object expected = null;
        if (values.get(0).get(row) != null
            && values.get(1).get(row) != null
            && values.get(2).get(row) != null) {
          expected =
              new MultiplyAdd()
                  .call(
                      (Double) values.get(0).get(row),
                      (Double) values.get(1).get(row),
                      (Double) values.get(2).get(row));
        }
        Object actual = HostValues.get(host, DataTypes.DoubleType, row);
        if (expected == null ? actual != null : !expected.equals(actual)) {
          throw new AssertionError("row " + row + ": " + actual + ", not " + expected);
        }
      }
    }
  }

  /** The devices as SQL shows them, once the driver knows of all rows. */
  private static List<String> awaitLoad(SparkSession spark) throws InterruptedException {
    long until = System.nanoTime() + Patience.NANOS;
    List<String> devices;
    do {
      TimeUnit.MILLISECONDS.sleep(50);
      devices =
          spark
              .sql("select device, rows, blocks, failures from gpusched_load()")
              .collectAsList()
              .stream()
              .map(
                  row ->
                      "%s %s rows %s blocks %s failures"
                          .formatted(row.get(0), row.get(1), row.get(2), row.get(3)))
              .sorted()
              .toList();
    } while (devices.stream().noneMatch(device -> device.startsWith("rapids:0 " + TASKS * ROWS))
        && System.nanoTime() < until);
    return devices;
  }
}
