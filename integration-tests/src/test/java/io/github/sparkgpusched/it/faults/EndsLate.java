package io.github.sparkgpusched.it.faults;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * In local mode, an executor that ends only when the driver waits for its last report, or if it
 * does not do so for two seconds. To be named before the plugin, which is shut down after it.
 */
public final class EndsLate implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return null;
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      @Override
      public void init(PluginContext context, Map<String, String> extra) {
        // nothing to do
      }

      @Override
      public void shutdown() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        while (!driverWaits() && System.nanoTime() < end) {
          Thread.onSpinWait();
        }
      }
    };
  }

  private static boolean driverWaits() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(frame -> frame.getClassName().endsWith(".LastReports"));
  }
}
