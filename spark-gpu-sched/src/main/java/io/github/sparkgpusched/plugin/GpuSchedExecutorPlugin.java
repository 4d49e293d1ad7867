package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.config.DeviceKeys;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.RemoteKeys;
import io.github.sparkgpusched.config.StrategyKeys;
import io.github.sparkgpusched.config.UiKeys;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.remote.Home;
import io.github.sparkgpusched.device.remote.RemoteExecutors;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.runtime.TextDevices;
import io.github.sparkgpusched.schedule.LaunchPolicy;
import io.github.sparkgpusched.schedule.Placements;
import io.github.sparkgpusched.schedule.Strategies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/** Owns the executor's runtime, and tells its scheduler which tasks run. */
public final class GpuSchedExecutorPlugin implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(GpuSchedExecutorPlugin.class);

  /** Cores of the task that runs on a thread; Spark calls the hooks of a task on its thread. */
  private static final ThreadLocal<Integer> TASK_CORES = new ThreadLocal<>();

  /** Least time between two reports of load to the driver. */
  private static final long REPORT_MILLIS = 250;

  /** The executor's id where it is the driver: in local mode. */
  private static final String DRIVER = "driver";

  /** Null if it could not be set up. */
  private ExecutorRuntime runtime;

  /** Null if load is not reported. */
  private PluginContext reportedTo;

  /** Null if this executor shares nothing with others. */
  private RemoteExecutors remote;

  /**
   * @throws IllegalStateException in local mode, if a device that is named is not there: the
   *     application stops. Elsewhere the executor goes on, and its tasks fail with that error: one
   *     that ended would be started again for ever
   */
  @Override
  public void init(PluginContext context, Map<String, String> extra) {
    send(context, GpuSchedDriverPlugin.LOADED);
    try {
      start(context, GpuSchedConfig.from(extra));
    } catch (RuntimeException | LinkageError e) { // devices of other kinds may throw any
      close();
      remote = null;
      runtime = null;
      if (context.executorID().equals(DRIVER)) {
        throw e;
      }
      LOG.error("Tasks with GPU UDFs will fail on this executor: {}", e.toString(), e);
      String why = e.getMessage() == null ? e.toString() : e.getMessage();
      ExecutorRuntime.refuse("executor " + context.executorID() + ": " + why);
    }
  }

  private void start(PluginContext context, GpuSchedConfig config) {
    int devices = config.get(DeviceKeys.HOST_DEVICES);
    int cores = devices > 0 ? devices : ExecutorCores.of(context.conf());
    List<CallDevice> ownDevices = Kinds.all().find(config, resources(context), conf(context));
    List<CallDevice> launchDevices = new ArrayList<>(ownDevices);
    remote = RemoteCores.join(context, config);
    if (remote != null) {
      launchDevices.addAll(remote.devices());
    }
    runtime =
        ExecutorRuntime.start(
            cores,
            launchDevices,
            RapidsDevice.name(context, config, ownDevices.size()),
            config.get(StrategyKeys.BLOCK_TARGET_MICROS),
            new Strategies.Options(config.get(StrategyKeys.STRATEGY_FIXED_ROWS)),
            new LaunchPolicy(
                Placements.byName(
                    config.get(DeviceKeys.PLACEMENT),
                    Thread.currentThread().getContextClassLoader()),
                config.get(DeviceKeys.DEVICES).withHost(),
                config.get(DeviceKeys.HOST_FALLBACK),
                TimeUnit.MILLISECONDS.toNanos(config.get(DeviceKeys.DEVICE_TIMEOUT_MILLIS))));
    if (config.get(UiKeys.ENABLED)) {
      ExecutorMetrics metrics = new ExecutorMetrics(context.metricRegistry(), runtime.load());
      // Before the first report: a driver that knows the devices knows this too.
      send(context, TextDevices.of(context.executorID(), ownDevices));
      runtime.reportTo(
          context.executorID(),
          REPORT_MILLIS,
          report -> {
            metrics.reported(report);
            context.send(report);
          });
      reportedTo = context;
    }
    // Last: what lanes do is reported.
    if (remote != null) {
      runtime.borrowFrom(remote::cores);
      remote.begin(
          new Home(
              runtime.scheduler(),
              runtime.load(),
              SparkEnv.get().memoryManager(),
              SparkEnv.get().conf().getDouble("spark.memory.storageFraction", 0.5),
              cores * config.get(RemoteKeys.REMOTE_LENT_PERCENT) / 100,
              ownDevices,
              runtime.targetBlockNanos(),
              runtime::guestStarted,
              runtime::guestEnded));
    }
  }

  /** Addresses that Spark assigned to this executor, by the resource's name. */
  private static Map<String, List<String>> resources(PluginContext context) {
    Map<String, List<String>> addresses = new HashMap<>();
    context
        .resources()
        .forEach((name, assigned) -> addresses.put(name, List.of(assigned.addresses())));
    return addresses;
  }

  private static Map<String, String> conf(PluginContext context) {
    Map<String, String> all = new HashMap<>();
    for (Tuple2<String, String> entry : context.conf().getAll()) {
      all.put(entry._1(), entry._2());
    }
    return all;
  }

  private static void send(PluginContext context, Object message) {
    try {
      context.send(message);
    } catch (Exception e) {
      // What the driver is told is good to know; work does not depend on it.
      LOG.warn("Cannot tell the driver {}", message, e);
    }
  }

  @Override
  public void onTaskStart() {
    TaskContext task = TaskContext.get();
    int cores = task == null ? 1 : task.cpus();
    if (runtime != null) {
      TASK_CORES.set(cores);
      runtime.taskStarted(cores);
      if (remote != null) {
        remote.taskStarted();
      }
    }
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
      if (remote != null) {
        remote.taskEnded();
      }
    }
  }

  /** Ends what has begun. */
  private void close() {
    if (remote != null) {
      remote.close();
    }
    if (runtime != null) {
      runtime.close();
    }
  }

  @Override
  public void shutdown() {
    ExecutorRuntime.refuse(null);
    close();
    if (reportedTo != null) {
      send(reportedTo, new LastReport(reportedTo.executorID()));
    }
  }
}
