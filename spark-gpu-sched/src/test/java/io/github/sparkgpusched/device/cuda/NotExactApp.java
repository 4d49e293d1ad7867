package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/**
 * A Spark application with one query, of a function that is not exact, on the devices that DEVICES
 * names. Prints how many of its {@link #ROWS} rows GPUs have computed: their result is larger by 1.
 */
final class NotExactApp {
  static final int ROWS = 60_000;

  /** Gives another result on a GPU, so that it can be told where a row was computed. */
  public static final class OneMoreOnGpus implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Long value) {
      return value;
    }

    @Override
    public Optional<CudaSource> cuda() {
      return Optional.of(
          CudaSource.text(
                  "__device__ long long one_more(long long value) { return value + 1; }",
                  "one_more")
              .notExact());
    }
  }

  private NotExactApp() {}

  public static void main(String[] arguments) {
    int status = 1;
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.devices", System.getenv("DEVICES"))
            // A device answers when g++ has compiled its first kernel for the host.
            .config("spark.gpusched.device.timeoutMillis", "60000")
            .config("spark.gpusched.cuda.cacheDir", System.getenv("TMPDIR") + "/kernels")
            .getOrCreate()) {
      spark.udf().register("one_more", new OneMoreOnGpus(), DataTypes.LongType);
      long onGpus =
          spark
              .sql("select sum(one_more(id) - id) from range(0, " + ROWS + ", 1, 4)")
              .collectAsList()
              .get(0)
              .getLong(0);
      System.out.println("ON GPUS: " + onGpus + " rows");
      status = 0;
    } catch (Throwable e) {
      e.printStackTrace(System.out);
    }
    System.out.flush();
    Runtime.getRuntime().halt(status);
  }
}
