package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.testing.Patience;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs that others compute while the thread that started them does something else. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunningJobTest {
  private static final int ROWS = 200;

  private final AtomicIntegerArray computed = new AtomicIntegerArray(ROWS);
  private final AtomicInteger byHelpers = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final CountDownLatch helperIn = new CountDownLatch(1);

  /** What happens in each row on a helper. */
  @FunctionalInterface
  private interface OnHelper {
    void run() throws Exception;
  }

  private JobSpec job(OnHelper onHelper) {
    return Rig.slow(
        ROWS,
        device -> {
          open.incrementAndGet();
          return new RangeBody.Worker() {
            @Override
            public void run(long from, long until) throws Exception {
              for (int row = (int) from; row < until; row++) {
                computed.incrementAndGet(row);
                if (Rig.onHelper()) {
                  byHelpers.incrementAndGet();
                  helperIn.countDown();
                  onHelper.run();
                }
              }
            }

            @Override
            public void close() {
              open.decrementAndGet();
            }
          };
        });
  }

  private void assertEachRowOnce(JobStats stats) {
    assertEquals(ROWS, stats.rows());
    for (int row = 0; row < ROWS; row++) {
      assertEquals(1, computed.get(row), "times that row " + row + " was computed");
    }
  }

  @Test
  void isComputedWhileItsTaskDoesSomethingElse() throws Exception {
    try (Rig rig = new Rig(2)) {
      Rig.Task<JobStats> task =
          rig.task(
              () -> {
                RunningJob job = rig.scheduler.start(job(() -> {}));
                // All but what is not worth a helper: the last blocks of a job.
                Patience.await("a helper computes", () -> byHelpers.get() > ROWS / 2);
                return job.finish();
              });
      assertEachRowOnce(task.get());
      assertEquals(0, open.get());
      rig.assertIdle();
    }
  }

  @Test
  void isComputedByItsTaskWhereNobodyIsIdle() throws Exception {
    try (Rig rig = new Rig(1)) {
      Rig.Task<JobStats> task = rig.task(() -> rig.scheduler.start(job(() -> {})).finish());
      assertEachRowOnce(task.get());
      assertEquals(0, byHelpers.get());
      rig.assertIdle();
    }
  }

  @Test
  void isFinishedByAnotherThread() throws Exception {
    try (Rig rig = new Rig(2)) {
      CountDownLatch goOn = new CountDownLatch(1);
      Rig.Task<RunningJob> starter =
          rig.task(() -> rig.scheduler.start(job(() -> Patience.await(goOn))));
      RunningJob job = starter.get();
      Patience.await(helperIn);
      Rig.Task<JobStats> finisher = rig.task(job::finish);
      // It computes all but the helper's row, and is woken by the end of that.
      Patience.await("it waits", () -> finisher.thread.getState() == Thread.State.TIMED_WAITING);
      goOn.countDown();
      assertEachRowOnce(finisher.get());
      rig.assertIdle();
    }
  }

  @Test
  void whatFailsMeanwhileIsThrownByFinish() throws Exception {
    try (Rig rig = new Rig(2)) {
      IOException failure = new IOException("helper");
      Rig.Task<JobStats> task =
          rig.task(
              () -> {
                RunningJob job =
                    rig.scheduler.start(
                        job(
                            () -> {
                              throw failure;
                            }));
                Patience.await(helperIn);
                Patience.await("the helper has left", () -> open.get() == 0);
                return job.finish();
              });
      assertSame(failure, task.failure());
      rig.assertIdle();
    }
  }

  @Test
  void nobodyIsInsideOnceItIsCancelled() throws Exception {
    try (Rig rig = new Rig(2)) {
      Rig.Task<Integer> task =
          rig.task(
              () -> {
                RunningJob job =
                    rig.scheduler.start(job(() -> new CountDownLatch(1).await())); // interrupted
                Patience.await(helperIn);
                assertTrue(job.isShared());
                job.cancel();
                return open.get();
              });
      assertEquals(0, task.get());
      assertEquals(1, byHelpers.get());
      rig.assertIdle();
    }
  }

  @Test
  void endsWithItsScheduler() throws Exception {
    Rig rig = new Rig(2);
    Rig.Task<JobStats> task =
        rig.task(
            () -> {
              RunningJob job = rig.scheduler.start(job(() -> new CountDownLatch(1).await()));
              Patience.await(helperIn);
              rig.close();
              return job.finish();
            });
    assertInstanceOf(CancellationException.class, task.failure());
    assertEquals(0, open.get());
    assertThrows(IllegalStateException.class, () -> rig.scheduler.start(job(() -> {})));
  }
}
