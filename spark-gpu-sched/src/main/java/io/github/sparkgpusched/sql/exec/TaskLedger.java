package io.github.sparkgpusched.sql.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.runtime.TaskLoad;
import io.github.sparkgpusched.schedule.Account;
import io.github.sparkgpusched.schedule.JobSpec;
import io.github.sparkgpusched.schedule.JobStats;
import io.github.sparkgpusched.schedule.strategy.Pace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.TaskFailureListener;

/**
 * What all batches of one partition of a batched node have in common: the task's copies of the
 * UDFs, what their jobs may ask for, and where it is counted what they did. Used by the thread that
 * reads the task's rows, but for the copies, and for {@link #own}, which any thread may call.
 */
final class TaskLedger {
  private final BatchSpec spec;
  private final TaskContext task;
  private final ExecutorRuntime runtime = ExecutorRuntime.current();
  private final TaskVisit.Home home;
  private final PerThread<List<GpuUdf>> udfs;

  /** What the accumulators get. */
  private final TaskLoad load;

  private final Pace pace;
  private final Account account;
  private final PlacementHints hints;
  private final boolean mayRunTwice;

  /** What the task has computed, for the load table; null if nobody wants to know. */
  private final TaskWork work;

  /** Batches that have been begun. */
  private long batches;

  /** Those that the task closes when it ends; null from then on. */
  @GuardedBy("this")
  private Deque<TaskBatches> owned = new ArrayDeque<>();

  TaskLedger(BatchSpec spec, TaskContext task) {
    this.spec = spec;
    this.task = task;
    this.home = TaskVisit.Home.here(task);
    this.udfs = spec.copies().of(spec.calls(), home);
    this.work = startWork();
    this.load = new TaskLoad(runtime, SparkEnv.get().executorId(), spec.load());
    task.addTaskCompletionListener(
        context -> {
          load.flush();
          if (work != null) {
            // Spark looks for a kill once more behind this, when the last row is read.
            runtime.load().endTask(work, context.isFailed() || context.isInterrupted());
          }
        });
    if (work != null) {
      TaskFailureListener failed = (context, error) -> tellOf(error);
      task.addTaskFailureListener(failed);
    }
    // Spark's listeners run last first. Batches may be made later, by a thread that another one
    // waits for: with a listener of their own they would be freed while it still reads them.
    TaskCompletionListener ended = context -> endOwned();
    task.addTaskCompletionListener(ended);
    PlacementHints most = spec.calls().get(0).hints();
    for (CallSpec call : spec.calls()) {
      most = most.and(call.hints());
    }
    this.hints = most;
    this.mayRunTwice = spec.calls().stream().allMatch(CallSpec::mayRunTwice);
    this.account = new Account(spec.weight() * Math.scalb(1.0, hints.priority()));
    this.pace = runtime.pace(spec.functions());
  }

  private TaskWork startWork() {
    if (!spec.surfaced()) {
      return null;
    }
    String names =
        spec.calls().stream()
            .map(c -> c.call().name())
            .distinct()
            .collect(Collectors.joining(", "));
    return runtime
        .load()
        .task(names, task.stageId(), task.stageAttemptNumber(), task.taskAttemptId());
  }

  /** Blocks tell of their own errors; a row that is computed where it is is in none. */
  private void tellOf(Throwable error) {
    for (CallSpec call : spec.calls()) {
      UdfErrors.reason(error, call.call().name())
          .ifPresent(reason -> runtime.load().failedInline(work, reason));
    }
  }

  /** The batches end when the task does: now, if it has. */
  void own(TaskBatches batches) {
    synchronized (this) {
      if (owned != null) {
        owned.push(batches);
        return;
      }
    }
    batches.taskEnded();
  }

  /** Outside of the lock, as batches that end wait for whoever computes them. */
  private void endOwned() {
    Deque<TaskBatches> ending;
    synchronized (this) {
      ending = owned;
      owned = null;
    }
    end(ending);
  }

  private static void end(Deque<TaskBatches> ending) {
    if (!ending.isEmpty()) {
      try {
        ending.pop().taskEnded();
      } finally {
        end(ending);
      }
    }
  }

  TaskContext task() {
    return task;
  }

  /**
   * Whether nobody wants the task's rows any more: it was killed, or has ended while another thread
   * reads them. Any thread.
   */
  boolean isOver() {
    return task.isInterrupted() || task.isCompleted();
  }

  TaskVisit.Home home() {
    return home;
  }

  /** The calling thread's copies of the UDFs, one for each call. */
  List<GpuUdf> udfs() {
    return udfs.get();
  }

  TaskWork work() {
    return work;
  }

  /** The number of a batch that begins, from 1. */
  long nextBatch() {
    return ++batches;
  }

  /** How the task's jobs are to be computed. */
  JobSpec.Builder settings(JobSpec.Builder job) {
    return job.cancelled(this::isOver)
        .strategy(runtime.strategy(spec.strategy()))
        .pace(pace)
        .account(account)
        .hints(hints)
        .mayRunTwice(mayRunTwice);
  }

  /** Bytes of execution memory that the task has if all others take as much. */
  long shareOfMemory() {
    MemoryManager manager = SparkEnv.get().memoryManager();
    long all;
    synchronized (manager) { // what is for storage is what execution does not have at the moment
      all =
          manager.tungstenMemoryMode() == MemoryMode.ON_HEAP
              ? manager.maxOnHeapStorageMemory() + manager.onHeapExecutionMemoryUsed()
              : manager.maxOffHeapStorageMemory() + manager.offHeapExecutionMemoryUsed();
    }
    return all / runtime.cores();
  }

  /** A job of the task has ended. */
  void add(JobStats job) {
    spec.metrics().add(job, runtime.cores(), runtime.load());
    load.add(job);
  }

  /** A core has computed rows of the task in place. */
  void countInline(int core, long rows, long startNanos, long endNanos) {
    spec.metrics().addInline(rows, endNanos - startNanos);
    load.addInline(core, rows, endNanos - startNanos);
    runtime.load().entry(core).addInline(rows, startNanos, endNanos, work);
  }
}
