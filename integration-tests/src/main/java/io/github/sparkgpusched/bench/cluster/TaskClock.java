package io.github.sparkgpusched.bench.cluster;

import java.util.Map;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * A Spark plugin that notes when an executor of one core began its last task. It comes before the
 * plugin that is measured, which gives the core back then.
 */
public final class TaskClock implements SparkPlugin {
  private static volatile long startedNanos;

  /** Of the task at hand, by this JVM's clock. */
  static long startedNanos() {
    return startedNanos;
  }

  @Override
  public DriverPlugin driverPlugin() {
    return null;
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new Clock();
  }

  private static final class Clock implements ExecutorPlugin {
    @Override
    public void init(PluginContext context, Map<String, String> conf) {}

    @Override
    public void onTaskStart() {
      startedNanos = System.nanoTime();
    }
  }
}
