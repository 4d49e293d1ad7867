package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.testing.Patience;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * A Spark application of many tasks with few rows each, which wait for one GPU: their blocks share
 * launches. Repeats its query, of one kernel a launch, until some have. Status 0 if all answers are
 * plain Spark's.
 */
final class SmallTasksApp {
  private static final String QUERY =
      "select id, multiply_add(id / 7D, if(id % 5 = 0, null, 2D), 1D) from range(0, 20000, 1, 60)";

  private SmallTasksApp() {}

  public static void main(String[] arguments) {
    int status = 1;
    try {
      status = run() ? 0 : 2;
    } catch (Throwable e) {
      e.printStackTrace(System.out);
    }
    System.out.flush();
    Runtime.getRuntime().halt(status);
  }

  private static boolean run() throws Exception {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[6]")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.devices", "cuda:*")
            .config("spark.gpusched.batching", "always")
            .config("spark.gpusched.cuda.cacheDir", System.getenv("TMPDIR") + "/kernels");
    try (SparkSession spark = builder.getOrCreate()) {
      spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
      spark.sql("set spark.gpusched.enabled=false");
      List<Row> plain = spark.sql(QUERY).collectAsList();
      spark.sql("set spark.gpusched.enabled=true");
      long begin = System.nanoTime();
      long blocks;
      long launches;
      do {
        if (!spark.sql(QUERY).collectAsList().equals(plain)) {
          System.out.println("WRONG: " + QUERY);
          return false;
        }
        blocks =
            ExecutorRuntime.current().load().snapshot().stream()
                .filter(load -> load.device().equals("cuda:0"))
                .mapToLong(DeviceLoad::blocks)
                .sum();
        launches = DoubleFaults.kernels(0);
      } while (launches >= blocks && System.nanoTime() - begin < Patience.NANOS);
      System.out.println(launches + " launches of " + blocks + " blocks");
      return launches < blocks;
    }
  }
}
