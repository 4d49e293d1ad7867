package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.testing.ModelCheck;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The whole scheduler, its helper threads included, in the orders that a model checker chooses. */
class SchedulerModelTest {
  private static final int ORDERS = Integer.getInteger("model.orders", 40);

  /** Class initializers, the logger's above all, are not for the model checker to explore. */
  @BeforeAll
  static void initialize() throws Exception {
    try (Rig rig = new Rig(2)) {
      CyclicBarrier both = new CyclicBarrier(2);
      rig.job(Rig.slow(2, Rig.body((from, until) -> both.await()))).get();
    }
  }

  private static JobStats run(Rig rig, JobSpec spec) {
    try {
      return rig.scheduler.run(spec);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static RangeBody counting(AtomicIntegerArray done) {
    return Rig.body(
        (from, until) -> {
          for (int row = (int) from; row < until; row++) {
            done.incrementAndGet(row);
          }
        });
  }

  /** A body for two rows, the first of which ends only when the second has begun. */
  private static RangeBody bothAtOnce() {
    Object lock = new Object();
    boolean[] second = new boolean[1];
    return Rig.body(
        (from, until) -> {
          synchronized (lock) {
            if (from == 1) {
              second[0] = true;
              lock.notifyAll();
            }
            while (!second[0]) {
              lock.wait();
            }
          }
        });
  }

  private static void assertOnce(AtomicIntegerArray done) {
    for (int row = 0; row < done.length(); row++) {
      assertEquals(1, done.get(row));
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void everyRowOnceAndHelpersTakePart() {
    AtomicInteger shared = new AtomicInteger();
    AtomicInteger alone = new AtomicInteger();
    ModelCheck.run(
        ORDERS,
        () -> {
          Rig rig = new Rig(2);
          rig.scheduler.taskStarted(1);
          AtomicIntegerArray done = new AtomicIntegerArray(3);
          JobStats stats = run(rig, Rig.slow(3, counting(done)));
          assertOnce(done);
          assertEquals(3, stats.rows());
          (stats.stolenBlocks() > 0 ? shared : alone).incrementAndGet();
          rig.scheduler.stopAll();
        });
    assertTrue(shared.get() > 0 && alone.get() > 0, shared + " shared, " + alone + " alone");
  }

  @Test
  void aTaskThatStartsMeanwhileTakesItsCore() {
    ModelCheck.run(
        ORDERS,
        () -> {
          Rig rig = new Rig(2);
          rig.scheduler.taskStarted(1);
          Thread other =
              new Thread(
                  () -> {
                    // Two, so that the helper must go even while the submitter waits.
                    rig.scheduler.taskStarted(2);
                    rig.scheduler.taskEnded(2);
                  });
          other.start();
          AtomicIntegerArray done = new AtomicIntegerArray(3);
          run(rig, Rig.slow(3, counting(done)));
          assertOnce(done);
          join(other);
          rig.scheduler.taskEnded(1);
          rig.scheduler.stopAll();
          // A helper that looks for work holds a core for that moment.
          rig.scheduler.helpers().threads().forEach(SchedulerModelTest::join);
          assertEquals(0, rig.scheduler.helpers().budget().busy());
        });
  }

  /** A lost wake-up is a deadlock here, which the model checker reports. */
  @Test
  void aCoreThatComesFreeDuringALongBlockIsUsed() {
    ModelCheck.run(
        ORDERS,
        () -> {
          Rig rig = new Rig(2);
          rig.scheduler.taskStarted(2);
          Thread other = new Thread(() -> rig.scheduler.taskEnded(1));
          other.start();
          run(rig, Rig.slow(2, bothAtOnce()));
          join(other);
          rig.scheduler.stopAll();
        });
  }

  @Test
  void afterAFailureNobodyIsInside() {
    ModelCheck.run(
        ORDERS,
        () -> {
          Rig rig = new Rig(2);
          rig.scheduler.taskStarted(1);
          AtomicInteger inside = new AtomicInteger();
          IllegalArgumentException failure = new IllegalArgumentException("row 2");
          RangeBody failing =
              Rig.body(
                  (from, until) -> {
                    inside.incrementAndGet();
                    try {
                      if (from == 2) {
                        throw failure;
                      }
                    } finally {
                      inside.decrementAndGet();
                    }
                  });
          JobSpec spec = Rig.slow(3, failing);
          assertSame(
              failure, assertThrows(IllegalArgumentException.class, () -> rig.scheduler.run(spec)));
          assertEquals(0, inside.get());
          rig.scheduler.stopAll();
        });
  }
}
