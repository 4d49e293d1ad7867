package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.PlacementCandidate;
import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.api.PlacementPolicy;
import io.github.sparkgpusched.schedule.FakeDevice.Mishap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Policies alone, and what the scheduler asks of them. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlacementTest {
  /** A user's own. */
  public static final class Last implements PlacementPolicy {
    @Override
    public int pick(PlacementHints hints, List<PlacementCandidate> candidates) {
      return candidates.size() - 1;
    }
  }

  /** Nothing, on all launch devices or on none. */
  private record OnDevices(boolean can) implements RangeBody {
    @Override
    public Worker open(Device core) {
      return (from, until) -> {};
    }

    @Override
    public boolean runsOn(LaunchDevice device) {
      return can;
    }
  }

  private static PlacementCandidate candidate(String name, int inFlight, int depth, long free) {
    return new PlacementCandidate(name, inFlight, depth, free, Map.of());
  }

  private static PlacementPolicy named(String name) {
    return Placements.byName(name, PlacementTest.class.getClassLoader());
  }

  @Test
  void roundRobinGoesRoundAndRound() {
    PlacementPolicy policy = named("roundRobin");
    List<PlacementCandidate> two = List.of(candidate("a", 9, 1, 0), candidate("b", 0, 1, 0));
    StringBuilder picks = new StringBuilder();
    for (int i = 0; i < 6; i++) {
      picks.append(policy.pick(PlacementHints.NONE, two));
    }
    assertEquals("010101", picks.toString());
  }

  @Test
  void leastLoadedLooksAtWhatIsInFlightThenAtMemory() {
    PlacementPolicy policy = named("LEASTLOADED");
    assertEquals(
        1,
        policy.pick(
            PlacementHints.NONE, List.of(candidate("a", 1, 2, 9), candidate("b", 0, 2, 1))));
    assertEquals(
        1,
        policy.pick(
            PlacementHints.NONE, List.of(candidate("a", 1, 1, 9), candidate("b", 1, 2, 1))));
    assertEquals(
        1,
        policy.pick(
            PlacementHints.NONE, List.of(candidate("a", 1, 2, 1), candidate("b", 1, 2, 9))));
    assertEquals(
        0,
        policy.pick(
            PlacementHints.NONE, List.of(candidate("a", 1, 2, 5), candidate("b", 1, 2, 5))));
  }

  @Test
  void aClassNameIsAUsersOwnPolicy() {
    assertInstanceOf(Last.class, named(Last.class.getName()));
    String message =
        assertThrows(IllegalArgumentException.class, () -> named("no.Such")).getMessage();
    assertEquals(
        "spark.gpusched.placement='no.Such' is not allowed: give roundRobin, leastLoaded, or the"
            + " name of a class on the executor's class path that implements"
            + " io.github.sparkgpusched.api.PlacementPolicy and has a public constructor without"
            + " parameters",
        message);
    assertThrows(IllegalArgumentException.class, () -> named("java.lang.String"));
  }

  @Test
  void whatWasPlacedCountsAtOnce() throws Exception {
    FakeDevice a = new FakeDevice("fake:0", 1);
    FakeDevice b = new FakeDevice("fake:1", 1);
    try (Rig rig = new Rig(1, List.of(a, b), 100_000, Rig.DEFAULT, LaunchPolicy.DEFAULT)) {
      Placement placement = new Placement(LaunchPolicy.DEFAULT, rig.scheduler.owners());
      List<DeviceOwner> owners = rig.scheduler.owners();
      JobSpec small = JobSpec.of(1, Rig.body((from, until) -> {})).pace(Rig.pacer(1, 1)).build();
      assertEquals(new Placement.Placed(owners, 1), placement.place(small, owners));
      Placement.Placed second = placement.place(small, owners);
      assertEquals(owners.get(1), second.owners().get(0));
      second.end();
      assertEquals(owners.get(1), placement.place(small, owners).owners().get(0));
    }
  }

  /** One that is borrowed would be looked for, taken, and left idle. */
  @Test
  void aDeviceIsAskedOnlyOfWhatItCanCompute() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 1);
    try (Rig rig = new Rig(1, List.of(device), 100_000, Rig.DEFAULT, LaunchPolicy.DEFAULT)) {
      Placement placement = new Placement(LaunchPolicy.DEFAULT, rig.scheduler.owners());
      assertEquals(0, placement.place(JobSpec.of(1, new OnDevices(false)).build()).parts());
      assertEquals(0, device.askedForWorth());
      assertEquals(1, placement.place(JobSpec.of(1, new OnDevices(true)).build()).parts());
      assertEquals(1, device.askedForWorth());
    }
  }

  /** Whichever of them comes first. */
  @Test
  void eachDeviceIsJudgedByItsOwnLaunches() throws Exception {
    FakeDevice quick = new FakeDevice("fake:0", 1, 1000, 0, (n, from, until) -> Mishap.NONE);
    FakeDevice slow = new FakeDevice("fake:1", 1, 10_000_000, 0, (n, from, until) -> Mishap.NONE);
    for (List<FakeDevice> devices : List.of(List.of(quick, slow), List.of(slow, quick))) {
      try (Rig rig = new Rig(1, devices, 100_000, Rig.DEFAULT, LaunchPolicy.DEFAULT)) {
        Placement placement = new Placement(LaunchPolicy.DEFAULT, rig.scheduler.owners());
        JobSpec millisecond =
            JobSpec.of(1000, Rig.body((from, until) -> {})).pace(Rig.pacer(1, 1000)).build();
        assertEquals(1, placement.place(millisecond, rig.scheduler.owners()).parts());
        JobSpec second =
            JobSpec.of(1_000_000, Rig.body((from, until) -> {})).pace(Rig.pacer(1, 1000)).build();
        assertEquals(2, placement.place(second, rig.scheduler.owners()).parts());
      }
    }
  }

  /** Jobs too small for two devices, asked for while the first is under way: each gets its own. */
  @Test
  void smallJobsAtOnceDoNotHerd() throws Exception {
    for (String policy : List.of("roundRobin", "leastLoaded")) {
      FakeDevice[] devices = new FakeDevice[4];
      AtomicInteger firsts = new AtomicInteger();
      for (int i = 0; i < devices.length; i++) {
        int bit = 1 << i;
        devices[i] =
            new FakeDevice(
                "fake:" + i,
                1,
                1_000_000,
                1000,
                (launch, from, until) -> {
                  firsts.accumulateAndGet(bit, (all, one) -> all | one);
                  return FakeDevice.Mishap.NONE;
                });
      }
      LaunchPolicy launching =
          new LaunchPolicy(named(policy), false, false, TimeUnit.SECONDS.toNanos(30));
      try (Rig rig = new Rig(1, List.of(devices), 100_000, Rig.DEFAULT, launching)) {
        List<Rig.Task<JobStats>> tasks = List.of(small(rig), small(rig), small(rig), small(rig));
        for (Rig.Task<JobStats> task : tasks) {
          assertEquals(20, task.get().rows());
        }
        assertEquals(15, firsts.get(), policy + ": devices that got a block");
      }
    }
  }

  /** 20 microseconds of work, by what is known of it: no reason to launch it on two devices. */
  private static Rig.Task<JobStats> small(Rig rig) {
    LaunchDevicesTest.Counted body = new LaunchDevicesTest.Counted(20, 0);
    return rig.job(LaunchDevicesTest.spec(20, body, false, Rig.pacer(1, 1000)));
  }

  @Test
  void partsAreCountedUntilTheJobEnds() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 1);
    AtomicInteger most = new AtomicInteger();
    PlacementPolicy watching =
        (hints, candidates) -> {
          most.accumulateAndGet(candidates.get(0).inFlight(), Math::max);
          return 0;
        };
    LaunchPolicy launching = new LaunchPolicy(watching, false, false, TimeUnit.SECONDS.toNanos(30));
    try (Rig rig = new Rig(1, List.of(device), 100_000, Rig.DEFAULT, launching)) {
      for (int i = 0; i < 5; i++) {
        small(rig).get();
      }
      assertTrue(most.get() <= 1, "parts left over: " + most);
    }
  }

  @Test
  void aPolicyThatFailsLeavesNoPartBehind() throws Exception {
    FakeDevice a = new FakeDevice("fake:0", 1);
    FakeDevice b = new FakeDevice("fake:1", 1);
    try (Rig rig = new Rig(1, List.of(a, b), 100_000, Rig.DEFAULT, LaunchPolicy.DEFAULT)) {
      List<DeviceOwner> owners = rig.scheduler.owners();
      PlacementPolicy failing = (hints, candidates) -> candidates.size() == 2 ? 0 : -1;
      Placement placement = new Placement(new LaunchPolicy(failing, true, true, 1), owners);
      JobSpec spec = JobSpec.of(1, Rig.body((from, until) -> {})).build();
      assertThrows(IllegalStateException.class, () -> placement.place(spec, owners));
      assertEquals(0, owners.get(0).standing().candidate().inFlight());
    }
  }
}
