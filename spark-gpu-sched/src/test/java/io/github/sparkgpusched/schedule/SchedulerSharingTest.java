package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.testing.Patience;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When rows move to idle cores, and when they do not. Blocks wait for each other, not for time. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchedulerSharingTest {
  @Test
  void oneHeavyRowLeavesTheRestToAnother() throws Exception {
    try (Rig rig = new Rig(2)) {
      CountDownLatch rest = new CountDownLatch(99);
      CountDownLatch both = new CountDownLatch(2);
      Set<Thread> seen = ConcurrentHashMap.newKeySet();
      RangeBody body =
          Rig.body(
              (from, until) -> {
                if (seen.add(Thread.currentThread())) {
                  both.countDown();
                  Patience.await(both);
                }
                if (from == 0) {
                  Patience.await(rest);
                } else {
                  rest.countDown();
                }
              });
      JobStats stats = rig.job(Rig.slow(100, body)).get();
      assertTrue(stats.work(0).rows() > 0);
      assertTrue(stats.work(1).rows() > 0);
      assertTrue(stats.stolenBlocks() > 0);
      // Device 0 is the submitter's: it came first.
      assertEquals(stats.work(1).rows(), stats.stolenBlocks());
      assertEquals(stats.work(1).rows(), stats.work(1).stolenBlocks());
      assertEquals(stats.work(1).rows(), rig.table.entry(1).snapshot().rows());
      assertTrue(rig.table.entry(1).snapshot().steals() > 0);
    }
  }

  /**
   * The helper claims all or most of what it steals as one block; the task thread does the rest and
   * waits. Then the helper hands back all but the block's first row, claims a block of half the
   * size, and finishes that only when the task thread has computed one of those that are left.
   */
  @Test
  void theWaitingTaskThreadTakesRowsThatAreHandedBack() throws Exception {
    try (Rig rig = new Rig(2)) {
      AtomicLong handedBackFrom = new AtomicLong(Long.MAX_VALUE);
      AtomicLong handedBackUntil = new AtomicLong();
      CountDownLatch stolen = new CountDownLatch(1);
      CountDownLatch taken = new CountDownLatch(1);
      AtomicReference<Thread> task = new AtomicReference<>();
      RangeBody.Worker worker =
          new RangeBody.Worker() {
            @Override
            public void run(long from, long until) throws Exception {
              if (Rig.onHelper()) {
                Patience.await(taken);
              } else if (from == 0) {
                task.set(Thread.currentThread());
                Patience.await(stolen);
              } else if (from >= handedBackFrom.get() && from < handedBackUntil.get()) {
                taken.countDown();
              }
            }

            @Override
            public long runOrHandBack(long from, long until) throws Exception {
              if (Rig.onHelper() && stolen.getCount() > 0) {
                stolen.countDown();
                Patience.await(
                    "the task thread waits", () -> isInside(task.get(), "waitUntilOver"));
                handedBackUntil.set(until);
                handedBackFrom.set(from + 1);
                return from + 1;
              }
              run(from, until);
              return until;
            }
          };
      // A thief's first block is a sixteenth of that.
      Pace blocksOf128Rows = Rig.pacer(128, 1e9);
      JobSpec job = JobSpec.of(320, Rig.body(worker)).pace(blocksOf128Rows).build();
      assertEquals(320, rig.job(job).get().rows());
      assertEquals(0, taken.getCount());
    }
  }

  private static boolean isInside(Thread thread, String method) {
    return thread != null
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals(method));
  }

  @Test
  void anUnknownFunctionIsSharedOnceItsFirstRowTookLong() throws Exception {
    try (Rig rig = new Rig(2)) {
      CountDownLatch helped = new CountDownLatch(1);
      RangeBody slowFirst =
          Rig.body(
              (from, until) -> {
                if (from == 0) {
                  Rig.spin(TimeUnit.MILLISECONDS.toNanos(2));
                } else if (Rig.onHelper()) {
                  helped.countDown();
                } else {
                  Patience.await(helped);
                }
              });
      JobStats stats = rig.job(JobSpec.of(1000, slowFirst).build()).get();
      assertTrue(stats.stolenBlocks() > 0);
    }
  }

  @Test
  void shortJobsWakeNobody() throws Exception {
    try (Rig rig = new Rig(4, TimeUnit.SECONDS.toNanos(1))) {
      rig.task(
              () -> {
                Pace pacer = Rig.fastRows();
                for (int i = 0; i < 100; i++) {
                  rig.scheduler.run(
                      JobSpec.of(100, Rig.body((from, until) -> {})).pace(pacer).build());
                }
                return null;
              })
          .get();
      assertEquals(List.of(), Rig.helpers());
    }
  }

  @Test
  void withoutAnIdleCoreNobodyIsWoken() throws Exception {
    try (Rig rig = new Rig(2)) {
      rig.scheduler.taskStarted(1);
      JobStats stats = rig.job(Rig.slow(1000, Rig.body((from, until) -> {}))).get();
      assertEquals(0, stats.stolenBlocks());
      assertEquals(0, stats.waitNanos());
      assertEquals(List.of(), Rig.helpers());
    }
  }

  @Test
  void aCoreThatComesFreeDuringALongBlockIsUsed() throws Exception {
    try (Rig rig = new Rig(2)) {
      rig.scheduler.taskStarted(1);
      CountDownLatch inBlock = new CountDownLatch(1);
      CountDownLatch helped = new CountDownLatch(1);
      Rig.Task<JobStats> job =
          rig.job(
              Rig.slow(
                  10,
                  Rig.body(
                      (from, until) -> {
                        if (Rig.onHelper()) {
                          helped.countDown();
                        } else {
                          inBlock.countDown();
                          Patience.await(helped);
                        }
                      })));
      Patience.await(inBlock);
      assertEquals(List.of(), Rig.helpers());
      rig.scheduler.taskEnded(1);
      assertTrue(job.get().stolenBlocks() > 0);
    }
  }

  @Test
  void eachHelperWakesTheNext() throws Exception {
    try (Rig rig = new Rig(4)) {
      CyclicBarrier all = new CyclicBarrier(4);
      JobStats stats =
          rig.job(
                  Rig.slow(
                      4, Rig.body((from, until) -> all.await(Patience.SECONDS, TimeUnit.SECONDS))))
              .get();
      for (int device = 0; device < 4; device++) {
        assertEquals(1, stats.work(device).rows());
      }
      assertEquals(3, stats.stolenBlocks());
    }
  }

  @Test
  void aThreadThatWaitsLendsItsCore() throws Exception {
    try (Rig rig = new Rig(3)) {
      CountDownLatch submitterIn = new CountDownLatch(1);
      CountDownLatch helperIn = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      // Task A: its helper stays in a block; A itself has nothing left to do and waits. No core is
      // free until A has a block: two helpers would take both.
      rig.scheduler.taskStarted(2);
      Rig.Task<JobStats> a =
          rig.job(
              Rig.slow(
                  2,
                  Rig.body(
                      (from, until) -> {
                        if (Rig.onHelper()) {
                          helperIn.countDown();
                          Patience.await(release);
                        } else {
                          submitterIn.countDown();
                          Patience.await(helperIn);
                        }
                      })));
      Patience.await(submitterIn);
      rig.scheduler.taskEnded(1);
      Patience.await(helperIn);
      rig.scheduler.taskEnded(1);
      // Task B: the third core is its own, so what helps it must be A's.
      CountDownLatch helped = new CountDownLatch(1);
      Rig.Task<JobStats> b =
          rig.job(
              Rig.slow(
                  2,
                  Rig.body(
                      (from, until) -> {
                        if (Rig.onHelper()) {
                          helped.countDown();
                        } else {
                          Patience.await(helped);
                        }
                      })));
      assertTrue(b.get().stolenBlocks() > 0);
      assertFalse(a.result.isDone());
      release.countDown();
      JobStats stats = a.get();
      assertEquals(1, stats.stolenBlocks());
      assertTrue(stats.waitNanos() > 0);
      rig.assertIdle();
    }
  }

  @Test
  void helpersComeAndGoMoreOftenThanThereAreSlots() throws Exception {
    try (Rig rig = new Rig(2)) {
      int visits = 10;
      AtomicInteger visited = new AtomicInteger();
      AtomicInteger left = new AtomicInteger();
      RangeBody body =
          Rig.body(
              (from, until) -> {
                if (Rig.onHelper()) {
                  if (visited.get() < visits) {
                    rig.scheduler.taskStarted(1); // as if: the helper must go after this block
                    visited.incrementAndGet();
                  }
                } else if (left.get() < visits) {
                  Patience.await("a helper's visit", () -> visited.get() > left.get());
                  Patience.await("its leave", () -> rig.scheduler.helpers().budget().busy() == 2);
                  left.incrementAndGet();
                  rig.scheduler.taskEnded(1);
                }
              });
      JobStats stats = rig.job(Rig.slow(10_000, body)).get();
      assertEquals(10_000, stats.rows());
      assertEquals(visits, left.get());
      rig.assertIdle();
    }
  }

  @Test
  void rowsThatAHelperLeftAreDoneByTheSubmitter() throws Exception {
    try (Rig rig = new Rig(2)) {
      CountDownLatch helperIn = new CountDownLatch(1);
      CountDownLatch started = new CountDownLatch(1);
      AtomicInteger byHelper = new AtomicInteger();
      RangeBody body =
          Rig.body(
              (from, until) -> {
                if (Rig.onHelper()) {
                  byHelper.incrementAndGet();
                  helperIn.countDown();
                  Patience.await(started);
                } else {
                  Patience.await(started);
                  Patience.await(
                      "the helper gone", () -> rig.scheduler.helpers().budget().busy() == 2);
                }
              });
      Rig.Task<JobStats> job = rig.job(Rig.slow(50, body));
      Patience.await(helperIn);
      rig.scheduler.taskStarted(1);
      started.countDown();
      JobStats stats = job.get();
      rig.scheduler.taskEnded(1);
      assertEquals(50, stats.rows());
      assertEquals(1, stats.work(1).rows());
      assertEquals(1, byHelper.get());
      rig.assertIdle();
    }
  }

  @Test
  void theJobWithMostTimeLeftIsHelped() throws Exception {
    try (Rig rig = new Rig(3)) {
      rig.scheduler.taskStarted(2);
      CountDownLatch bothIn = new CountDownLatch(2);
      CountDownLatch go = new CountDownLatch(1);
      AtomicInteger first = new AtomicInteger();
      Rig.Task<JobStats> small = rig.job(waiting(100, 1e6, bothIn, go, first, 1));
      Rig.Task<JobStats> large = rig.job(waiting(100, 1e9, bothIn, go, first, 2));
      Patience.await(bothIn);
      rig.scheduler.taskEnded(2);
      Patience.await("a helper", () -> first.get() != 0);
      go.countDown();
      small.get();
      large.get();
      assertEquals(2, first.get());
    }
  }

  /** Two tasks with work for a helper, of which one has had an hour of device time. */
  @Test
  void theTaskWithLessDeviceTimeIsHelped() throws Exception {
    try (Rig rig = new Rig(3)) {
      rig.scheduler.taskStarted(2);
      CountDownLatch bothIn = new CountDownLatch(2);
      CountDownLatch go = new CountDownLatch(1);
      AtomicInteger first = new AtomicInteger();
      JobSpec largeSpec = waiting(100, 1e9, bothIn, go, first, 1);
      Rig.Task<JobStats> large = rig.job(largeSpec);
      Rig.Task<JobStats> small = rig.job(waiting(100, 1e6, bothIn, go, first, 2));
      Patience.await(bothIn);
      largeSpec.account().charge(TimeUnit.HOURS.toNanos(1));
      rig.scheduler.taskEnded(2);
      Patience.await("a helper", () -> first.get() != 0);
      go.countDown();
      small.get();
      large.get();
      assertEquals(2, first.get());
    }
  }

  private static JobSpec waiting(
      int rows,
      double nanosPerRow,
      CountDownLatch in,
      CountDownLatch go,
      AtomicInteger first,
      int name) {
    return JobSpec.of(
            rows,
            Rig.body(
                (from, until) -> {
                  if (Rig.onHelper()) {
                    first.compareAndSet(0, name);
                  } else if (from == 0) {
                    in.countDown();
                  }
                  Patience.await(go);
                }))
        .pace(Rig.pacer(1, nanosPerRow))
        .build();
  }

  /** No core is idle, and yet a second task's job would get its part of those that help. */
  @Test
  void whoComesNextMayCountOnItsPartOfTheHelpers() throws Exception {
    try (Rig rig = new Rig(5)) {
      assertEquals(5, rig.scheduler.coresForAnotherJob());
      CountDownLatch all = new CountDownLatch(5);
      CountDownLatch end = new CountDownLatch(1);
      Rig.Task<JobStats> first =
          rig.job(
              Rig.slow(
                  100,
                  Rig.body(
                      (from, until) -> {
                        all.countDown();
                        Patience.await(end);
                      })));
      Patience.await(all);
      assertEquals(0, rig.scheduler.idleCores());
      assertEquals(2, rig.scheduler.coresForAnotherJob());
      end.countDown();
      first.get();
      rig.assertIdle();
      assertEquals(5, rig.scheduler.coresForAnotherJob());
    }
  }
}
