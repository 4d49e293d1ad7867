package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.device.cuda.CudaDevices;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.schedule.LaunchPolicy;
import io.github.sparkgpusched.schedule.Placements;
import io.github.sparkgpusched.schedule.strategy.Strategies;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owns the executor's runtime, and tells its scheduler which tasks run. */
public final class GpuSchedExecutorPlugin implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(GpuSchedExecutorPlugin.class);

  /** Cores of the task that runs on a thread; Spark calls the hooks of a task on its thread. */
  private static final ThreadLocal<Integer> TASK_CORES = new ThreadLocal<>();

  /** Least time between two reports of load to the driver. */
  private static final long REPORT_MILLIS = 250;

  private ExecutorRuntime runtime;

  @Override
  public void init(PluginContext context, Map<String, String> extra) {
    tellDriver(context);
    GpuSchedConfig config = GpuSchedConfig.from(extra);
    int devices = config.get(GpuSchedConfig.HOST_DEVICES);
    runtime =
        ExecutorRuntime.start(
            devices > 0 ? devices : ExecutorCores.of(context.conf()),
            CudaDevices.find(CudaConfig.of(config, context.resources())),
            config.get(GpuSchedConfig.BLOCK_TARGET_MICROS),
            config.get(GpuSchedConfig.STRATEGY),
            new Strategies.Options(
                config.get(GpuSchedConfig.STRATEGY_FIXED_ROWS),
                config.get(GpuSchedConfig.STRATEGY_TREE_MAX_STEP_ROWS),
                config.get(GpuSchedConfig.STRATEGY_DEQUE_GRAIN_ROWS)),
            new LaunchPolicy(
                Placements.byName(
                    config.get(GpuSchedConfig.PLACEMENT),
                    Thread.currentThread().getContextClassLoader()),
                config.get(GpuSchedConfig.DEVICES).withHost(),
                config.get(GpuSchedConfig.HOST_FALLBACK),
                TimeUnit.MILLISECONDS.toNanos(config.get(GpuSchedConfig.DEVICE_TIMEOUT_MILLIS))));
    if (config.get(GpuSchedConfig.UI_ENABLED)) {
      ExecutorMetrics metrics = new ExecutorMetrics(context.metricRegistry(), runtime.load());
      runtime.reportTo(
          context.executorID(),
          REPORT_MILLIS,
          report -> {
            metrics.reported(report);
            context.send(report);
          });
    }
  }

  private static void tellDriver(PluginContext context) {
    try {
      context.send(GpuSchedDriverPlugin.LOADED);
    } catch (Exception e) {
      // The driver only wants to know that the plugin was found; work does not depend on it.
      LOG.warn("Cannot tell the driver that the plugin was loaded", e);
    }
  }

  @Override
  public void onTaskStart() {
    TaskContext task = TaskContext.get();
    int cores = task == null ? 1 : task.cpus();
    TASK_CORES.set(cores);
    runtime.taskStarted(cores);
  }

  @Override
  public void onTaskSucceeded() {
    ended();
  }

  @Override
  public void onTaskFailed(TaskFailedReason reason) {
    ended();
  }

  private void ended() {
    Integer cores = TASK_CORES.get();
    if (cores != null) {
      TASK_CORES.remove();
      runtime.taskEnded(cores);
    }
  }

  @Override
  public void shutdown() {
    if (runtime != null) {
      runtime.close();
    }
  }
}
