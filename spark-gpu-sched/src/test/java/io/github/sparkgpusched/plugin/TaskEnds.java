package io.github.sparkgpusched.plugin;

import org.apache.spark.Success$;
import org.apache.spark.executor.ExecutorMetrics;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.TaskInfo;

/** Spark's word of tasks, for tests. */
final class TaskEnds {
  private TaskEnds() {}

  /** One of the first attempt of a stage has succeeded. */
  static SparkListenerTaskEnd ofSuccess(int stageId, TaskInfo info) {
    return new SparkListenerTaskEnd(
        stageId,
        0,
        "ResultTask",
        Success$.MODULE$,
        info,
        new ExecutorMetrics(),
        TaskMetrics.empty());
  }
}
