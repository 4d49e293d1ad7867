package io.github.sparkgpusched.it.cluster.app;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/** Who has the heavy partition, and how many tasks were in vain. */
final class Watch extends SparkListener {
  private final AtomicInteger failed = new AtomicInteger();
  private volatile int heavyStage = -1;
  private volatile String owner;

  /** Null before the heavy partition has started. */
  String owner() {
    return owner;
  }

  /** A query begins. */
  void forgetOwner() {
    owner = null;
  }

  /** Tasks that have failed or were killed, all of which Spark runs again. */
  int failed() {
    return failed.get();
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted stage) {
    if (stage.stageInfo().parentIds().isEmpty()) {
      heavyStage = stage.stageInfo().stageId();
    }
  }

  @Override
  public void onTaskStart(SparkListenerTaskStart task) {
    if (task.stageId() == heavyStage && task.taskInfo().index() == 0) {
      owner = task.taskInfo().executorId();
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd task) {
    if (!task.taskInfo().successful()) {
      failed.incrementAndGet();
    }
  }
}
