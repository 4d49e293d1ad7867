package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.testing.Patience;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Never more computing threads than cores, but for one block of a helper after a task's start. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchedulerCoresTest {
  /** More than an int holds. */
  private static final long MANY_ROWS = 3_000_000_000L;

  @Test
  void aHelperLeavesAfterTheBlockInWhichATaskStarted() throws Exception {
    try (Rig rig = new Rig(2)) {
      CountDownLatch helperIn = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      AtomicInteger helperBlocks = new AtomicInteger();
      Rig.Task<JobStats> job =
          rig.job(
              Rig.slow(
                  1000,
                  Rig.body(
                      (from, until) -> {
                        if (Rig.onHelper()) {
                          helperBlocks.incrementAndGet();
                          helperIn.countDown();
                          Patience.await(release);
                        } else {
                          Patience.await(end);
                        }
                      })));
      Patience.await(helperIn);
      rig.scheduler.taskStarted(1);
      assertEquals(3, rig.scheduler.helpers().budget().busy());
      release.countDown();
      Patience.await("the helper gone", () -> rig.scheduler.helpers().budget().busy() == 2);
      end.countDown();
      assertEquals(1000, job.get().rows());
      assertEquals(1, helperBlocks.get());
      rig.scheduler.taskEnded(1);
      rig.assertIdle();
    }
  }

  @Test
  void onlyAsManyHelpersLeaveAsMust() throws Exception {
    try (Rig rig = new Rig(4)) {
      CountDownLatch in = new CountDownLatch(3);
      CountDownLatch release = new CountDownLatch(1);
      AtomicBoolean cancelled = new AtomicBoolean();
      RangeBody body =
          Rig.body(
              (from, until) -> {
                if (Rig.onHelper()) {
                  in.countDown();
                }
                Patience.await(release);
                Rig.spin(1000);
              });
      Rig.Task<JobStats> job =
          rig.job(
              JobSpec.of(1_000_000_000, body)
                  .cancelled(cancelled::get)
                  .pace(Rig.slowRows())
                  .build());
      Patience.await(in);
      rig.scheduler.taskStarted(1);
      release.countDown();
      Patience.await("one helper gone", () -> rig.scheduler.helpers().budget().busy() == 4);
      for (int i = 0; i < 100; i++) {
        assertEquals(4, rig.scheduler.helpers().budget().busy());
        Rig.spin(10_000);
      }
      cancelled.set(true);
      assertTrue(job.failure() instanceof CancellationException);
      rig.scheduler.taskEnded(1);
      rig.assertIdle();
    }
  }

  /**
   * What a phase of unchanged tasks sees. Jobs are endless, so no task thread waits or goes on
   * within a phase. Once the phase's last task has started, a helper may begin one block that it
   * was about to begin anyway; at the start of each later block of its, no more threads than cores
   * are inside.
   */
  private static final class Phases {
    private final AtomicInteger inside = new AtomicInteger();
    private final ThreadLocal<int[]> mine = ThreadLocal.withInitial(() -> new int[2]);
    private final AtomicInteger strictBlocks = new AtomicInteger();
    private final AtomicInteger mostInside = new AtomicInteger();

    /** Odd while tasks start or end, even while nothing changes. */
    private final AtomicInteger phase = new AtomicInteger();

    boolean haveSeenEnough(int cores) {
      return strictBlocks.get() > 1000 && mostInside.get() >= cores;
    }

    void change(ThrowingRunnable change) throws Exception {
      phase.incrementAndGet();
      change.run();
      phase.incrementAndGet();
    }

    void compute() {
      int now = phase.get();
      int[] seen = mine.get(); // the phase, and this thread's blocks begun in it
      if (seen[0] != now) {
        seen[0] = now;
        seen[1] = 0;
      }
      seen[1]++;
      int threads = inside.incrementAndGet();
      // The phase is read again last: threads of the next one may have been counted.
      if (Rig.onHelper() && now % 2 == 0 && seen[1] >= 2 && phase.get() == now) {
        strictBlocks.incrementAndGet();
        mostInside.accumulateAndGet(threads, Math::max);
      }
      Rig.spin(5_000);
      inside.decrementAndGet();
    }
  }

  @FunctionalInterface
  private interface ThrowingRunnable {
    void run() throws Exception;
  }

  private record Endless(Rig.Task<JobStats> task, AtomicBoolean cancelled) {}

  @Test
  void whileTasksStartAndEndAtRandom() throws Exception {
    Random random = new Random(7);
    try (Rig rig = new Rig(3)) {
      Phases phases = new Phases();
      Deque<Endless> running = new ArrayDeque<>();
      // On a busy machine a phase of these sees few blocks, or none.
      for (int i = 0; i < 150 || !phases.haveSeenEnough(rig.cores); i++) {
        boolean start = running.isEmpty() || (running.size() < rig.cores && random.nextBoolean());
        phases.change(
            () -> {
              if (start) {
                running.add(start(rig, phases));
              } else {
                end(running.remove());
              }
            });
        Thread.sleep(random.nextInt(20));
      }
      phases.change(
          () -> {
            while (!running.isEmpty()) {
              end(running.remove());
            }
          });
      assertEquals(3, phases.mostInside.get(), "threads at once on 3 cores, at most");
      rig.assertIdle();
    }
  }

  private static Endless start(Rig rig, Phases phases) throws Exception {
    AtomicBoolean cancelled = new AtomicBoolean();
    CountDownLatch computing = new CountDownLatch(1);
    RangeBody body =
        Rig.body(
            (from, until) -> {
              computing.countDown();
              phases.compute();
            });
    JobSpec spec =
        JobSpec.of(MANY_ROWS, body).cancelled(cancelled::get).pace(Rig.slowRows()).build();
    Endless endless = new Endless(rig.job(spec), cancelled);
    Patience.await(computing);
    return endless;
  }

  private static void end(Endless endless) throws Exception {
    assertFalse(endless.task.result.isDone());
    endless.cancelled.set(true);
    assertTrue(endless.task.failure() instanceof CancellationException);
    endless.task.thread.join();
  }
}
