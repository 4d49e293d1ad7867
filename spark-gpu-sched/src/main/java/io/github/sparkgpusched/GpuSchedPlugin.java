package io.github.sparkgpusched;

import io.github.sparkgpusched.plugin.GpuSchedDriverPlugin;
import io.github.sparkgpusched.plugin.GpuSchedExecutorPlugin;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * The name that users set: {@code spark.plugins=io.github.sparkgpusched.GpuSchedPlugin}. Nothing
 * else is needed.
 */
public final class GpuSchedPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new GpuSchedDriverPlugin();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new GpuSchedExecutorPlugin();
  }
}
