package io.github.sparkgpusched.plugin;

import java.util.List;
import org.apache.spark.Success$;
import org.apache.spark.executor.ExecutorMetrics;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.TaskInfo;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Spark's word of tasks, for tests. */
final class TaskEnds {
  private TaskEnds() {}

  /** What a task says of an accumulator. */
  static void accumulate(TaskInfo info, String name, Object update) {
    info.setAccumulables(
        CollectionConverters.asScala(
                List.of(
                    new AccumulableInfo(
                        1,
                        Option.apply(name),
                        Option.apply(update),
                        Option.empty(),
                        false,
                        false,
                        Option.empty())))
            .toSeq());
  }

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
