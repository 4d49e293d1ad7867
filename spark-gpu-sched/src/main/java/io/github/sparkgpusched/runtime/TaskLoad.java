package io.github.sparkgpusched.runtime;

import io.github.sparkgpusched.schedule.JobStats;
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

  // By device, of jobs since the last flush. Guarded by this.
  private final long[] rows;
  private final long[] blocks;
  private final long[] stolenBlocks;
  private final long[] busyNanos;
  private long flushedNanos = System.nanoTime();

  public TaskLoad(ExecutorRuntime runtime, String executorId, List<LoadAccumulator> accumulators) {
    this.runtime = runtime;
    this.executorId = executorId;
    this.accumulators = accumulators;
    int devices = runtime.load().size();
    rows = new long[devices];
    blocks = new long[devices];
    stolenBlocks = new long[devices];
    busyNanos = new long[devices];
  }

  /** A job of the task has ended. */
  public synchronized void add(JobStats job) {
    for (int i = 0; i < job.devices(); i++) {
      if (job.blocks(i) > 0) {
        rows[i] += job.rows(i);
        blocks[i] += job.blocks(i);
        stolenBlocks[i] += job.stolenBlocks(i);
        busyNanos[i] += job.busyNanos(i);
      }
    }
    if (System.nanoTime() - flushedNanos >= FLUSH_NANOS) {
      flush();
    }
  }

  /** Gives the accumulators what they do not have yet; to be called when the task ends. */
  public synchronized void flush() {
    for (int i = 0; i < rows.length; i++) {
      if (blocks[i] > 0) {
        LoadAccumulator.Entry entry =
            new LoadAccumulator.Entry(
                executorId + "/" + runtime.load().entry(i).device(),
                new LoadAccumulator.Work(rows[i], blocks[i], stolenBlocks[i], busyNanos[i]));
        accumulators.forEach(accumulator -> accumulator.add(entry));
        rows[i] = 0;
        blocks[i] = 0;
        stolenBlocks[i] = 0;
        busyNanos[i] = 0;
      }
    }
    flushedNanos = System.nanoTime();
  }
}
