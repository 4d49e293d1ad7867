package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.schedule.FakeDevice.Mishap;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import io.github.sparkgpusched.testing.Patience;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on launch devices and cores, with devices that hang, fail, have no memory, come and go. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LaunchDevicesTest {
  /** More than an owner waits for a core on a busy machine: a device that is well stays so. */
  static final long SOON = TimeUnit.SECONDS.toNanos(1);

  private static final long LATE = TimeUnit.MINUTES.toNanos(10);

  /** Enough for two devices to be opened at once; a test waits for it only if it fails. */
  private static final long OPENING = Patience.NANOS;

  /** Of jobs that last long enough to see how they share a device. */
  private static final int ROWS = 50_000;

  /** Counts how often each row is written. */
  static class Counted implements RangeBody {
    final AtomicIntegerArray written;
    final long hostNanosPerRow;
    final AtomicBoolean over = new AtomicBoolean();

    /** Writes after the job's end, when the memory may be gone. */
    final AtomicInteger late = new AtomicInteger();

    Counted(int rows, long hostNanosPerRow) {
      this.written = new AtomicIntegerArray(rows);
      this.hostNanosPerRow = hostNanosPerRow;
    }

    @Override
    public Worker open(Device device) {
      return (from, until) -> {
        write(from, until);
        Rig.spin((until - from) * hostNanosPerRow);
      };
    }

    @Override
    public boolean runsOn(LaunchDevice device) {
      return true;
    }

    @Override
    public Launcher launcher(LaunchDevice device) {
      return ((FakeDevice) device).launcher(this::write);
    }

    final void write(long from, long until) {
      if (over.get()) {
        late.incrementAndGet();
      }
      for (long row = from; row < until; row++) {
        written.incrementAndGet((int) row);
      }
    }

    void check() {
      for (int row = 0; row < written.length(); row++) {
        if (written.get(row) != 1) {
          throw new AssertionError("row " + row + " was written " + written.get(row) + " times");
        }
      }
    }
  }

  private static LaunchPolicy policy(boolean share, boolean fallback, long timeoutNanos) {
    return new LaunchPolicy(new RoundRobin(), share, fallback, timeoutNanos);
  }

  private static Rig rig(int cores, LaunchPolicy policy, FakeDevice... devices) {
    return new Rig(cores, Arrays.asList(devices), 100_000, Rig.DEFAULT, policy);
  }

  private static JobSpec spec(int rows, Counted body, boolean mayRunTwice) {
    return spec(rows, body, mayRunTwice, new Pace());
  }

  static JobSpec spec(int rows, Counted body, boolean mayRunTwice, Pace pace) {
    return JobSpec.of(rows, body).pace(pace).mayRunTwice(mayRunTwice).build();
  }

  private static JobStats run(Rig rig, int rows, boolean mayRunTwice) throws Exception {
    Counted body = new Counted(rows, 200);
    JobStats stats = rig.job(spec(rows, body, mayRunTwice)).get();
    body.over.set(true);
    body.check();
    assertEquals(rows, stats.rows());
    return stats;
  }

  /** Repeats it until it gives true: an owner without a core may come when others have all rows. */
  private static void until(String what, Callable<Boolean> round) throws Exception {
    long begin = System.nanoTime();
    while (!round.call()) {
      assertTrue(System.nanoTime() - begin < Patience.NANOS, () -> "not in time: " + what);
    }
  }

  private static void assertIdle(Rig rig, FakeDevice... devices) throws Exception {
    rig.assertIdle();
    for (FakeDevice device : devices) {
      Patience.await("blocks given back", () -> device.stagedRows.get() == 0);
      Patience.await("launchers closed", () -> device.openLaunchers.get() == 0 || !device.closed);
    }
  }

  private static FakeDevice scripted(String name, int depth, FakeDevice.Script script) {
    return new FakeDevice(name, depth, 20_000, 50, script);
  }

  /** The launch with this number has the mishap. */
  static FakeDevice broken(String name, Mishap mishap, int at) {
    return scripted(name, 2, (launch, from, until) -> launch == at ? mishap : Mishap.NONE);
  }

  /** Of a job that lasts until the device has come. */
  @Test
  void aDeviceThatComesLateGetsRows() throws Exception {
    FakeDevice late = new FakeDevice("fake:0", 2);
    late.present = false;
    try (Rig rig = rig(1, policy(true, true, TimeUnit.HOURS.toNanos(1)), late)) {
      Counted body = new Counted(200_000, 20_000);
      Rig.Task<JobStats> job = rig.job(spec(200_000, body, false));
      late.wake.run();
      Patience.await("a core at work", () -> body.written.get(5_000) > 0);
      assertEquals(0, late.launches.get());
      late.present = true;
      late.wake.run();
      JobStats stats = job.get();
      body.check();
      assertTrue(stats.work(1).rows() > 0, () -> stats.work(1).toString());
      assertIdle(rig, late);
    }
  }

  /** There may be many such devices, and most may never come. */
  @Test
  void aDeviceThatSaysWhenItComesHasNoThreadBefore() throws Exception {
    FakeDevice late = wakingDevice("fake:late");
    FakeDevice never = wakingDevice("fake:never");
    try (Rig rig = rig(1, policy(true, true, TimeUnit.HOURS.toNanos(1)), late, never)) {
      Thread owner = rig.scheduler.owners().get(0).thread();
      Thread none = rig.scheduler.owners().get(1).thread();
      run(rig, 5_000, false);
      late.wake.run();
      assertEquals(Thread.State.NEW, owner.getState(), "it is still absent");
      late.present = true;
      late.wake.run();
      until("it gets rows", () -> run(rig, 200_000, false).rows(1) > 0);
      assertEquals(Thread.State.NEW, none.getState());
      assertIdle(rig, late);
    }
    assertTrue(late.closed && never.closed, "a device without an owner is closed, too");
  }

  /** It says itself when its lender has taken too long, and is then lent another core. */
  @Test
  void aCoreOfAnotherExecutorMayTakeLongerThanADevice() throws Exception {
    long nanosPerRow = SOON + SOON / 8;
    FakeDevice device =
        new FakeDevice("fake:0", 1, 20_000, nanosPerRow, (launch, from, until) -> Mishap.NONE);
    device.borrowed = true;
    try (Rig rig = rig(1, policy(false, true, SOON), device)) {
      JobStats stats = run(rig, 1, false);
      assertEquals(1, stats.rows(1));
      assertFalse(device.closed);
    }
  }

  /** An executor that has no such job any more tells the others so. */
  @Test
  void jobsThatMayBorrowAreSeenUntilTheyEnd() throws Exception {
    FakeDevice device = wakingDevice("fake:0");
    device.borrowed = true;
    try (Rig rig = rig(1, policy(true, true, TimeUnit.HOURS.toNanos(1)), device)) {
      assertFalse(rig.scheduler.hasBorrowingJobs());
      CountDownLatch seen = new CountDownLatch(1);
      Counted body =
          new Counted(100, 0) {
            @Override
            public Worker open(Device core) {
              return (from, until) -> {
                seen.await();
                write(from, until);
              };
            }
          };
      Rig.Task<JobStats> job = rig.job(spec(100, body, false));
      Patience.await("a job that may borrow", rig.scheduler::hasBorrowingJobs);
      seen.countDown();
      job.get();
      body.check();
      assertFalse(rig.scheduler.hasBorrowingJobs());
    }
  }

  private static FakeDevice wakingDevice(String name) {
    FakeDevice device =
        new FakeDevice(name, 1, 20_000, 50, (launch, from, until) -> Mishap.NONE, true);
    device.present = false;
    return device;
  }

  /** It had rows of its own, which others compute; when it is back it gets some again. */
  @Test
  void aDeviceThatGoesLeavesItsRowsToOthers() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 1);
    try (Rig rig = rig(1, policy(true, true, TimeUnit.HOURS.toNanos(1)), device)) {
      until("it is open", () -> run(rig, 20_000, false).rows(1) > 0);
      int before = device.launches.get();
      Counted body = new Counted(100_000, 2_000);
      Rig.Task<JobStats> job = rig.job(spec(100_000, body, false));
      Patience.await("a launch", () -> device.launches.get() > before || job.result.isDone());
      device.present = false;
      int launches = device.launches.get();
      JobStats stats = job.get();
      body.check();
      assertTrue(device.launches.get() <= launches + 1, "it had claimed one block at most");
      assertEquals(100_000, stats.rows());
      device.present = true;
      run(rig, 20_000, false);
      assertIdle(rig, device);
    }
  }

  /** Strategies know nothing of it then: threads share the rows as if it were not there. */
  @Test
  void aDeviceTakesNoPartInJobsThatAreNotWorthIt() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    device.leastJobNanos = 1e9;
    try (Rig rig = rig(1, policy(true, true, TimeUnit.HOURS.toNanos(1)), device)) {
      run(rig, 5_000, false);
      assertEquals(0, device.launches.get());
      Counted body = new Counted(100_000, 20_000);
      Pace pace = new Pace();
      pace.learn(1, 20_000);
      rig.job(spec(100_000, body, false, pace)).get();
      body.check();
      assertTrue(device.launches.get() > 0);
    }
  }

  static Collection<String> strategies() {
    return Strategies.names();
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void devicesAndCoresShareEveryStrategysRows(String strategy) throws Exception {
    FakeDevice a = new FakeDevice("fake:0", 2);
    FakeDevice b = new FakeDevice("fake:1", 1);
    try (Rig rig =
        new Rig(
            2,
            List.of(a, b),
            100_000,
            Strategies.byName(strategy, Strategies.Options.DEFAULT),
            policy(true, true, LATE))) {
      for (int rows : new int[] {1, 2, 3, 1000}) {
        run(rig, rows, false);
      }
      until(
          "the devices have rows",
          () -> {
            run(rig, 50_000, false);
            return a.launches.get() + b.launches.get() > 0;
          });
      assertIdle(rig, a, b);
    }
    assertTrue(a.closed && b.closed);
    assertEquals(0, a.openLaunchers.get() + b.openLaunchers.get());
  }

  /** Without any job; and a device that fails at it is given up, as everywhere. */
  @Test
  void anIdleDeviceIsAskedUntilItRests() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    device.rests.set(20);
    try (Rig rig = rig(1, policy(true, true, LATE), device)) {
      Patience.await("at rest", () -> device.rests.get() == 0);
      device.restFails = true;
      run(rig, 1000, false);
      Patience.await(
          "given up",
          () ->
              rig.table.snapshot().stream()
                  .anyMatch(load -> load.state() == DeviceState.QUARANTINED));
      run(rig, 1000, false);
      assertIdle(rig, device);
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void devicesComputeAloneIfCoresAreNotToShare(String strategy) throws Exception {
    FakeDevice a = new FakeDevice("fake:0", 2);
    FakeDevice b = new FakeDevice("fake:1", 2);
    try (Rig rig =
        new Rig(
            2,
            List.of(a, b),
            100_000,
            Strategies.byName(strategy, Strategies.Options.DEFAULT),
            policy(false, false, LATE))) {
      for (int rows : new int[] {1, 7, 30_000}) {
        JobStats stats = run(rig, rows, false);
        assertEquals(0, stats.rows(0) + stats.rows(1));
      }
      assertIdle(rig, a, b);
    }
  }

  @Test
  void copiesOfLongerRowsTakeLonger() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    device.transferNanosPerByte = 0.25;
    List<WorkerSpec> told = new ArrayList<>();
    Strategy listening =
        deal -> {
          told.addAll(deal.workers());
          return Rig.DEFAULT.deal(deal);
        };
    try (Rig rig = new Rig(1, List.of(device), 100_000, listening, policy(false, false, LATE))) {
      for (double bytesPerRow : new double[] {0, 1000}) {
        Counted body = new Counted(1000, 50);
        rig.job(JobSpec.of(1000, body).bytesPerRow(bytesPerRow).build()).get();
        body.over.set(true);
        body.check();
      }
    }
    assertEquals(
        List.of(0.0, 250.0),
        told.stream().filter(w -> w.staged()).map(w -> w.transferNanosPerRow()).toList());
  }

  @Test
  void noMoreIsInFlightThanTheDeviceHolds() throws Exception {
    FakeDevice one = new FakeDevice("fake:0", 1);
    FakeDevice two = new FakeDevice("fake:1", 2);
    try (Rig rig = rig(1, policy(false, false, LATE), one, two)) {
      long begin = System.nanoTime();
      do { // an owner without a core may find each block done when it looks
        List<Rig.Task<JobStats>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          tasks.add(rig.job(spec(20_000, new Counted(20_000, 0), false)));
        }
        for (Rig.Task<JobStats> task : tasks) {
          task.get();
        }
      } while (two.mostInFlight.get() < 2 && System.nanoTime() - begin < Patience.NANOS);
      assertEquals(1, one.mostInFlight.get());
      assertEquals(2, two.mostInFlight.get());
    }
  }

  @Test
  void aDeviceThatFailsHandsItsRowsBack() throws Exception {
    for (int launch : new int[] {0, 1, 3}) {
      for (Mishap mishap : List.of(Mishap.FAILS, Mishap.FAILS_TO_LAUNCH)) {
        FakeDevice bad = broken("fake:0", mishap, launch);
        FakeDevice good = new FakeDevice("fake:1", 2);
        try (Rig rig = rig(2, policy(false, false, LATE), bad, good)) {
          JobStats stats;
          do {
            stats = run(rig, 40_000, false);
          } while (bad.launches.get() <= launch);
          assertTrue(stats.rows(3) > 0);
          Patience.await("given up", () -> bad.closed);
          assertEquals(0, run(rig, 1000, false).rows(2), "a quarantined device gets no rows");
          assertIdle(rig, bad, good);
          assertTrue(rig.table.snapshot().get(2).failures() > 0);
        }
      }
    }
  }

  @Test
  void aDeviceThatHangsIsGivenUpAndItsRowsRunElsewhere() throws Exception {
    for (boolean twice : new boolean[] {false, true}) {
      FakeDevice bad = broken("fake:0", Mishap.HANGS, 1);
      FakeDevice good = new FakeDevice("fake:1", 2);
      try (Rig rig = rig(2, policy(true, true, SOON), bad, good)) {
        while (bad.launches.get() <= 1) {
          run(rig, 40_000, twice);
        }
        Patience.await("given up", () -> bad.closed);
        assertIdle(rig, bad, good);
      }
    }
  }

  /** Rows of a device that hangs need no time-out where they may run twice. */
  @Test
  void whatMayRunTwiceDoesNotWaitForADeviceThatHangs() throws Exception {
    FakeDevice bad = broken("fake:0", Mishap.HANGS, 1);
    FakeDevice good = new FakeDevice("fake:1", 2);
    Rig rig = rig(1, policy(false, false, LATE), bad, good);
    try {
      run(rig, 40_000, true);
      assertFalse(bad.closed);
    } finally {
      rig.close();
    }
    assertEquals(0, bad.stagedRows.get() + bad.openLaunchers.get());
  }

  @Test
  void aCallThatDoesNotReturnIsGivenUpByWhoWaits() throws Exception {
    FakeDevice bad = broken("fake:0", Mishap.STUCK, 1);
    FakeDevice good = new FakeDevice("fake:1", 2);
    try (Rig rig = rig(1, policy(false, true, SOON), bad, good)) {
      while (bad.stuck.getCount() > 0) {
        run(rig, 40_000, false);
      }
      run(rig, 100, false);
      bad.release.countDown();
      Patience.await("the owner ends", () -> bad.closed);
      assertIdle(rig, bad, good);
    }
  }

  /** As where a kernel is loaded behind one that never ends: the job's memory is not held by it. */
  @Test
  void aLauncherThatIsNotMadeIsGivenUpByWhoWaits() throws Exception {
    FakeDevice bad = new FakeDevice("fake:0", 2);
    stuckOwnerIsGivenUp(
        bad,
        new Counted(100, 0) {
          @Override
          public Launcher launcher(LaunchDevice device) {
            bad.awaitRelease();
            return super.launcher(device);
          }
        });
  }

  /** A driver may give memory only when a kernel of another job has ended: which may be never. */
  @Test
  void anOwnerThatIsStuckAsItMakesRoomIsGivenUpByWhoWaits() throws Exception {
    FakeDevice bad = new FakeDevice("fake:0", 2);
    stuckOwnerIsGivenUp(
        bad,
        new Counted(100, 0) {
          @Override
          public Launcher launcher(LaunchDevice device) {
            return (from, until) -> {
              throw new NoRoomYetException(bad::awaitRelease);
            };
          }
        });
  }

  /** A hundred rows are computed though the owner is stuck, which comes back when all is over. */
  private static void stuckOwnerIsGivenUp(FakeDevice bad, Counted body) throws Exception {
    try (Rig rig = rig(1, policy(false, true, SOON), bad)) {
      assertEquals(100, rig.job(spec(100, body, false)).get().rows(0));
      body.over.set(true);
      bad.release.countDown();
      Patience.await("the owner ends", () -> bad.closed);
      body.check();
      assertEquals(0, body.late.get());
      assertIdle(rig, bad);
    }
  }

  /**
   * A strategy may keep a device's rows for it, though its owner does not come: the submitter looks
   * after it meanwhile, and does not ask again and again.
   */
  @Test
  void anOwnerThatIsStuckBeforeItClaimsIsGivenUpByWhoWaits() throws Exception {
    FakeDevice bad = new FakeDevice("fake:0", 1);
    AtomicInteger asked = new AtomicInteger();
    bad.asItTells =
        () -> {
          if (asked.incrementAndGet() > 1) {
            bad.awaitRelease();
          }
        };
    try (Rig rig =
        new Rig(
            1,
            List.of(bad),
            100_000,
            Strategies.byName("static", Strategies.Options.DEFAULT),
            policy(true, true, SOON))) {
      Patience.await(
          "the owner is stuck",
          () -> {
            bad.wake.run();
            return bad.stuck.getCount() == 0;
          });
      assertEquals(100, run(rig, 100, false).rows(0));
      bad.release.countDown();
      Patience.await("the owner ends", () -> bad.closed);
      assertIdle(rig, bad);
    }
  }

  /** The device was given up while it said that a block is done: others have the rows. */
  @Test
  void aBlockThatIsDoneTooLateIsNotPublished() throws Exception {
    FakeDevice bad = broken("fake:0", Mishap.STUCK_BUT_DONE, 0);
    // A strategy that would believe a second commit of the same rows.
    try (Rig rig =
        new Rig(
            1,
            List.of(bad),
            100_000,
            Strategies.byName("fixed", Strategies.Options.DEFAULT),
            policy(false, true, SOON))) {
      Counted body =
          new Counted(100, 0) {
            @Override
            public Worker open(Device device) {
              return (from, until) -> {
                write(from, until);
                bad.release.countDown();
                Patience.await("the owner ends", () -> bad.closed);
              };
            }
          };
      JobStats stats = rig.job(spec(100, body, false)).get();
      assertEquals(100, stats.rows(0));
      body.check();
      assertIdle(rig, bad);
    }
  }

  @Test
  void coresComputeWhenAllDevicesAreLost() throws Exception {
    FakeDevice a = broken("fake:0", Mishap.FAILS, 2);
    FakeDevice b = broken("fake:1", Mishap.HANGS, 1);
    try (Rig rig = rig(2, policy(false, true, SOON), a, b)) {
      JobStats stats = run(rig, 40_000, false);
      assertTrue(stats.rows(0) + stats.rows(1) > 0);
      JobStats next = run(rig, 1000, false);
      assertEquals(1000, next.rows(0) + next.rows(1));
      assertIdle(rig, a, b);
    }
  }

  @Test
  void withoutFallbackTheErrorNamesEachDeviceAndTheKey() throws Exception {
    FakeDevice a = broken("fake:0", Mishap.FAILS, 0);
    FakeDevice b = broken("fake:1", Mishap.FAILS_TO_LAUNCH, 0);
    try (Rig rig = rig(2, policy(false, false, LATE), a, b)) {
      String first = failure(rig, 40_000).getMessage();
      assertTrue(first.startsWith("no device is left to compute this batch: "), first);
      String second = failure(rig, 40_000).getMessage();
      assertEquals(
          "no device may compute this batch: fake:0 was given up: sticky error as it computed;"
              + " fake:1 was given up: sticky error as it launched. Set"
              + " spark.gpusched.hostFallback=true to have cores compute it then",
          second);
      assertIdle(rig, a, b);
    }
  }

  /** A job that cores cannot compute. */
  private static final class WithoutCores extends Counted {
    private final boolean onDevices;

    WithoutCores(int rows, boolean onDevices) {
      super(rows, 0);
      this.onDevices = onDevices;
    }

    @Override
    public boolean runsOnCores() {
      return false;
    }

    @Override
    public boolean runsOn(LaunchDevice device) {
      return onDevices;
    }

    @Override
    public Worker open(Device device) {
      throw new AssertionError(device.name() + " was to compute it");
    }
  }

  @Test
  void coresThatCannotComputeAJobTakeNoPartInIt() throws Exception {
    FakeDevice a = new FakeDevice("fake:0", 2);
    FakeDevice b = broken("fake:1", Mishap.FAILS, 1);
    try (Rig rig = rig(2, policy(true, true, LATE), a, b)) {
      WithoutCores body = new WithoutCores(40_000, true);
      JobStats stats = rig.job(spec(40_000, body, false)).get();
      body.over.set(true);
      body.check();
      assertEquals(0, stats.rows(0) + stats.rows(1));
      assertIdle(rig, a, b);
    }
  }

  /** A job whose rows are to be computed by one kind of device, whichever. */
  private static final class OfOneKind extends Counted {
    private final boolean onDevices;

    OfOneKind(int rows, boolean onDevices) {
      super(rows, 0);
      this.onDevices = onDevices;
    }

    @Override
    public boolean sharesWithCores() {
      return false;
    }

    @Override
    public boolean runsOn(LaunchDevice device) {
      return onDevices;
    }
  }

  @Test
  void rowsOfOneKindAreNotSharedWithCores() throws Exception {
    FakeDevice a = new FakeDevice("fake:0", 2);
    FakeDevice b = broken("fake:1", Mishap.FAILS, 1);
    try (Rig rig = rig(2, policy(true, true, LATE), a, b)) {
      for (boolean onDevices : new boolean[] {true, false}) {
        OfOneKind body = new OfOneKind(40_000, onDevices);
        JobStats stats = rig.job(spec(40_000, body, false)).get();
        body.over.set(true);
        body.check();
        assertEquals(onDevices ? 0 : 40_000, stats.rows(0) + stats.rows(1));
      }
      assertIdle(rig, a, b);
    }
  }

  /** What a device had published stays: its failure is the one way to mix kinds. */
  @Test
  void coresTakeRowsOfOneKindWhenTheLastDeviceIsLost() throws Exception {
    FakeDevice a = broken("fake:0", Mishap.FAILS, 2);
    try (Rig rig = rig(2, policy(true, true, SOON), a)) {
      OfOneKind body = new OfOneKind(40_000, true);
      JobStats stats = rig.job(spec(40_000, body, false)).get();
      body.over.set(true);
      body.check();
      assertTrue(stats.rows(0) + stats.rows(1) > 0);
      assertIdle(rig, a);
    }
  }

  @Test
  void whatOnlyLostDevicesCanComputeFails() throws Exception {
    FakeDevice device = broken("fake:0", Mishap.FAILS, 1);
    try (Rig rig = rig(2, policy(true, true, LATE), device)) {
      Throwable first = rig.job(spec(40_000, new WithoutCores(40_000, true), false)).failure();
      assertEquals(NoDeviceException.class, first.getClass());
      assertEquals(
          "no device is left to compute this batch: fake:0 was given up: sticky error as it"
              + " computed",
          first.getMessage());
      Throwable second = rig.job(spec(1000, new WithoutCores(1000, true), false)).failure();
      assertEquals(
          "no device may compute this batch: fake:0 was given up: sticky error as it computed",
          second.getMessage());
      Throwable third = rig.job(spec(1000, new WithoutCores(1000, false), false)).failure();
      assertEquals("no device may compute this batch", third.getMessage());
      run(rig, 1000, false); // cores go on with what they can
      assertIdle(rig, device);
    }
  }

  private static Throwable failure(Rig rig, int rows) throws Exception {
    return rig.job(spec(rows, new Counted(rows, 0), false)).failure();
  }

  @Test
  void whatTheFunctionThrowsFailsTheJobOnce() throws Exception {
    FakeDevice device = broken("fake:0", Mishap.THROWS, 1);
    try (Rig rig = rig(1, policy(false, false, LATE), device)) {
      assertEquals(IllegalArgumentException.class, failure(rig, 40_000).getClass());
      run(rig, 1000, false); // the device lives
      assertIdle(rig, device);
    }
  }

  @Test
  void blocksAreHalvedUntilTheyFit() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    device.memoryRows = 100;
    try (Rig rig = rig(1, policy(false, false, LATE), device)) {
      run(rig, 5000, false);
      assertTrue(device.launches.get() >= 50);
      assertTrue(device.launches.get() < 500, "blocks of a row each");
      assertIdle(rig, device);
    }
  }

  @Test
  void aDeviceWithoutRoomForOneRowLeavesTheJob() throws Exception {
    FakeDevice small = new FakeDevice("fake:0", 2);
    small.memoryRows = 0;
    try (Rig rig = rig(1, policy(false, true, LATE), small)) {
      assertEquals(500, run(rig, 500, false).rows(0));
      small.memoryRows = 1000;
      assertEquals(500, run(rig, 500, false).rows(1), "it is used again when there is room");
    }
    try (Rig rig = rig(1, policy(false, false, LATE), zeroRoom())) {
      String message = failure(rig, 500).getMessage();
      assertTrue(message.contains("fake:0 has no room for one row"), message);
    }
  }

  /** What it did not come to is no part of what its speed is learned from. */
  @Test
  void rowsThatADeviceDidNotComeToAreDealtAnew() throws Exception {
    Mishap[] first = {Mishap.NOTHING, Mishap.HALF, Mishap.HALF, Mishap.NOTHING};
    FakeDevice bad =
        scripted("fake:0", 2, (n, from, until) -> n < first.length ? first[n] : Mishap.NONE);
    FakeDevice good = new FakeDevice("fake:1", 2);
    try (Rig rig = rig(1, policy(false, false, LATE), bad, good)) {
      until(
          "it comes to all rows of a block",
          () -> {
            JobStats stats = run(rig, 40_000, false);
            assertEquals(0, stats.rows(0), "no row is left to the cores");
            return stats.rows(1) > 0 && bad.launches.get() >= first.length;
          });
      assertIdle(rig, bad, good);
    }
  }

  /** A job that a device refuses, at its first block or a later one, runs elsewhere. */
  @ParameterizedTest
  @CsvSource({"REFUSES, 0", "REFUSES, 1", "REFUSES, 3", "REFUSES_LATE, 0", "REFUSES_LATE, 3"})
  void aDeviceThatRefusesAJobLeavesItAndComputesOthers(Mishap refuses, int at) throws Exception {
    FakeDevice device = broken("fake:0", refuses, at);
    try (Rig rig = rig(1, policy(false, true, LATE), device)) {
      JobStats refused = run(rig, 40_000, false);
      assertTrue(refused.rows(0) > 0, "cores compute what the device refused");
      assertEquals(500, run(rig, 500, false).rows(1), "the device computes other jobs");
      assertIdle(rig, device);
    }
    FakeDevice alone = broken("fake:0", refuses, at);
    try (Rig rig = rig(1, policy(false, false, LATE), alone)) {
      String message = failure(rig, 40_000).getMessage();
      assertTrue(message.contains("fake:0 has no"), message);
      run(rig, 500, false);
      assertIdle(rig, alone);
    }
  }

  /** No function of the user's runs on an owner's thread, and cores take no other rows. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsThatADeviceCannotComputeAreLeftToTheJobsThreads(boolean coresShare) throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    device.cannot = row -> row % 1000 < 3 || row == 39_999;
    try (Rig rig = rig(2, policy(coresShare, false, LATE), device)) {
      Set<String> threads = ConcurrentHashMap.newKeySet();
      Counted body =
          new Counted(40_000, 200) {
            @Override
            public Worker open(Device core) {
              Worker worker = super.open(core);
              return (from, until) -> {
                threads.add(Thread.currentThread().getName());
                worker.run(from, until);
              };
            }
          };
      JobStats stats = rig.job(spec(40_000, body, false)).get();
      body.over.set(true);
      body.check();
      assertEquals(40_000, stats.rows());
      if (!coresShare) {
        assertEquals(121, stats.rows(0) + stats.rows(1), "cores compute what is left, and no more");
      }
      long shown = rig.table.snapshot().stream().mapToLong(DeviceLoad::blocks).sum();
      assertEquals(stats.blocks(), shown, "whoever comes too late for what is left has no block");
      assertFalse(threads.contains("gpusched-fake:0"), threads.toString());
      assertIdle(rig, device);
    }
  }

  /**
   * The only block, of all rows, leaves its last one to the submitter, which has long been waiting
   * when it lands.
   */
  @Test
  void aJobIsNotOverWhileARowIsLeft() throws Exception {
    FakeDevice device =
        new FakeDevice("fake:0", 1, 20_000, 250_000, (launch, from, until) -> Mishap.NONE);
    device.cannot = row -> row == 99;
    Strategy fixed = Strategies.byName("fixed", new Strategies.Options(100));
    try (Rig rig = new Rig(1, List.of(device), 100_000, fixed, policy(false, false, LATE))) {
      // A submitter that wakes in the middle of a publication sees the row before the commit: what
      // is tested is who wakes after it, which most do.
      for (int i = 1; i <= 20; i++) {
        JobStats stats = run(rig, 100, false);
        assertEquals(1, stats.rows(0));
        assertEquals(i, device.launches.get());
        assertIdle(rig, device);
      }
    }
  }

  /**
   * Where cores are not to share, whoever computes what a device left takes nothing else. The
   * device stands still, with most of the rows to claim, until the submitter has done what was left
   * and come back to its wait: it asks twice after that whether the task was cancelled.
   */
  @Test
  void whoComputesWhatIsLeftTakesNoOtherRows() throws Exception {
    FakeDevice device =
        scripted("fake:0", 1, (launch, from, until) -> launch == 1 ? Mishap.STUCK : Mishap.NONE);
    device.cannot = row -> row == 0;
    AtomicInteger asked = new AtomicInteger();
    Strategy fixed = Strategies.byName("fixed", Strategies.Options.DEFAULT);
    try (Rig rig = new Rig(1, List.of(device), 100_000, fixed, policy(false, false, LATE))) {
      Counted body = new Counted(40_000, 0);
      JobSpec spec =
          JobSpec.of(40_000, body)
              .cancelled(
                  () -> {
                    boolean nothingIsLeft = body.written.get(0) > 0;
                    boolean standsStill = device.stuck.getCount() == 0;
                    if (nothingIsLeft && standsStill && asked.incrementAndGet() == 2) {
                      device.release.countDown();
                    }
                    return false;
                  })
              .build();
      JobStats stats = rig.job(spec).get();
      body.check();
      assertTrue(device.launches.get() > 2, "there was more to take");
      assertEquals(1, stats.rows(0));
      assertIdle(rig, device);
    }
  }

  /** What a row that is left throws fails the job; the device lives. */
  @Test
  void aRowThatIsLeftMayFail() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    device.cannot = row -> row == 7;
    try (Rig rig = rig(1, policy(false, false, LATE), device)) {
      Counted body =
          new Counted(100, 0) {
            @Override
            public Worker open(Device core) {
              return (from, until) -> {
                throw new IllegalStateException("row " + from);
              };
            }
          };
      assertEquals("row 7", rig.job(spec(100, body, false)).failure().getMessage());
      assertEquals(99, run(rig, 100, false).rows(1));
      assertIdle(rig, device);
    }
  }

  /** Launches that fail, of a device that recovers. */
  private static FakeDevice recovering(Mishap mishap, IntPredicate fails) {
    FakeDevice device =
        scripted("fake:0", 2, (launch, from, until) -> fails.test(launch) ? mishap : Mishap.NONE);
    device.recovers = true;
    return device;
  }

  private static DeviceState state(Rig rig, int device) {
    return rig.table.snapshot().get(device).state();
  }

  @ParameterizedTest
  @ValueSource(strings = {"FAILS", "FAILS_TO_LAUNCH"})
  void aDeviceThatFailedRecovers(String mishap) throws Exception {
    for (int at : new int[] {0, 1, 3}) {
      FakeDevice device = recovering(Mishap.valueOf(mishap), launch -> launch == at);
      try (Rig rig = rig(1, policy(false, true, LATE), device)) {
        while (device.recoveries.get() == 0) {
          run(rig, 40_000, false);
        }
        Patience.await("shown as active", () -> state(rig, 1) == DeviceState.ACTIVE);
        assertEquals(500, run(rig, 500, false).rows(1), "it is used again");
        assertEquals(1, device.recoveries.get());
        assertIdle(rig, device);
      }
    }
  }

  /** The job whose block it failed at runs elsewhere; others wait for the device. */
  @Test
  void aDeviceThatRecoversKeepsOtherJobs() throws Exception {
    FakeDevice device =
        new FakeDevice(
            "fake:0",
            1,
            20_000,
            50,
            (launch, from, until) -> until <= 10 ? Mishap.FAILS : Mishap.NONE);
    device.recovers = true;
    try (Rig rig =
        new Rig(
            1,
            List.of(device),
            100_000,
            Strategies.byName("fixed", new Strategies.Options(1000)),
            policy(false, false, LATE))) {
      Rig.Task<JobStats> other = rig.job(spec(2_000_000, new Counted(2_000_000, 0), false));
      Patience.await("the other job runs", () -> device.launches.get() > 3);
      String message = failure(rig, 10).getMessage();
      assertTrue(
          message.contains("fake:0 failed at a block of it: sticky error as it computed"), message);
      assertEquals(2_000_000, other.get().rows());
      assertIdle(rig, device);
    }
  }

  @Test
  void aDeviceThatFailsTooOftenIsGivenUp() throws Exception {
    FakeDevice device = recovering(Mishap.FAILS, launch -> true);
    try (Rig rig = rig(1, policy(false, true, LATE), device)) {
      for (int i = 0; i < DeviceHealth.MOST_RECOVERIES + 2; i++) {
        run(rig, 1000, false);
      }
      Patience.await("given up", () -> device.closed);
      assertEquals(DeviceHealth.MOST_RECOVERIES, device.recoveries.get());
      assertEquals(DeviceState.QUARANTINED, state(rig, 1));
      assertIdle(rig, device);
    }
  }

  @Test
  void aDeviceThatCannotBeOpenedAnewIsGivenUp() throws Exception {
    FakeDevice device = recovering(Mishap.FAILS, launch -> true);
    device.recoveryFails = new DeviceFailedException("no context", null);
    try (Rig rig = rig(1, policy(false, false, LATE), device)) {
      String message = failure(rig, 1000).getMessage();
      assertTrue(
          message.contains(
              "fake:0 was given up: sticky error as it computed, and could not be opened anew: no"
                  + " context"),
          message);
      assertIdle(rig, device);
    }
  }

  /** Strategies are told what a launch turns out to cost, which is more than the device says. */
  @Test
  void launchesCostWhatTheyTurnOutTo() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 1, 1000, 100, (n, from, until) -> Mishap.NONE);
    try (Rig rig = rig(1, policy(false, false, LATE), device)) {
      DeviceOwner owner = rig.scheduler.owners().get(0);
      assertEquals(1000, owner.spec().launchNanos());
      run(rig, 10_000, false);
      assertTrue(owner.spec().launchNanos() > 1000, "still " + owner.spec());
      assertIdle(rig, device);
    }
  }

  /** A device can say only once it is open what its launches cost, and again if it recovers. */
  @Test
  void whatADeviceFindsAsItIsOpenedIsWhatStrategiesAreTold() throws Exception {
    FakeDevice device = recovering(Mishap.FAILS, launch -> launch == 0);
    device.foundLaunchNanos = 70_000;
    try (Rig rig = rig(1, policy(false, true, LATE), device)) {
      DeviceOwner owner = rig.scheduler.owners().get(0);
      assertEquals(70_000, owner.spec().launchNanos());
      device.foundLaunchNanos = 90_000;
      run(rig, 1000, false);
      Patience.await("recovered", () -> owner.spec().launchNanos() == 90_000);
      assertIdle(rig, device);
    }
  }

  @Test
  void devicesAreOpenedAllAtOnce() throws Exception {
    FakeDevice a = new FakeDevice("fake:0", 2);
    FakeDevice b = new FakeDevice("fake:1", 2);
    a.mayOpen = b.opening; // the first opens once the second begins to
    try (Rig rig = rig(1, policy(false, false, OPENING), a, b)) {
      assertEquals(DeviceState.ACTIVE, state(rig, 1));
      run(rig, 1000, false);
      assertIdle(rig, a, b);
    }
  }

  private static FakeDevice zeroRoom() {
    FakeDevice device = new FakeDevice("fake:0", 2);
    device.memoryRows = 0;
    return device;
  }

  @Test
  void aCancelledJobLeavesNothingInFlightBehind() throws Exception {
    FakeDevice device = broken("fake:0", Mishap.STUCK_BUT_DONE, 0);
    AtomicBoolean cancelled = new AtomicBoolean();
    Counted body = new Counted(1_000_000, 0);
    JobSpec spec = JobSpec.of(1_000_000, body).cancelled(cancelled::get).build();
    try (Rig rig = rig(1, policy(false, false, LATE), device)) {
      Rig.Task<JobStats> task = rig.job(spec);
      Patience.await(device.stuck);
      cancelled.set(true);
      assertEquals(CancellationException.class, task.failure().getClass());
      body.over.set(true);
      device.release.countDown();
      Patience.await("blocks given back", () -> device.stagedRows.get() == 0);
      assertEquals(0, body.late.get(), "written after the job's end");
      run(rig, 1000, false); // the device lives
      assertIdle(rig, device);
    }
  }

  @Test
  void aTaskThatWaitsForDevicesAloneLendsItsCore() throws Exception {
    FakeDevice device = broken("fake:0", Mishap.HANGS, 0);
    try (Rig rig = rig(1, policy(false, false, LATE), device)) {
      Rig.Task<JobStats> task = rig.job(spec(1000, new Counted(1000, 0), false));
      Patience.await("the launch", () -> device.launches.get() > 0);
      Patience.await("its core is lent", () -> rig.scheduler.helpers().budget().busy() == 0);
      task.thread.interrupt();
      assertInstanceOf(InterruptedException.class, task.failure());
      rig.assertIdle();
    }
  }

  @Test
  void anInterruptEndsAWaitForDevices() throws Exception {
    FakeDevice device = broken("fake:0", Mishap.HANGS, 0);
    try (Rig rig = rig(1, policy(false, false, LATE), device)) {
      Rig.Task<JobStats> task = rig.job(spec(1000, new Counted(1000, 0), false));
      Patience.await("launched", () -> device.launches.get() > 0);
      task.thread.interrupt();
      assertEquals(InterruptedException.class, task.failure().getClass());
    }
    assertEquals(0, device.stagedRows.get());
  }

  @Test
  void closingEndsJobsAndDevices() throws Exception {
    FakeDevice device = broken("fake:0", Mishap.HANGS, 0);
    Rig rig = rig(1, policy(false, false, LATE), device);
    Rig.Task<JobStats> task = rig.job(spec(1000, new Counted(1000, 0), false));
    Patience.await("launched", () -> device.launches.get() > 0);
    rig.close();
    assertEquals(CancellationException.class, task.failure().getClass());
    assertTrue(device.closed);
    assertEquals(0, device.stagedRows.get() + device.openLaunchers.get());
  }

  /**
   * One device, two tasks that always have blocks for it: time goes by their weights. While the
   * heavier task gets its rows of 1 us each, the other gets a quarter of that. The device stands
   * still in a block of the other until the heavier one waits for it, too.
   */
  @Test
  void tasksShareADeviceByTheirWeights() throws Exception {
    FakeDevice device =
        new FakeDevice(
            "fake:0",
            1,
            1000,
            1000,
            (launch, from, until) -> launch == 3 ? Mishap.STUCK : Mishap.NONE);
    Account one = new Account(1);
    try (Rig rig =
        new Rig(
            1,
            List.of(device),
            100_000,
            Strategies.byName("fixed", new Strategies.Options(50)),
            policy(false, false, LATE))) {
      JobSpec light = JobSpec.of(ROWS, new Counted(ROWS, 0)).account(one).build();
      Rig.Task<JobStats> slow = rig.job(light);
      Patience.await(device.stuck);
      double before = one.virtualNanos();
      assertTrue(before > 0, "the first blocks are charged");
      AtomicReference<Double> after = new AtomicReference<>();
      AtomicInteger rowsLeft = new AtomicInteger(ROWS);
      Counted body =
          new Counted(ROWS, 0) {
            @Override
            public Launcher launcher(LaunchDevice of) {
              return ((FakeDevice) of)
                  .launcher(
                      (from, until) -> {
                        write(from, until);
                        if (rowsLeft.addAndGet((int) (from - until)) == 0) {
                          after.set(one.virtualNanos());
                        }
                      });
            }
          };
      AtomicInteger asked = new AtomicInteger();
      JobSpec heavy =
          JobSpec.of(ROWS, body)
              .account(new Account(4))
              .cancelled(
                  () -> {
                    if (asked.incrementAndGet() == 3) { // it waits
                      device.release.countDown();
                    }
                    return false;
                  })
              .build();
      rig.job(heavy).get();
      slow.get();
      assertEquals(0.25, (after.get() - before) / (ROWS * 1000.0), 0.1);
    }
  }

  @Test
  void needsKeepDevicesOutAndAreNamed() throws Exception {
    FakeDevice small = new FakeDevice("fake:0", 2);
    FakeDevice large = new FakeDevice("fake:1", 2);
    small.facts = new DeviceFacts(1000, 2000, Map.of(PlacementHints.COMPUTE_CAPABILITY, 75));
    large.facts = new DeviceFacts(5000, 8000, Map.of(PlacementHints.COMPUTE_CAPABILITY, 90));
    try (Rig rig = rig(1, policy(false, false, LATE), small, large)) {
      assertEquals(900, rig.job(needing(new PlacementHints(3000, 0, 0))).get().rows(2));
      assertEquals(900, rig.job(needing(new PlacementHints(0, 80, 0))).get().rows(2));
      String needs = rig.job(needing(new PlacementHints(0, 99, 0))).failure().getMessage();
      assertTrue(needs.contains("fake:1 has cuda.computeCapability 90 of 99"), needs);
      // What no device here has keeps none out: it is another kind's.
      PlacementHints others = new PlacementHints(0, Map.of("other.size", 5), 0);
      assertEquals(900, rig.job(needing(others)).get().rows());
      assertEquals(
          "no device may compute this batch: fake:0 has 1000 bytes free of 9000; fake:1 has 5000"
              + " bytes free of 9000. Set spark.gpusched.hostFallback=true to have cores compute it"
              + " then",
          rig.job(needing(new PlacementHints(9000, 0, 0))).failure().getMessage());
    }
  }

  /** A device without jobs says nothing of itself: it is asked before it is left out. */
  @Test
  void aDeviceThatHadNoMemoryOnceIsAskedAgain() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    device.facts = new DeviceFacts(1000, 8000, Map.of());
    try (Rig rig = rig(1, policy(false, false, LATE), device)) {
      JobSpec job = needing(new PlacementHints(3000, 0, 0));
      assertTrue(rig.job(job).failure().getMessage().contains("1000 bytes free of 3000"));
      device.facts = new DeviceFacts(5000, 8000, Map.of());
      long end = System.nanoTime() + Patience.NANOS;
      while (!rig.job(job).result.handle((stats, failure) -> failure == null).get()) {
        assertTrue(System.nanoTime() < end, "it is never asked"); // what it said is old by then
      }
    }
  }

  private static JobSpec needing(PlacementHints hints) {
    return JobSpec.of(900, new Counted(900, 0)).hints(hints).build();
  }

  @Test
  void aPolicyThatPicksNothingFailsTheJob() throws Exception {
    FakeDevice a = new FakeDevice("fake:0", 2);
    FakeDevice b = new FakeDevice("fake:1", 2);
    LaunchPolicy wrong = new LaunchPolicy((hints, candidates) -> 7, false, false, LATE);
    try (Rig rig = rig(1, wrong, a, b)) {
      String message = failure(rig, 100).getMessage();
      assertTrue(message.contains("picked device 7 of 2"), message);
      rig.assertIdle();
    }
  }
}
