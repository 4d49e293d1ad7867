package io.github.sparkgpusched.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.DeviceEvent;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.QueryLoad;
import io.github.sparkgpusched.load.StageLoad;
import io.github.sparkgpusched.load.Work;
import io.github.sparkgpusched.load.WrittenExecutor;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import io.github.sparkgpusched.ui.GpuSchedDeviceEvent;
import io.github.sparkgpusched.ui.GpuSchedDevicesEvent;
import io.github.sparkgpusched.ui.GpuSchedFallbackEvent;
import io.github.sparkgpusched.ui.GpuSchedQueryEvent;
import io.github.sparkgpusched.ui.GpuSchedStageEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.Success$;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Brings what Spark tells into the application's load table, and what the table tells into the
 * event log, in bounded numbers. Thread-safe: Spark's listener bus and RPC threads call it. Its
 * lock puts an executor's reports and its end in one order for the table, the metrics and the log;
 * it is taken before theirs.
 */
final class LoadPublisher extends SparkListener {
  private static final int VERSION = 1;
  private static final String SQL_EXECUTION = "spark.sql.execution.id";
  private static final Properties NONE = new Properties();

  private final ApplicationLoad load;
  private final LoadMetrics metrics;
  private final Consumer<SparkListenerEvent> log;
  private final LongSupplier nanoTime;
  private final LongSupplier timeMillis;
  private final String user;
  private final int mostStages;
  private final int mostEvents;

  /** Executors that have ended, and of which more became known since. */
  @GuardedBy("this")
  private final Set<String> changedSinceLogged = new HashSet<>();

  @GuardedBy("this")
  private int loggedStages;

  /** Those that are in the log, by their ids: they are written again as more becomes known. */
  @GuardedBy("this")
  private final Set<Long> loggedQueries = new HashSet<>();

  /** By {@linkplain DeviceEvent#bound() bound}. */
  @GuardedBy("this")
  private final Map<String, Integer> loggedEvents = new HashMap<>();

  @GuardedBy("this")
  private final SpanLog spans = new SpanLog();

  @GuardedBy("this")
  private final Checkpoints checkpoints;

  @GuardedBy("this")
  private final Clocks clocks = new Clocks();

  /**
   * @param user who runs the application: of queries that do not say whose they are
   * @param log writes into the event log
   * @param nanoTime as {@link System#nanoTime}
   * @param timeMillis as {@link System#currentTimeMillis}
   */
  LoadPublisher(
      String user,
      ApplicationLoad load,
      LoadMetrics metrics,
      ApplicationLoad.Limits limits,
      Consumer<SparkListenerEvent> log,
      LongSupplier nanoTime,
      LongSupplier timeMillis) {
    this.user = user;
    this.load = load;
    this.metrics = metrics;
    this.log = log;
    this.mostStages = limits.stages();
    this.mostEvents = limits.events();
    this.nanoTime = nanoTime;
    this.timeMillis = timeMillis;
    this.checkpoints = new Checkpoints(nanoTime.getAsLong());
  }

  /**
   * An executor has reported; it may have ended meanwhile, as its messages and Spark's events take
   * different ways here.
   */
  synchronized void reported(ExecutorLoad sent) {
    ExecutorLoad report = clocks.byDriver(sent, timeMillis.getAsLong());
    List<DeviceEvent> happened = load.update(report, nanoTime.getAsLong());
    boolean running = load.isRunning(report.executorId());
    if (running && report.sequence() == 0) {
      logDevices(written(report.executorId()));
    }
    happened.forEach(this::logEvent);
    spans.add(report);
    load.takeLateStages().forEach(this::logStage);
    if (running) {
      metrics.reported(report);
    } else {
      changed(report.executorId());
      clocks.forget(report.executorId());
    }
    checkpoint();
  }

  /** Stages may take hours: whatever is heard of is an occasion. */
  private synchronized void checkpoint() {
    if (checkpoints.isDue(nanoTime.getAsLong())) {
      logChanges();
    }
  }

  /** What is known of an executor that has ended is to be written down again. */
  private synchronized void changed(String executorId) {
    if (changedSinceLogged.size() < mostEvents) {
      changedSinceLogged.add(executorId);
    }
  }

  private WrittenExecutor written(String executorId) {
    return load.written(executorId, nanoTime.getAsLong(), timeMillis.getAsLong());
  }

  private synchronized void logEvent(DeviceEvent event) {
    if (loggedEvents.merge(event.bound(), 1, Integer::sum) <= mostEvents) {
      log.accept(new GpuSchedDeviceEvent(VERSION, event));
    }
  }

  /** A plan has been made in which a call stays row by row. */
  void fallback(String udf, String reason) {
    if (load.addFallback(udf, reason)) {
      log.accept(new GpuSchedFallbackEvent(VERSION, udf, reason));
    }
  }

  @Override
  public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    clocks.forget(removed.executorId());
    WrittenExecutor before = written(removed.executorId());
    if (before == null) {
      load.executorEnded(
          removed.executorId(), nanoTime.getAsLong()); // its first report may be on its way
      return;
    }
    DeviceEvent ended =
        new DeviceEvent(
            removed.time(), removed.executorId(), "", DeviceEvent.ENDED, removed.reason());
    load.addEvent(ended);
    logEvent(ended);
    ExecutorLoad last = load.executorEnded(removed.executorId(), nanoTime.getAsLong());
    logDevices(before.with(last));
    metrics.executorEnded(removed.executorId());
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
    StageInfo info = submitted.stageInfo();
    Properties properties = submitted.properties() == null ? NONE : submitted.properties();
    String query = properties.getProperty(SQL_EXECUTION);
    load.stageBegun(
        info.stageId(), info.attemptNumber(), name(info, properties, query), info.numTasks());
    load.queryStage(
        query == null ? ApplicationLoad.NO_QUERY : Long.parseLong(query),
        info.stageId(),
        info.attemptNumber(),
        timeMillis.getAsLong(),
        info.numTasks());
  }

  /** The user's description, or else the query's: both say more than Spark's call site. */
  private String name(StageInfo info, Properties properties, String queryOrNull) {
    String description = properties.getProperty("spark.job.description");
    if (description != null) {
      return description;
    }
    String ofQuery = queryOrNull == null ? "" : load.queryDescription(Long.parseLong(queryOrNull));
    return ofQuery.isEmpty() ? info.name() : ofQuery;
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionStart start) {
      load.queryBegun(
          start.executionId(), start.description(), Users.of(start.jobTags(), user), start.time());
    } else if (event instanceof SparkListenerSQLExecutionEnd end) {
      String failure = end.errorMessage().getOrElse(() -> "");
      QueryLoad query =
          load.queryEnded(end.executionId(), end.time(), failure.isEmpty() ? null : failure);
      if (query != null) {
        logQuery(query);
      }
    }
  }

  private synchronized void logQuery(QueryLoad query) {
    if (loggedQueries.contains(query.id()) || loggedQueries.size() < mostStages) {
      loggedQueries.add(query.id());
      log.accept(new GpuSchedQueryEvent(VERSION, query));
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() instanceof ExecutorLostFailure) {
      load.addLostTask(end.taskInfo().executorId());
    } else if (end.reason() == Success$.MODULE$) {
      taskSucceeded(end);
    }
    if (!load.isRunning(end.taskInfo().executorId())) {
      changed(end.taskInfo().executorId()); // Spark tells of its end by another way
    }
  }

  private void taskSucceeded(SparkListenerTaskEnd end) {
    load.stageTaskEnded(end.stageId(), end.stageAttemptId());
    for (AccumulableInfo info : CollectionConverters.asJava(end.taskInfo().accumulables())) {
      if (info.name().isDefined()
          && info.name().get().equals(LoadAccumulator.NAME)
          && info.update().isDefined()
          && info.update().get() instanceof Map<?, ?> update
          && !update.isEmpty()) {
        addTask(end, update);
      }
    }
  }

  private void addTask(SparkListenerTaskEnd end, Map<?, ?> workByDevice) {
    Work all = Work.NONE;
    for (Map.Entry<?, ?> each : workByDevice.entrySet()) {
      Work work = (Work) each.getValue();
      load.addStageWork(end.stageId(), end.stageAttemptId(), (String) each.getKey(), work);
      all = all.plus(work);
    }
    load.taskEnded(end.taskInfo().executorId(), end.taskInfo().taskId());
    String inVain =
        load.addStageTask(
            end.stageId(),
            end.stageAttemptId(),
            end.taskInfo().executorId(),
            end.taskInfo().partitionId(),
            all);
    if (inVain != null) {
      changed(inVain);
    }
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted completed) {
    StageInfo info = completed.stageInfo();
    StageLoad stage =
        load.stageEnded(
            info.stageId(), info.attemptNumber(), info.failureReason().getOrElse(() -> null));
    synchronized (this) {
      if (stage != null) {
        logStage(stage);
      }
      checkpoint();
    }
  }

  private synchronized void logStage(StageLoad ended) {
    // Taken of those that are not written down, too: nobody else ever would.
    SpanLog.Taken taken = spans.stageEnded(ended.stageId(), ended.attempt());
    if (loggedStages++ < mostStages) {
      log.accept(new GpuSchedStageEvent(VERSION, ended, taken.spans(), taken.leftOutBlocks()));
    }
  }

  /** Writes down what has changed of what is in the log, or may have. */
  private synchronized void logChanges() {
    logAllDevices();
    // Executors tell of tasks that failed or were killed when Spark has said that the query ended.
    load.takeLateQueries().forEach(this::logQuery);
  }

  /** Writes down all executors as last reported, and those whose waste has changed since. */
  private synchronized void logAllDevices() {
    Set<String> changed = Set.copyOf(changedSinceLogged);
    changedSinceLogged.clear();
    for (String executorId : load.executorIds()) {
      if (changed.contains(executorId) || load.isRunning(executorId)) {
        logDevices(written(executorId));
      }
    }
  }

  /** The last spans, which belong to no stage that has ended. */
  synchronized void logRest() {
    SpanLog.Taken rest = spans.rest();
    if (!rest.spans().isEmpty() || rest.leftOutBlocks() > 0) {
      log.accept(new GpuSchedStageEvent(VERSION, null, rest.spans(), rest.leftOutBlocks()));
    }
    logChanges();
  }

  private void logDevices(WrittenExecutor written) {
    log.accept(
        new GpuSchedDevicesEvent(
            VERSION,
            written.report(),
            written.axisStartMillis(),
            written.bucketMillis(),
            written.utilisation(),
            !load.isRunning(written.report().executorId())));
  }
}
