package io.github.sparkgpusched.plugin;

import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends an application whose executors cannot load the plugin because only the driver has its jar.
 * Spark itself would start executors that die at once, one after the other, without end: to it each
 * of them was running, so it counts no failure.
 *
 * <p>Spark's listener bus calls the listener's method, on one thread.
 */
final class MissingJarWatch extends SparkListener {
  private static final Logger LOG = LoggerFactory.getLogger(MissingJarWatch.class);
  private static final String PLUGIN = "io.github.sparkgpusched.GpuSchedPlugin";
  private static final String MESSAGE =
      "executors cannot load "
          + PLUGIN
          + ": the driver has the plugin's jar, but they do not; give it by --jars (spark.jars), or"
          + " install it on every host";

  /** More than one: a single host may be set up in another way than the rest. */
  private static final int FAILURES = 3;

  private final SparkContext sc;

  /** False to true, once an executor has loaded the plugin. Written by Spark's RPC threads. */
  private volatile boolean loaded;

  private int failures;
  private boolean ended;

  MissingJarWatch(SparkContext sc) {
    this.sc = sc;
  }

  void executorLoadedPlugin() {
    loaded = true;
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    // The message of the ClassNotFoundException is the class.
    if (loaded || ended || !removed.reason().contains(PLUGIN) || ++failures < FAILURES) {
      return;
    }
    if (failures == FAILURES) {
      LOG.error(MESSAGE);
    }
    if (failJobs()) {
      ended = true;
      // Not a child of this thread: Spark refuses to be stopped by its listener bus, which it knows
      // by an inheritable thread-local.
      new Thread(null, sc::stop, "gpusched-stop", 0, false).start();
    }
  }

  /**
   * Fails the running jobs with what is wrong. False if none runs: there will be another chance.
   */
  private boolean failJobs() {
    if (sc.taskScheduler() instanceof TaskSchedulerImpl scheduler) {
      try {
        scheduler.error(MESSAGE);
      } catch (Exception e) { // Scala declares no SparkException
        return false;
      }
    }
    return true;
  }
}
