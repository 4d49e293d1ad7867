package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.Cuda;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.device.cuda.ForeignGpu;
import org.apache.spark.SparkEnv;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The GPU that cuDF has in this process: one, for as long as the process lasts. */
final class CudfGpu {
  private static final Logger LOG = LoggerFactory.getLogger(CudfGpu.class);

  /** Null until it is first needed, and if it cannot be used. */
  @GuardedBy("CudfGpu.class")
  private static ForeignGpu gpu;

  /** It is not tried again: what is missing does not appear while a process runs. */
  @GuardedBy("CudfGpu.class")
  private static boolean tried;

  private CudfGpu() {}

  /** Opens it the first time; null if it cannot be used, which the log says once. */
  static synchronized ForeignGpu current() {
    if (!tried) {
      open(config());
    }
    return gpu;
  }

  /** Opens it with other settings than the application's. */
  static synchronized void open(GpuSchedConfig config) {
    tried = true;
    try {
      gpu = ForeignGpu.open(config, Cuda.getDevice(), Cuda.isPtdsEnabled());
      LOG.info("UDFs that RAPIDS plans are computed on its {}", gpu);
    } catch (RuntimeException e) {
      String reason = e instanceof IllegalStateException ? e.getMessage() : e.toString();
      LOG.warn("UDFs that RAPIDS plans are computed by their Java forms: {}", reason);
    }
  }

  private static GpuSchedConfig config() {
    SparkEnv spark = SparkEnv.get();
    return GpuSchedConfig.from(key -> spark == null ? null : spark.conf().get(key, null));
  }
}
