package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.Transfers;

/**
 * What devices compute for one task attempt, of this executor or of another one. Made by {@link
 * LoadTable#task} and {@link LoadTable#guest}; the devices of an executor add to it, whichever
 * thread they are. Thread-safe.
 */
public final class TaskWork {
  /** Null if the task is of another executor, which counts by UDF. */
  private final UdfCounters udf;

  private final int stageId;
  private final int stageAttempt;
  private final long taskId;

  /** The executor that has the task, if it is another one; else null. */
  private final String lentTo;

  private final WorkCounts counts = new WorkCounts();

  TaskWork(UdfCounters udf, int stageId, int stageAttempt, long taskId, String lentTo) {
    this.udf = udf;
    this.stageId = stageId;
    this.stageAttempt = stageAttempt;
    this.taskId = taskId;
    this.lentTo = lentTo;
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

  void addFailure() {
    counts.addFailure();
  }

  boolean hasFailed() {
    return counts.failures() > 0;
  }

  /** What is computed, as users call it; empty if the task is another executor's. */
  String udfName() {
    return udf == null ? "" : udf.name();
  }

  UdfCounters udf() {
    return udf;
  }

  WorkCounts counts() {
    return counts;
  }

  /** Spark's id of the stage. */
  public int stageId() {
    return stageId;
  }

  /** Number of the stage's attempt, from 0. */
  public int stageAttempt() {
    return stageAttempt;
  }

  String lentTo() {
    return lentTo;
  }

  /** Spark's id of the task attempt. */
  public long taskId() {
    return taskId;
  }

  /** What was computed so far, for batches that then failed too. */
  public Work work() {
    return counts.work();
  }
}
