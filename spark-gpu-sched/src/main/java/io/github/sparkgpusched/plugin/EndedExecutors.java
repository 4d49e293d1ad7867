package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.load.ApplicationLoad;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/** Tells the application's load table which executors have ended. */
final class EndedExecutors extends SparkListener {
  private final ApplicationLoad load;

  EndedExecutors(ApplicationLoad load) {
    this.load = load;
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    load.executorEnded(removed.executorId());
  }
}
