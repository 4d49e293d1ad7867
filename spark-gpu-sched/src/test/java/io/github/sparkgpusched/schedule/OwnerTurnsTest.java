package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.FakeDevice.Mishap;
import io.github.sparkgpusched.schedule.LaunchDevicesTest.Counted;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.testing.Patience;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the owner of a device sees in a turn, and what it would sleep through. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwnerTurnsTest {
  private static final int ROWS = 20_000;

  private static Rig rig(int cores, boolean share, Strategy strategy, FakeDevice device) {
    LaunchPolicy policy =
        new LaunchPolicy(new RoundRobin(), share, true, TimeUnit.HOURS.toNanos(1));
    return new Rig(cores, List.of(device), 100_000, strategy, policy);
  }

  private static JobSpec spec(Counted body, AtomicBoolean cancelled) {
    return JobSpec.of(ROWS, body).pace(new Pace()).cancelled(cancelled::get).build();
  }

  /** A borrowed core whose first block never ends. */
  private static FakeDevice hangsAtFirst() {
    FakeDevice device =
        new FakeDevice(
            "remote:0",
            1,
            20_000,
            50,
            (launch, from, until) -> launch == 0 ? Mishap.HANGS : Mishap.NONE,
            true);
    device.borrowed = true;
    return device;
  }

  /** It waits inside of a turn, for which the wake-up is used. */
  @Test
  void aJobThatComesAsTheDeviceRestsIsSeen() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    CountDownLatch rests = new CountDownLatch(1);
    device.asItRests.set(
        () -> {
          rests.countDown();
          LockSupport.park();
        });
    try (Rig rig = rig(1, false, Rig.DEFAULT, device)) {
      assertTrue(rests.await(Patience.SECONDS, TimeUnit.SECONDS));
      Counted body = new Counted(ROWS, 0);
      assertEquals(ROWS, rig.job(spec(body, new AtomicBoolean())).get().rows());
      body.check();
    }
  }

  @Test
  void aBlockThatCannotBePublishedIsNotInFlight() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    device.cannot =
        row -> {
          throw new IllegalStateException("no room for results");
        };
    try (Rig rig = rig(1, false, Rig.DEFAULT, device)) {
      Rig.Task<JobStats> job = rig.job(spec(new Counted(ROWS, 0), new AtomicBoolean()));
      assertThrows(ExecutionException.class, job::get);
      Patience.await("no block in flight", () -> rig.table.snapshot().get(1).inFlight() == 0);
    }
  }

  /** Who lends a core computes no rows of a job that is over. */
  @Test
  void blocksOfAJobThatIsOverLeaveABorrowedCore() throws Exception {
    FakeDevice device = hangsAtFirst();
    AtomicBoolean cancelled = new AtomicBoolean();
    try (Rig rig = rig(1, true, Rig.DEFAULT, device)) {
      Rig.Task<JobStats> job = rig.job(spec(new Counted(ROWS, 50_000), cancelled));
      Patience.await("a block of the device", () -> device.launches.get() > 0);
      cancelled.set(true);
      assertThrows(CancellationException.class, job::get);
      Patience.await("blocks given back", () -> device.stagedRows.get() == 0);
      Counted body = new Counted(ROWS, 0);
      assertEquals(ROWS, rig.job(spec(body, new AtomicBoolean())).get().rows());
      body.check();
    }
  }

  /** Rows were dealt to it, and it goes before it has seen the job: others compute them. */
  @Test
  void whatWasDealtToADeviceThatGoesIsNotItsAlone() throws Exception {
    FakeDevice device = hangsAtFirst();
    AtomicBoolean cancelled = new AtomicBoolean();
    Strategy fixedParts = Strategies.byName("static", Strategies.Options.DEFAULT);
    try (Rig rig = rig(2, true, fixedParts, device)) {
      Rig.Task<JobStats> first = rig.job(spec(new Counted(ROWS, 0), cancelled));
      Patience.await("a block of the device", () -> device.launches.get() > 0);
      Counted body = new Counted(ROWS, 0);
      Rig.Task<JobStats> second = rig.job(spec(body, new AtomicBoolean()));
      Patience.await("the other rows", () -> written(body) > 0);
      device.present = false;
      device.wake.run();
      assertEquals(ROWS, second.get().rows());
      body.check();
      cancelled.set(true);
      assertThrows(CancellationException.class, first::get);
    }
  }

  private static int written(Counted body) {
    int written = 0;
    for (int row = 0; row < ROWS; row++) {
      written += body.written.get(row);
    }
    return written;
  }
}
