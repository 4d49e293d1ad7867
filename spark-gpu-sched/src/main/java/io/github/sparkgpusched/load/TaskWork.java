package io.github.sparkgpusched.load;

import java.util.concurrent.atomic.LongAdder;

/**
 * What devices compute for one task attempt. Made by {@link LoadTable#task}; the devices of an
 * executor add to it, whichever thread they are. Thread-safe.
 */
public final class TaskWork {
  private final UdfCounters udf;
  private final int stageId;
  private final int stageAttempt;
  private final long taskId;
  private final LongAdder rows = new LongAdder();
  private final LongAdder busyNanos = new LongAdder();

  TaskWork(UdfCounters udf, int stageId, int stageAttempt, long taskId) {
    this.udf = udf;
    this.stageId = stageId;
    this.stageAttempt = stageAttempt;
    this.taskId = taskId;
  }

  void add(long blockRows, long nanos, boolean stolen) {
    rows.add(blockRows);
    busyNanos.add(nanos);
    udf.add(blockRows, nanos, stolen);
  }

  int stageId() {
    return stageId;
  }

  int stageAttempt() {
    return stageAttempt;
  }

  long taskId() {
    return taskId;
  }

  /** Rows computed so far, batches that then failed too. */
  public long rows() {
    return rows.sum();
  }

  /** Time spent computing them, in nanoseconds. */
  public long busyNanos() {
    return busyNanos.sum();
  }
}
