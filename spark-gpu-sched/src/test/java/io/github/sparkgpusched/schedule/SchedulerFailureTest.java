package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.testing.Patience;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However a job ends, it ends soon, says why, and leaves nobody inside. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchedulerFailureTest {
  /** More than an int holds. */
  private static final long MANY_ROWS = 3_000_000_000L;

  private final CountDownLatch helperIn = new CountDownLatch(1);
  private final AtomicInteger open = new AtomicInteger();

  /** What to do in a block, on the submitter's thread or on a helper. */
  @FunctionalInterface
  private interface Part {
    void run(long from) throws Exception;
  }

  /** A body whose first helper is known to be inside before the submitter's part runs. */
  private RangeBody parts(Part submitter, Part helper) {
    return device -> {
      open.incrementAndGet();
      return new RangeBody.Worker() {
        @Override
        public void run(long from, long until) throws Exception {
          if (Rig.onHelper()) {
            helperIn.countDown();
            helper.run(from);
          } else {
            Patience.await(helperIn);
            submitter.run(from);
          }
        }

        @Override
        public void close() {
          open.decrementAndGet();
        }
      };
    };
  }

  /** Runs a job, and checks at the moment that run() ends that no worker is open. */
  private Rig.Task<JobStats> job(Rig rig, JobSpec spec) {
    return rig.task(
        () -> {
          try {
            return rig.scheduler.run(spec);
          } finally {
            assertEquals(0, open.get(), "workers open when run() ended");
          }
        });
  }

  private Throwable failure(Rig rig, JobSpec spec) throws Exception {
    Throwable failure = job(rig, spec).failure();
    rig.assertIdle();
    return failure;
  }

  private static void sleepForEver() throws InterruptedException {
    new CountDownLatch(1).await();
  }

  @Test
  void theFirstErrorIsThrownAsItIsAndLaterOnesAreSuppressed() throws Exception {
    try (Rig rig = new Rig(2)) {
      IOException first = new IOException("submitter");
      Error second = new Error("helper");
      RangeBody body =
          parts(
              from -> {
                throw first;
              },
              from -> {
                try {
                  sleepForEver();
                } catch (InterruptedException e) {
                  throw second;
                }
              });
      assertSame(first, failure(rig, Rig.slow(1000, body)));
      assertArrayEquals(new Throwable[] {second}, first.getSuppressed());
    }
  }

  @Test
  void anErrorOnAHelperIsThrownByRun() throws Exception {
    try (Rig rig = new Rig(2)) {
      StackOverflowError failure = new StackOverflowError("deep");
      RangeBody body =
          parts(
              from -> {},
              from -> {
                throw failure;
              });
      assertSame(failure, failure(rig, Rig.slow(1_000_000, body)));
      assertEquals(1, rig.table.entry(1).snapshot().failures());
    }
  }

  @Test
  void oneExceptionThrownByAllIsNotItsOwnSuppressed() throws Exception {
    try (Rig rig = new Rig(4)) {
      IllegalStateException shared = new IllegalStateException("shared");
      Part part =
          from -> {
            throw shared;
          };
      assertSame(shared, failure(rig, Rig.slow(1000, parts(part, part))));
      assertEquals(0, shared.getSuppressed().length);
    }
  }

  @Test
  void aFailureStopsTheOthersAfterTheirBlock() throws Exception {
    try (Rig rig = new Rig(2)) {
      CountDownLatch failed = new CountDownLatch(1);
      AtomicInteger after = new AtomicInteger();
      RuntimeException failure = new RuntimeException("submitter");
      RangeBody body =
          parts(
              from -> {
                failed.countDown();
                throw failure;
              },
              from -> {
                if (failed.getCount() == 0) {
                  after.incrementAndGet();
                }
                failed.await(); // ends by the latch or by the interrupt
              });
      Throwable thrown = failure(rig, Rig.slow(MANY_ROWS, body));
      assertSame(failure, thrown);
      // As many as one thread begins while the other has thrown and has not got a core to say so.
      assertTrue(after.get() < MANY_ROWS / 2, after + " blocks begun after the failure");
    }
  }

  @Test
  void failedBlocksAreNotCountedAsDone() throws Exception {
    try (Rig rig = new Rig(1)) {
      RangeBody body =
          Rig.body(
              (from, until) -> {
                if (from == 7) {
                  throw new IOException("row 7");
                }
              });
      assertInstanceOf(IOException.class, failure(rig, Rig.slow(10, body)));
      DeviceLoad load = rig.table.entry(0).snapshot();
      assertEquals(7, load.rows());
      assertEquals(7, load.blocks());
      assertEquals(1, load.failures());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWorkerThatCannotBeOpenedFailsTheJob(boolean onHelper) throws Exception {
    try (Rig rig = new Rig(2)) {
      IOException failure = new IOException("open");
      RangeBody body =
          device -> {
            if (Rig.onHelper() == onHelper) {
              throw failure;
            }
            return (from, until) -> Thread.sleep(1);
          };
      assertSame(failure, failure(rig, Rig.slow(100_000, body)));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWorkerThatCannotBeClosedFailsTheJob(boolean onHelper) throws Exception {
    try (Rig rig = new Rig(2)) {
      IllegalStateException failure = new IllegalStateException("close");
      RangeBody body =
          device ->
              new RangeBody.Worker() {
                @Override
                public void run(long from, long until) throws Exception {
                  if (Rig.onHelper()) {
                    helperIn.countDown();
                  } else {
                    Patience.await(helperIn);
                  }
                }

                @Override
                public void close() {
                  if (Rig.onHelper() == onHelper) {
                    throw failure;
                  }
                }
              };
      assertSame(failure, failure(rig, Rig.slow(100, body)));
    }
  }

  @Test
  void noWorkerIsAFailureAndNotAHang() throws Exception {
    try (Rig rig = new Rig(2)) {
      assertInstanceOf(NullPointerException.class, failure(rig, Rig.slow(5, device -> null)));
    }
  }

  @Test
  void cancellationIsSeenBetweenBlocks() throws Exception {
    try (Rig rig = new Rig(2)) {
      AtomicBoolean cancelled = new AtomicBoolean();
      AtomicInteger blocks = new AtomicInteger();
      RangeBody body =
          Rig.body(
              (from, until) -> {
                // Each thread from the hundredth block on: who counted it may be off its core
                // before it cancels.
                if (blocks.incrementAndGet() >= 100) {
                  cancelled.set(true);
                }
              });
      JobSpec spec =
          JobSpec.of(MANY_ROWS, body).cancelled(cancelled::get).pace(Rig.slowRows()).build();
      assertInstanceOf(CancellationException.class, failure(rig, spec));
      assertTrue(blocks.get() <= 101, blocks + " blocks");
    }
  }

  @Test
  void cancellationInterruptsAHelperThatBlocks() throws Exception {
    try (Rig rig = new Rig(2)) {
      AtomicBoolean cancelled = new AtomicBoolean();
      // The submitter runs out of rows and waits; the helper would never end.
      RangeBody body = parts(from -> {}, from -> sleepForEver());
      Rig.Task<JobStats> job =
          job(rig, JobSpec.of(2, body).cancelled(cancelled::get).pace(Rig.slowRows()).build());
      Patience.await(helperIn);
      awaitParked(job.thread);
      cancelled.set(true);
      assertInstanceOf(CancellationException.class, job.failure());
      rig.assertIdle();
    }
  }

  @Test
  void aCancelSupplierThatThrowsFailsTheJob() throws Exception {
    try (Rig rig = new Rig(2)) {
      IllegalStateException failure = new IllegalStateException("cancelled?");
      RangeBody body = parts(from -> {}, from -> sleepForEver());
      AtomicBoolean thrown = new AtomicBoolean();
      JobSpec spec =
          JobSpec.of(2, body)
              .cancelled(
                  () -> {
                    if (thrown.get()) {
                      throw failure;
                    }
                    return false;
                  })
              .pace(Rig.slowRows())
              .build();
      Rig.Task<JobStats> job = job(rig, spec);
      Patience.await(helperIn);
      awaitParked(job.thread);
      thrown.set(true);
      assertSame(failure, job.failure());
    }
  }

  private static void awaitParked(Thread thread) throws Exception {
    Patience.await(
        "the task thread waits",
        () ->
            thread.getState() == Thread.State.TIMED_WAITING
                && Arrays.stream(thread.getStackTrace())
                    .anyMatch(frame -> frame.getClassName().equals(JobGate.class.getName())));
  }

  @Test
  void anInterruptWhileWaitingEndsTheJob() throws Exception {
    try (Rig rig = new Rig(2)) {
      AtomicBoolean flag = new AtomicBoolean(true);
      JobSpec spec = Rig.slow(2, parts(from -> {}, from -> sleepForEver()));
      Rig.Task<JobStats> job =
          rig.task(
              () -> {
                try {
                  return rig.scheduler.run(spec);
                } finally {
                  assertEquals(0, open.get());
                  flag.set(Thread.currentThread().isInterrupted());
                }
              });
      Patience.await(helperIn);
      awaitParked(job.thread);
      job.thread.interrupt();
      assertInstanceOf(InterruptedException.class, job.failure());
      assertFalse(flag.get());
      rig.assertIdle();
    }
  }

  @Test
  void anInterruptedRunStillWaitsForAHelperThatDoesNotHearIt() throws Exception {
    try (Rig rig = new Rig(2)) {
      CountDownLatch heard = new CountDownLatch(2);
      CountDownLatch release = new CountDownLatch(1);
      RangeBody body =
          parts(
              from -> {},
              from -> {
                boolean released = false;
                while (!released) {
                  try {
                    released = release.await(Patience.SECONDS, TimeUnit.SECONDS);
                  } catch (InterruptedException e) {
                    heard.countDown();
                  }
                }
              });
      Rig.Task<JobStats> job = job(rig, Rig.slow(2, body));
      Patience.await(helperIn);
      awaitParked(job.thread);
      job.thread.interrupt();
      Patience.await("the first interrupt", () -> heard.getCount() == 1);
      awaitParked(job.thread);
      job.thread.interrupt(); // is passed on too
      Patience.await(heard);
      awaitParked(job.thread);
      assertFalse(job.result.isDone());
      release.countDown();
      assertInstanceOf(InterruptedException.class, job.failure());
      rig.assertIdle();
    }
  }

  @Test
  void anInterruptAfterAFailureIsKeptAsTheFlag() throws Exception {
    try (Rig rig = new Rig(2)) {
      IOException failure = new IOException("first");
      CountDownLatch heard = new CountDownLatch(1);
      AtomicBoolean flag = new AtomicBoolean();
      RangeBody body =
          parts(
              from -> {
                throw failure;
              },
              from -> {
                try {
                  sleepForEver();
                } catch (InterruptedException e) {
                  heard.countDown();
                }
                sleepForEver(); // until the interrupt of the task thread is passed on
              });
      JobSpec spec = Rig.slow(1000, body);
      Rig.Task<JobStats> job =
          rig.task(
              () -> {
                try {
                  return rig.scheduler.run(spec);
                } finally {
                  flag.set(Thread.interrupted());
                }
              });
      Patience.await(heard);
      awaitParked(job.thread);
      job.thread.interrupt();
      assertSame(failure, job.failure());
      assertTrue(flag.get());
    }
  }

  @Test
  void aFailureInterruptsNoHelperOfAnotherJob() throws Exception {
    try (Rig rig = new Rig(4)) {
      CountDownLatch otherIn = new CountDownLatch(1);
      AtomicBoolean release = new AtomicBoolean();
      AtomicBoolean interrupted = new AtomicBoolean();
      RangeBody other =
          Rig.body(
              (from, until) -> {
                if (!Rig.onHelper()) {
                  Patience.await(otherIn);
                }
                otherIn.countDown();
                while (!release.get()) {
                  Thread.onSpinWait();
                }
                if (Thread.currentThread().isInterrupted()) {
                  interrupted.set(true);
                }
              });
      Rig.Task<JobStats> good = rig.job(Rig.slow(2, other));
      Patience.await(otherIn);
      RuntimeException failure = new RuntimeException("stop");
      RangeBody body =
          parts(
              from -> {
                throw failure;
              },
              from -> sleepForEver());
      assertSame(failure, job(rig, Rig.slow(100, body)).failure());
      release.set(true);
      assertEquals(2, good.get().rows());
      assertFalse(interrupted.get());
    }
  }

  @Test
  void closeEndsJobsAndHelpers() throws Exception {
    CountDownLatch bothIn = new CountDownLatch(1);
    Part submitter =
        from -> {
          bothIn.countDown();
          Thread.sleep(1);
        };
    try (Rig rig = new Rig(2)) {
      Rig.Task<JobStats> job =
          job(rig, Rig.slow(1_000_000, parts(submitter, from -> sleepForEver())));
      Patience.await(bothIn);
      rig.scheduler.close();
      assertInstanceOf(CancellationException.class, job.failure());
      assertTrue(Rig.helpers().isEmpty());
      assertEquals(
          "the scheduler is closed",
          rig.job(Rig.slow(1, parts(from -> {}, from -> {}))).failure().getMessage());
      rig.scheduler.close();
      rig.assertIdle();
    }
  }
}
