package io.github.sparkgpusched.runtime;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.load.FirstLine;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.load.Work;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Counts what a task has computed on the executor's guest device: one that another plugin owns and
 * schedules. Begins with the first batch of a task, and ends with the task. Thread-safe.
 */
public final class GuestLoad {
  private final ExecutorRuntime runtime;
  private final LoadEntry entry;
  private final String udf;
  private final List<LoadAccumulator> accumulators;

  /** Whose work is counted; null before the first batch and outside of tasks. */
  @GuardedBy("this")
  private TaskWork work;

  /**
   * Of the running executor's guest device, if it has one.
   *
   * @param udf what is computed, as users call it
   * @param accumulators get the work, too
   */
  public GuestLoad(String udf, List<LoadAccumulator> accumulators) {
    this.udf = udf;
    this.accumulators = accumulators;
    runtime = ExecutorRuntime.current();
    entry = runtime.guest();
  }

  /**
   * A batch of the calling thread's task begins; it ends by {@link #end}, {@link #giveUp} or {@link
   * #fail}.
   */
  public void begin(long startNanos) {
    if (entry != null) {
      entry.beginBlock(startNanos);
    }
  }

  /** A batch was computed. */
  public void end(long rows, long startNanos) {
    if (entry == null) {
      return;
    }
    long endNanos = System.nanoTime();
    TaskContext task = TaskContext.get();
    entry.endBlock(rows, startNanos, endNanos, false, task == null ? null : work(task));
    if (task != null) {
      LoadAccumulator.Entry done =
          new LoadAccumulator.Entry(
              SparkEnv.get().executorId() + "/" + entry.device(),
              new Work(rows, 1, 0, endNanos - startNanos));
      accumulators.forEach(accumulator -> accumulator.add(done));
    }
  }

  /** A batch was given up, as its rows come again; its time counts. */
  public void giveUp(long startNanos) {
    if (entry != null) {
      entry.endUnpublished(startNanos, System.nanoTime());
    }
  }

  /** A batch failed. */
  public void fail(long startNanos, Throwable error) {
    if (entry != null) {
      TaskContext task = TaskContext.get();
      TaskWork failed = task == null ? null : work(task);
      entry.endFailure(startNanos, System.nanoTime(), failed, FirstLine.of(error));
    }
  }

  /** What has gone on inside of the device so far. */
  public void inner(InnerLoad inner) {
    if (entry != null) {
      entry.setInner(inner);
    }
  }

  private synchronized TaskWork work(TaskContext task) {
    if (work == null) {
      TaskWork begun =
          runtime.load().task(udf, task.stageId(), task.stageAttemptNumber(), task.taskAttemptId());
      TaskCompletionListener end =
          ended -> runtime.load().endTask(begun, ended.isFailed() || ended.isInterrupted());
      task.addTaskCompletionListener(end);
      work = begun;
    }
    return work;
  }
}
