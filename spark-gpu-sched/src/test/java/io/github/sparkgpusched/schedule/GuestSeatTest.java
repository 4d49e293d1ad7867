package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class GuestSeatTest {
  @Test
  void thereAreNoMoreThanIdleCores() throws Exception {
    try (Rig rig = new Rig(2)) {
      rig.scheduler.taskStarted(1);
      GuestSeat seat = rig.scheduler.takeGuestSeat().orElseThrow();
      assertTrue(rig.scheduler.takeGuestSeat().isEmpty());
      assertEquals(0, rig.scheduler.idleCores());
      seat.close();
      rig.scheduler.takeGuestSeat().orElseThrow().close();
      rig.scheduler.taskEnded(1);
      rig.assertIdle();
    }
  }

  @Test
  void aTaskThatStartsWantsTheCore() {
    try (Rig rig = new Rig(1);
        GuestSeat seat = rig.scheduler.takeGuestSeat().orElseThrow()) {
      assertFalse(seat.isWanted());
      rig.scheduler.taskStarted(1);
      assertTrue(seat.isWanted());
      rig.scheduler.taskEnded(1);
      assertFalse(seat.isWanted());
    }
  }

  /** A job of the executor has more right to the core than any guest, and gets it afterwards. */
  @Test
  void aJobWithRowsForOneMoreCoreWantsIt() throws Exception {
    try (Rig rig = new Rig(2)) {
      GuestSeat seat = rig.scheduler.takeGuestSeat().orElseThrow();
      CountDownLatch atWork = new CountDownLatch(1);
      AtomicBoolean helped = new AtomicBoolean();
      Rig.Task<JobStats> job =
          rig.job(
              Rig.slow(
                  100_000,
                  Rig.body(
                      (from, until) -> {
                        atWork.countDown();
                        if (Rig.onHelper()) {
                          helped.set(true);
                        }
                        Rig.spin(helped.get() ? 0 : 100_000);
                      })));
      Rig.await(atWork);
      assertTrue(seat.isWanted());
      assertFalse(helped.get());
      seat.close();
      assertEquals(100_000, job.get().rows());
      assertTrue(helped.get());
      rig.assertIdle();
    }
  }
}
