package io.github.sparkgpusched.runtime;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.load.Work;
import io.github.sparkgpusched.schedule.JobStats;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What devices did for one task and one batched node. Brings it to the accumulators now and then
 * and at the end, not with every batch: an accumulator looks devices up by name, which takes as
 * long as hundreds of rows of a cheap function. Thread-safe, as a task may read its batches from
 * another thread than the one that ends it.
 */
public final class TaskLoad {
  /** Spark sends a running task's accumulators to the driver less often than this. */
  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final ExecutorRuntime runtime;
  private final String executorId;
  private final List<LoadAccumulator> accumulators;

  /** By device, of jobs since the last flush. */
  @GuardedBy("this")
  private final Work[] work;

  @GuardedBy("this")
  private long flushedNanos = System.nanoTime();

  public TaskLoad(ExecutorRuntime runtime, String executorId, List<LoadAccumulator> accumulators) {
    this.runtime = runtime;
    this.executorId = executorId;
    this.accumulators = accumulators;
    work = new Work[runtime.load().size()];
    Arrays.fill(work, Work.NONE);
  }

  /** A job of the task has ended. */
  public synchronized void add(JobStats job) {
    for (int i = 0; i < job.devices(); i++) {
      if (job.work(i).blocks() > 0) {
        work[i] = work[i].plus(job.work(i));
      }
    }
    if (System.nanoTime() - flushedNanos >= FLUSH_NANOS) {
      flush();
    }
  }

  /** A core has computed rows of the task in place. */
  public synchronized void addInline(int device, long rows, long nanos) {
    work[device] = work[device].plus(new Work(rows, 0, 0, nanos));
  }

  /** Gives the accumulators what they do not have yet; to be called when the task ends. */
  public synchronized void flush() {
    for (int i = 0; i < work.length; i++) {
      if (work[i].rows() > 0 || work[i].blocks() > 0) {
        LoadAccumulator.Entry entry =
            new LoadAccumulator.Entry(executorId + "/" + runtime.load().entry(i).device(), work[i]);
        accumulators.forEach(accumulator -> accumulator.add(entry));
        work[i] = Work.NONE;
      }
    }
    flushedNanos = System.nanoTime();
  }
}
