package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.runtime.DriverRuntime;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/** What an executor said of its devices goes when it does. Called by the listener bus. */
final class TextDevicesWatch extends SparkListener {
  private final DriverRuntime driver;

  TextDevicesWatch(DriverRuntime driver) {
    this.driver = driver;
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    driver.executorEnded(removed.executorId());
  }
}
