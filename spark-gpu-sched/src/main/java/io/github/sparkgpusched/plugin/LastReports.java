package io.github.sparkgpusched.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Which executors owe their last report: they have computed rows, and have not said that they have
 * reported all. Messages and Spark's events take different ways here, so an executor's last word
 * may come before the end of its last task. Thread-safe.
 */
final class LastReports extends SparkListener {
  /** Executors that have computed rows, and have not been removed. */
  @GuardedBy("this")
  private final Set<String> worked = new HashSet<>();

  /** Executors that have reported all, and have not been removed. */
  @GuardedBy("this")
  private final Set<String> reported = new HashSet<>();

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    for (AccumulableInfo info : CollectionConverters.asJava(end.taskInfo().accumulables())) {
      if (info.name().isDefined() && info.name().get().equals(LoadAccumulator.NAME)) {
        synchronized (this) {
          worked.add(end.taskInfo().executorId());
        }
        return;
      }
    }
  }

  @Override
  public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    worked.remove(removed.executorId());
    reported.remove(removed.executorId());
    notifyAll();
  }

  /** An executor has reported all. */
  synchronized void add(LastReport last) {
    reported.add(last.executorId());
    notifyAll();
  }

  /**
   * Waits until no executor owes its last report, or the time is up: one that hangs would have all
   * wait for ever.
   *
   * @return whether none does
   */
  synchronized boolean await(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!reported.containsAll(worked)) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }
}
