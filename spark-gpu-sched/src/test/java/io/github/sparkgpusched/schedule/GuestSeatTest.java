package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.testing.Patience;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
      assertEquals(1, rig.scheduler.coresForAnotherJob(), "a job here would get it at once");
      seat.close();
      assertEquals(1, rig.scheduler.coresForAnotherJob());
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
      Patience.await(atWork);
      assertTrue(seat.isWanted());
      assertFalse(helped.get());
      seat.close();
      assertEquals(100_000, job.get().rows());
      assertTrue(helped.get());
      rig.assertIdle();
    }
  }

  /** Other cores are lent to others, or idle for tasks to come; nobody leaves for it. */
  @Test
  void aGuestsJobTakesNoCoreButItsOwn() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    LaunchPolicy sharing =
        new LaunchPolicy(new RoundRobin(), true, true, TimeUnit.SECONDS.toNanos(30));
    try (Rig rig = new Rig(3, List.of(device), 100_000, Rig.DEFAULT, sharing)) {
      GuestSeat seat = rig.scheduler.takeGuestSeat().orElseThrow();
      GuestSeat other = rig.scheduler.takeGuestSeat().orElseThrow();
      AtomicBoolean helped = new AtomicBoolean();
      AtomicBoolean wanted = new AtomicBoolean();
      LaunchDevicesTest.Counted body =
          new LaunchDevicesTest.Counted(20_000, 0) {
            @Override
            public Worker open(Device core) {
              return (from, until) -> {
                write(from, until);
                helped.compareAndSet(false, Rig.onHelper());
                wanted.compareAndSet(false, other.isWanted());
                Patience.await("the device", () -> device.launches.get() > 0);
              };
            }
          };
      JobStats stats =
          seat.run(JobSpec.of(20_000, body).pace(Rig.slowRows()).withoutHelpers(true).build());
      body.check();
      assertFalse(helped.get());
      assertFalse(wanted.get());
      assertTrue(stats.rows(3) > 0, "the device computes too");
      assertEquals(1, rig.scheduler.idleCores(), "the core is still its own");
      seat.close();
      other.close();
      rig.assertIdle();
    }
  }
}
