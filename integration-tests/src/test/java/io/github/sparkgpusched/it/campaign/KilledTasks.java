package io.github.sparkgpusched.it.campaign;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskKilled;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** How many tasks Spark says were killed. Thread-safe. */
public final class KilledTasks {
  private final SparkContext context;
  private final AtomicLong killed = new AtomicLong();

  /** Counts from now on. */
  public KilledTasks(SparkContext context) {
    this.context = context;
    context.addSparkListener(
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            killed.addAndGet(end.reason() instanceof TaskKilled ? 1 : 0);
          }
        });
  }

  /** Waits for what Spark has not told yet. */
  public long count() throws Exception {
    context.listenerBus().waitUntilEmpty();
    return killed.get();
  }
}
