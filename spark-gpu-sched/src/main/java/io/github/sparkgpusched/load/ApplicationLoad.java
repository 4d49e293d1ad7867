package io.github.sparkgpusched.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;

/**
 * The application's load table on the driver: the last report of each executor and how old it is,
 * and what was reported over time. All that it keeps is bounded: of what is most, the oldest is
 * forgotten, and stays in the sums.
 *
 * <p>Thread-safe: messages and listeners write, pages and queries read, and one lock, this
 * object's, guards all parts, so that a view is of one moment. Nothing of others is called under
 * it.
 */
public final class ApplicationLoad {
  /** In place of a query's id: Spark's are 0 and more. */
  public static final long NO_QUERY = -1;

  /**
   * How much is kept.
   *
   * @param endedExecutors executors that have ended
   * @param spans spans of blocks
   * @param stages stage attempts, and as many queries
   * @param events device events
   */
  public record Limits(int endedExecutors, int spans, int stages, int events) {}

  @GuardedBy("this")
  private final ExecutorTable executors;

  @GuardedBy("this")
  private final StageTable stages;

  @GuardedBy("this")
  private final QueryTable queries;

  @GuardedBy("this")
  private final Happenings happenings;

  /** The most that {@link #reportedView} has told. Grows only. */
  @GuardedBy("this")
  private Waste toldWaste = Waste.NONE;

  public ApplicationLoad(Limits limits) {
    executors = new ExecutorTable(limits.endedExecutors());
    stages = new StageTable(limits.stages());
    queries = new QueryTable(limits.stages());
    happenings = new Happenings(limits.spans(), limits.events());
  }

  /**
   * Takes an executor's report; one that is older than the last is ignored, and so is one of an
   * executor that was forgotten. One that has ended stays so, whatever it still reports.
   *
   * @return what has happened since the report before
   */
  public synchronized List<DeviceEvent> update(ExecutorLoad report, long nowNanos) {
    ExecutorLoad before = executors.lastReceived(report.executorId());
    if (!executors.update(report, nowNanos)) {
      return List.of();
    }
    report.running().forEach(stages::addRun);
    report.running().forEach(queries::addRun);
    report.failedTasks().forEach(stages::addRun);
    report.failedTasks().forEach(queries::addWaste);
    if (queries.isTimeToLook(nowNanos)) {
      queries.look(executors.running(), nowNanos);
    }
    return happenings.add(before, report);
  }

  /** True if an executor has reported and has not ended. */
  public synchronized boolean isRunning(String executorId) {
    return executors.isRunning(executorId);
  }

  /** Adds an event that was not in a report. */
  public synchronized void addEvent(DeviceEvent event) {
    happenings.addEvent(event);
  }

  /**
   * Adds spans that were not in a report.
   *
   * @param leftOutBlocks blocks that were left out where these were written down
   */
  public synchronized void addSpans(List<LoadView.Span> more, long leftOutBlocks) {
    more.forEach(happenings::addSpan);
    happenings.addLeftOut(leftOutBlocks);
  }

  /**
   * An executor has ended: what it computed after its last report is not known, and what it
   * computed for tasks that did not succeed was in vain.
   *
   * @return its last report as it is written down, or null if there is none
   */
  public synchronized ExecutorLoad executorEnded(String executorId, long nowNanos) {
    return executors.end(executorId, nowNanos);
  }

  /** The application has ended: all of its devices have. */
  public synchronized void applicationEnded(long nowNanos) {
    executors.applicationEnded(nowNanos);
  }

  /**
   * Counts a plan in which a call stays row by row.
   *
   * @return true if this was the first with this UDF and reason, and is kept
   */
  public synchronized boolean addFallback(String udf, String reason) {
    return happenings.addFallback(udf, reason);
  }

  /** Adds what a device did for a successful task of a stage. */
  public synchronized void addStageWork(int stageId, int attempt, String device, Work work) {
    stages.addWork(stageId, attempt, device, work);
  }

  /**
   * Counts a successful task of a stage that had rows computed.
   *
   * @param executorId where it ran
   * @param partition which part of the stage it was
   * @param work of all devices for it
   * @return the executor whose work turns out to have been in vain, as this task repeats it; null
   *     if there is none
   */
  public synchronized String addStageTask(
      int stageId, int attempt, String executorId, int partition, Work work) {
    stages.addTask(stageId, attempt);
    queries.addTask(stageId, attempt, work);
    return executors.addTask(stageId, partition, executorId, work);
  }

  /** Counts a successful task of a stage, whether it had rows computed or not. */
  public synchronized void stageTaskEnded(int stageId, int attempt) {
    queries.taskEnded(stageId, attempt);
  }

  /** A task that had rows computed has succeeded: it does not run any more. */
  public synchronized void taskEnded(String executorId, long taskId) {
    executors.taskEnded(executorId, taskId);
  }

  /** A task ended because its executor was lost. */
  public synchronized void addLostTask(String executorId) {
    executors.addLostTask(executorId);
  }

  /**
   * A stage attempt has begun.
   *
   * @param tasks how many it has
   */
  public synchronized void stageBegun(int stageId, int attempt, String name, int tasks) {
    stages.begin(stageId, attempt, name, tasks);
  }

  /**
   * A stage attempt has ended.
   *
   * @param failure why it failed; null if it did not
   * @return its load, or null if devices computed nothing for it, as far as executors have reported
   */
  public synchronized StageLoad stageEnded(int stageId, int attempt, String failure) {
    queries.stageEnded(stageId, attempt);
    return stages.complete(stageId, attempt, failure);
  }

  /**
   * The loads of stages of which {@link #stageEnded} knew none, and an executor has reported since
   * that it computed for them. Each is told once.
   */
  public synchronized List<StageLoad> takeLateStages() {
    return stages.takeLate();
  }

  /**
   * A query has begun.
   *
   * @param id Spark's id of its execution
   * @param user who asks for it, and by which session, as far as is known
   * @param timeMillis when, in milliseconds since 1970
   */
  public synchronized void queryBegun(long id, String description, String user, long timeMillis) {
    queries.begin(id, description, user, timeMillis);
  }

  /** What is said of a query that runs; empty if nothing is. */
  public synchronized String queryDescription(long id) {
    return queries.description(id);
  }

  /** A query's plan has calls that devices compute. */
  public synchronized void queryComputes(long id, List<String> udfs) {
    queries.computes(id, udfs);
  }

  /**
   * A stage attempt has begun; to be called before any of its tasks succeeds.
   *
   * @param id the query that it is of, or {@link #NO_QUERY}
   */
  public synchronized void queryStage(
      long id, int stageId, int attempt, long timeMillis, int tasks) {
    queries.stageBegun(id, stageId, attempt, timeMillis, tasks);
  }

  /**
   * A query has ended.
   *
   * @param failure why it failed; null if it did not
   * @return its load, or null if devices computed nothing for it
   */
  public synchronized QueryLoad queryEnded(long id, long timeMillis, String failure) {
    return queries.end(id, timeMillis, failure);
  }

  /**
   * The loads of queries of which more became known since {@link #queryEnded}, or since this was
   * called.
   */
  public synchronized List<QueryLoad> takeLateQueries() {
    return queries.takeLate();
  }

  /** Puts a query's load as it was written down. */
  public synchronized void restoreQuery(QueryLoad load) {
    queries.restore(load);
  }

  /** Puts a stage's load as it was written down. */
  public synchronized void restoreStage(StageLoad load) {
    stages.restore(load);
  }

  /**
   * Puts an executor's report as it was written down, without its effect on events and utilisation;
   * nothing if the executor was forgotten.
   *
   * @param utilisation in percent of the axis' intervals, by device
   */
  public synchronized void restoreExecutor(
      ExecutorLoad report,
      long axisStartMillis,
      long bucketMillis,
      List<List<Integer>> utilisation) {
    executors.restore(report, axisStartMillis, bucketMillis, utilisation);
  }

  /** Everything, now. */
  public LoadView view(long nowNanos, long timeMillis) {
    return view(nowNanos, timeMillis, false);
  }

  /**
   * Everything as it was last reported, without utilisation: of devices, of the sums over them, and
   * of what was wasted, no counter ever goes down.
   */
  public LoadView reportedView(long nowNanos, long timeMillis) {
    return view(nowNanos, timeMillis, true);
  }

  private synchronized LoadView view(long nowNanos, long timeMillis, boolean asReported) {
    LoadView.Builder view = new LoadView.Builder();
    view.timeMillis = timeMillis;
    executors.fill(view, nowNanos, asReported);
    if (asReported) {
      // Of an executor that has ended, a task's success may be heard of late: its work was of use.
      toldWaste = toldWaste.atLeast(view.wasted);
      view.wasted = toldWaste;
    }
    happenings.fill(view);
    view.stages = stages.loads(executors.running());
    view.queries = queries.loads(executors.running(), nowNanos, timeMillis);
    return view.build();
  }

  /** The queries alone, now. */
  public synchronized List<QueryLoad> queries(long nowNanos, long timeMillis) {
    return queries.loads(executors.running(), nowNanos, timeMillis);
  }

  /** The devices alone, now, without their utilisation. */
  public synchronized List<LoadView.Device> devices(long nowNanos) {
    return executors.devices(nowNanos, null);
  }

  /** What is written down of an executor, now; null if it has not reported. */
  public synchronized WrittenExecutor written(String executorId, long nowNanos, long timeMillis) {
    return executors.written(executorId, nowNanos, timeMillis);
  }

  /** The executors that have reported and are not forgotten; those that have ended come last. */
  public synchronized List<String> executorIds() {
    return executors.ids();
  }
}
