package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.Transfers;

/**
 * What devices compute for one task attempt. Made by {@link LoadTable#task}; the devices of an
 * executor add to it, whichever thread they are. Thread-safe.
 */
public final class TaskWork {
  private final UdfCounters udf;
  private final int stageId;
  private final int stageAttempt;
  private final long taskId;
  private final WorkCounts counts = new WorkCounts();

  TaskWork(UdfCounters udf, int stageId, int stageAttempt, long taskId) {
    this.udf = udf;
    this.stageId = stageId;
    this.stageAttempt = stageAttempt;
    this.taskId = taskId;
  }

  void add(long blockRows, long nanos, boolean stolen) {
    counts.add(blockRows, nanos, stolen);
  }

  void add(Transfers transfers) {
    counts.add(transfers);
  }

  void addInline(long rows, long nanos) {
    counts.addInline(rows, nanos);
  }

  UdfCounters udf() {
    return udf;
  }

  WorkCounts counts() {
    return counts;
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

  /** What was computed so far, for batches that then failed too. */
  public Work work() {
    return counts.work();
  }
}
