package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.FakeDevice.Mishap;
import io.github.sparkgpusched.schedule.LaunchDevicesTest.Counted;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.testing.Patience;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What goes in one launch: a device is held in its first launch until all jobs of the test wait for
 * it.
 */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedLaunchesTest {
  private static final int ROWS = 100;

  /** Rows of a job with these kernels. */
  private static class Alike extends Counted {
    private final Object kernels;

    Alike(Object kernels) {
      super(ROWS, 0);
      this.kernels = kernels;
    }

    @Override
    public Object kernels(LaunchDevice device) {
      return kernels;
    }
  }

  /** One whose launcher, or whose place in another's launch, is not to be had. */
  private static final class Troubled extends Alike {
    private final RuntimeException trouble;

    Troubled(Object kernels, RuntimeException trouble) {
      super(kernels);
      this.trouble = trouble;
    }

    @Override
    public Launcher launcher(LaunchDevice device) {
      throw trouble;
    }
  }

  private final List<Integer> launches = Collections.synchronizedList(new ArrayList<>());

  /** The first launch is stuck; then some of these kinds, and the rest as they should be. */
  private FakeDevice device(int depth, Mishap... next) {
    FakeDevice device =
        new FakeDevice(
            "fake:0",
            depth,
            20_000,
            50,
            (launch, from, until) ->
                launch == 0
                    ? Mishap.STUCK
                    : launch <= next.length ? next[launch - 1] : Mishap.NONE);
    device.waveRows = 10 * ROWS;
    device.recovers = true;
    device.asItLaunches = launches::add;
    return device;
  }

  private static Rig rig(FakeDevice device) {
    return rig(device, true);
  }

  private static Rig rig(FakeDevice device, boolean fallback) {
    LaunchPolicy policy =
        new LaunchPolicy(new RoundRobin(), false, fallback, TimeUnit.HOURS.toNanos(1));
    Strategy whole = Strategies.byName("fixed", new Strategies.Options(ROWS));
    return new Rig(1, List.of(device), 100_000, whole, policy);
  }

  private static Rig.Task<JobStats> job(Rig rig, Counted body, Account account) {
    return rig.job(JobSpec.of(ROWS, body).pace(new Pace()).account(account).build());
  }

  /** Runs these jobs, which all wait as the device can launch the second time. */
  private static List<Rig.Task<JobStats>> jobs(Rig rig, FakeDevice device, List<Counted> bodies)
      throws Exception {
    List<Account> accounts = new ArrayList<>();
    bodies.forEach(body -> accounts.add(new Account(1)));
    return jobs(rig, device, bodies, accounts);
  }

  private static List<Rig.Task<JobStats>> jobs(
      Rig rig, FakeDevice device, List<Counted> bodies, List<Account> accounts) throws Exception {
    Counted stuck = new Counted(ROWS, 0);
    Rig.Task<JobStats> first = job(rig, stuck, new Account(1));
    device.stuck.await();
    List<Rig.Task<JobStats>> all = new ArrayList<>();
    for (int i = 0; i < bodies.size(); i++) {
      all.add(job(rig, bodies.get(i), accounts.get(i)));
    }
    Patience.await(
        "all jobs wait", () -> rig.scheduler.helpers().jobs().inOrder().size() == all.size() + 1);
    device.release.countDown();
    first.get();
    stuck.check();
    return all;
  }

  private static List<Counted> alike(int count) {
    List<Counted> bodies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      bodies.add(new Alike("f"));
    }
    return bodies;
  }

  private static void checkAll(List<Rig.Task<JobStats>> jobs, List<Counted> bodies)
      throws Exception {
    for (int i = 0; i < jobs.size(); i++) {
      assertEquals(ROWS, jobs.get(i).get().rows());
      bodies.get(i).check();
    }
  }

  private static void assertNothingHeld(FakeDevice device) throws Exception {
    Patience.await("blocks given back", () -> device.stagedRows.get() == 0);
  }

  /** Runs jobs that all wait; of how many blocks each launch was. */
  private List<Integer> launches(FakeDevice device, List<Counted> bodies) throws Exception {
    try (Rig rig = rig(device)) {
      checkAll(jobs(rig, device, bodies), bodies);
      assertNothingHeld(device);
      return launches;
    }
  }

  @Test
  void jobsThatWaitGoInOneLaunch() throws Exception {
    FakeDevice device = device(1, Mishap.NONE);
    try (Rig rig = rig(device)) {
      List<Counted> bodies = alike(5);
      checkAll(jobs(rig, device, bodies), bodies);
      assertEquals(List.of(1, 5), launches);
      assertNothingHeld(device);
      assertEquals(6, rig.table.snapshot().get(1).blocks(), "each is a block of its own");
    }
    assertEquals(0, device.openLaunchers.get());
  }

  @Test
  void untilTheyFillTheDevice() throws Exception {
    FakeDevice device = device(1, Mishap.NONE);
    device.waveRows = 2 * ROWS + 1;
    assertEquals(List.of(1, 2, 2, 1), launches(device, alike(5)), "a third is more than fills it");
  }

  /** Nor does a job of which nothing is left but what another device is at. */
  @Test
  void nothingGoesIntoALaunchThatIsFull() throws Exception {
    FakeDevice device = device(1, Mishap.NONE);
    device.waveRows = ROWS;
    try (Launcher launcher = device.launcher((from, until) -> {})) {
      try (Launch launch = launcher.stage(0, 60)) {
        assertTrue(Staging.fits(40, launch));
        assertFalse(Staging.fits(41, launch));
        assertFalse(Staging.fits(0, launch));
        Launch other = launcher.stageBeside(launch, 0, 40);
        assertFalse(Staging.fits(0, launch));
        other.close();
      }
    }
  }

  /** As they would be served one after the other. */
  @Test
  void whoIsToBeServedFirstGoesFirst() throws Exception {
    FakeDevice device = device(1, Mishap.NONE);
    device.waveRows = 2 * ROWS;
    List<Counted> bodies = alike(3);
    List<Boolean> early = new ArrayList<>();
    device.asItLaunches =
        blocks -> {
          if (launches.size() == 2) {
            bodies.forEach(body -> early.add(body.written.get(0) == 1));
          }
          launches.add(blocks);
        };
    try (Rig rig = rig(device)) {
      List<Account> accounts = List.of(new Account(1), new Account(1), new Account(1));
      accounts.get(0).charge(TimeUnit.HOURS.toNanos(2));
      accounts.get(1).charge(TimeUnit.HOURS.toNanos(1));
      accounts.get(2).charge(TimeUnit.HOURS.toNanos(3));
      checkAll(jobs(rig, device, bodies, accounts), bodies);
      assertEquals(List.of(1, 2, 1), launches);
      assertEquals(List.of(true, true, false), early);
    }
  }

  /** Functions differ; or nobody says what they are computed with. */
  @Test
  void butOnlyThoseOfTheSameKernels() throws Exception {
    FakeDevice device = device(1, Mishap.NONE);
    List<Counted> bodies =
        List.of(new Alike("f"), new Alike("g"), new Counted(ROWS, 0), new Counted(ROWS, 0));
    assertEquals(List.of(1, 1, 1, 1, 1), launches(device, bodies));
  }

  /** Launches are what is counted, and not their blocks. */
  @Test
  void aDeviceHoldsAsManyLaunchesAsItSays() throws Exception {
    FakeDevice device = device(2, Mishap.WAITS);
    device.waveRows = 2 * ROWS;
    try (Rig rig = rig(device)) {
      List<Counted> bodies = alike(8);
      List<Rig.Task<JobStats>> jobs = jobs(rig, device, bodies);
      Patience.await("another launch behind one of two blocks", () -> launches.size() == 3);
      device.mayEnd.countDown();
      checkAll(jobs, bodies);
      assertEquals(List.of(1, 2, 2, 2, 2), launches);
      assertEquals(2, device.mostInFlight.get());
    }
  }

  @Test
  void whatIsWrongWithOneJobIsNothingOfTheOthers() throws Exception {
    FakeDevice device = device(1, Mishap.NONE);
    try (Rig rig = rig(device)) {
      List<Counted> bodies = alike(2);
      bodies.add(new Troubled("f", new IllegalStateException("no launcher")));
      // The last to be served: it comes as another one's launch is staged.
      List<Account> accounts = List.of(new Account(1), new Account(1), new Account(1));
      accounts.get(2).charge(TimeUnit.HOURS.toNanos(1));
      List<Rig.Task<JobStats>> jobs = jobs(rig, device, bodies, accounts);
      assertInstanceOf(IllegalStateException.class, jobs.get(2).failure());
      checkAll(jobs.subList(0, 2), bodies);
      assertNothingHeld(device);
    }
  }

  /** Whoever makes its launcher will see what is wrong with it. */
  @Test
  void aJobThatCannotSayWhatComputesItGoesAlone() throws Exception {
    FakeDevice device = device(1, Mishap.NONE);
    List<Counted> bodies = alike(2);
    bodies.add(
        new Alike("f") {
          @Override
          public Object kernels(LaunchDevice device) {
            throw new StackOverflowError("a test's");
          }
        });
    assertEquals(3, launches(device, bodies).size());
    assertEquals(4, launches.stream().mapToInt(blocks -> blocks).sum());
  }

  @Test
  void whatFindsNoRoomBesideOthersGoesLater() throws Exception {
    FakeDevice device = device(1, Mishap.NONE);
    device.memoryRows = 2 * ROWS;
    assertEquals(List.of(1, 2, 1), launches(device, alike(3)));
  }

  /** Then none is cut to half of its rows. */
  @Test
  void aLaunchThatFindsNoRoomIsTriedWithOneBlock() throws Exception {
    FakeDevice device = device(1, Mishap.CROWDED);
    assertEquals(List.of(1, 3, 1, 1, 1), launches(device, alike(3)), "and so are the next ones");
  }

  /** Memory that was short may be there again. */
  @Test
  void laterSeveralGoTogetherAgain() throws Exception {
    FakeDevice device = device(1, Mishap.CROWDED);
    int jobs = 70;
    device.waveRows = (long) jobs * ROWS;
    List<Integer> expected = new ArrayList<>(List.of(1, jobs));
    expected.addAll(Collections.nCopies(64, 1));
    expected.add(jobs - 64);
    assertEquals(expected, launches(device, alike(jobs)));
  }

  /** Whose block fails again alone is the one; the device stays with the others. */
  @Test
  void whoFailsAgainAloneIsTheOnlyOneToLeave() throws Exception {
    FakeDevice device = device(1, Mishap.FAILS, Mishap.FAILS);
    try (Rig rig = rig(device, false)) {
      List<Counted> bodies = alike(3);
      List<Account> accounts = List.of(new Account(1), new Account(1), new Account(1));
      accounts.get(0).charge(TimeUnit.HOURS.toNanos(1));
      accounts.get(2).charge(TimeUnit.HOURS.toNanos(1));
      List<Rig.Task<JobStats>> jobs = jobs(rig, device, bodies, accounts);
      String message = jobs.get(1).failure().getMessage();
      assertTrue(message.contains("fake:0 failed at a block of it"), message);
      checkAll(List.of(jobs.get(0), jobs.get(2)), List.of(bodies.get(0), bodies.get(2)));
      assertEquals(List.of(1, 3, 1, 1, 1), launches);
      assertEquals(2, device.recoveries.get());
      for (int row = 0; row < ROWS; row++) {
        assertEquals(0, bodies.get(1).written.get(row), "a row of the one that failed");
      }
      assertNothingHeld(device);
    }
    assertEquals(0, device.openLaunchers.get());
  }

  /** All are handed back, and go alone then: it would be seen which of them it was. */
  @Test
  void aLaunchThatEndsTheDeviceLosesNoRow() throws Exception {
    for (Mishap mishap : List.of(Mishap.FAILS, Mishap.FAILS_TO_LAUNCH)) {
      launches.clear();
      FakeDevice device = device(1, mishap);
      assertEquals(List.of(1, 3, 1, 1, 1), launches(device, alike(3)));
      assertEquals(1, device.recoveries.get());
    }
  }

  /** The others of that launch are handed back, and tried again. */
  @Test
  void aLaunchThatIsRefusedLosesNoRow() throws Exception {
    FakeDevice device = device(1, Mishap.REFUSES);
    assertEquals(List.of(1, 3, 2), launches(device, alike(3)));
  }
}
