package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.Work;
import io.github.sparkgpusched.runtime.DriverRuntime;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import org.apache.spark.sql.SparkSession;

/** What an application's driver knows of its devices' load. */
final class LoadFigures {
  private LoadFigures() {}

  static LoadView view() {
    return DriverRuntime.current()
        .orElseThrow()
        .load()
        .view(System.nanoTime(), System.currentTimeMillis());
  }

  static long accumulatedRows(SparkSession spark) {
    return LoadAccumulator.of(spark.sparkContext()).value().values().stream()
        .mapToLong(Work::rows)
        .sum();
  }

  /** Rows that an executor has reported, and that tasks which have ended had of it. */
  static boolean hasReportedRowsOfARunningTask(SparkSession spark, String executor) {
    long ended =
        LoadAccumulator.of(spark.sparkContext()).value().entrySet().stream()
            .filter(entry -> entry.getKey().startsWith(executor + "/"))
            .mapToLong(entry -> entry.getValue().rows())
            .sum();
    return view().devices().stream()
            .filter(device -> device.executorId().equals(executor))
            .mapToLong(device -> device.load().rows())
            .sum()
        > ended;
  }

  /**
   * Says whether all that devices computed is what the query needed and what was in vain, once the
   * last reports are in.
   *
   * @param needed rows that the query has to compute
   */
  static void say(SparkSession spark, long needed) {
    Answers.isSoon(() -> view().total().rows() == needed + view().wasted().rows());
    LoadView view = view();
    Answers.say("load", view.total() + " " + view.wasted());
    Answers.say("balance", view.total().rows() - view.wasted().rows() - needed);
    Answers.say("wasted rows", view.wasted().rows() > 0 && view.wasted().tasks() > 0);
    Answers.say("accumulated too much", accumulatedRows(spark) - needed);
  }
}
