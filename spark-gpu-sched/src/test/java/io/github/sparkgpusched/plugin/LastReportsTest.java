package io.github.sparkgpusched.plugin;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.runtime.LoadAccumulator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.scheduler.TaskLocality;
import org.junit.jupiter.api.Test;

class LastReportsTest {
  private static final long LONG_MILLIS = TimeUnit.MINUTES.toMillis(10);

  private final LastReports reports = new LastReports();

  /** A task of an executor has ended, with an accumulator of that name. */
  private void taskEnded(String executor, String accumulator) {
    TaskInfo info = new TaskInfo(1, 0, 0, 0, 0L, executor, "host", TaskLocality.ANY(), false);
    TaskEnds.accumulate(info, accumulator, null);
    reports.onTaskEnd(TaskEnds.ofSuccess(0, info));
  }

  @Test
  void whoHasComputedNothingIsNotWaitedFor() {
    taskEnded("1", "internal.metrics.executorRunTime");
    assertTrue(reports.await(LONG_MILLIS));
  }

  @Test
  void whoHasComputedRowsIsWaitedForUntilItHasReportedAll() {
    taskEnded("1", LoadAccumulator.NAME);
    taskEnded("2", LoadAccumulator.NAME);
    reports.add(new LastReport("1"));
    assertFalse(reports.await(0), "the other one has not reported");
    CompletableFuture<Boolean> waits =
        CompletableFuture.supplyAsync(() -> reports.await(LONG_MILLIS));
    reports.add(new LastReport("2"));
    assertTrue(waits.join());
  }

  @Test
  void sparksWordOfATaskMayComeAfterTheExecutorsLast() {
    reports.add(new LastReport("1"));
    taskEnded("1", LoadAccumulator.NAME);
    assertTrue(reports.await(LONG_MILLIS));
  }

  @Test
  void whoIsRemovedIsNotWaitedFor() {
    taskEnded("1", LoadAccumulator.NAME);
    CompletableFuture<Boolean> waits =
        CompletableFuture.supplyAsync(() -> reports.await(LONG_MILLIS));
    reports.onExecutorRemoved(new SparkListenerExecutorRemoved(0, "1", "lost"));
    assertTrue(waits.join());
  }
}
