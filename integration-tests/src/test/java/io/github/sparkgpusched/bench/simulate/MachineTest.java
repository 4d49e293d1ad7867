package io.github.sparkgpusched.bench.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lower bounds that can be computed by hand. */
@Tag("simulate")
class MachineTest {
  private static final Workload UNIFORM = Workload.of(Workload.shape("uniform"), 1000, 1);

  private static double bound(Machine.Profile profile, int devices, double launch) {
    return Machine.of(devices, profile, launch, 0, 1, 1000, 7).lowerBound(UNIFORM);
  }

  @Test
  void equalDevicesShareTheRowsAfterOneLaunch() {
    assertEquals(10 + 1000 / 4.0, bound(Machine.Profile.EQUAL, 4, 10), 1e-6);
  }

  @Test
  void aSlowDeviceCountsByItsSpeed() {
    assertEquals(10 + 1000 / 3.25, bound(Machine.Profile.SLOW, 4, 10), 1e-6);
  }

  @Test
  void aStallIsTimeThatOneDeviceDoesNotHave() {
    // Stopped from 0.3 to 0.63 of 500: two devices compute all but that.
    assertEquals((1000 + 0.33 * 500) / 2, bound(Machine.Profile.STALL, 2, 0), 1e-6);
  }

  @Test
  void aDeviceThatHangsHasTheTimeBefore() {
    // One computes until 0.4 of 500, the other all the rest.
    assertEquals(1000 - 0.4 * 500, bound(Machine.Profile.HANG, 2, 0), 1e-6);
  }

  @Test
  void theLargestRowIsComputedByOneDevice() {
    Workload oneLarge =
        Workload.of(new Workload.Shape("one-large", 0, (i, n, random) -> i == 0 ? 900 : 1), 101, 1);
    double row = 900 * 101 / 1000.0;
    Machine machine = Machine.of(8, Machine.Profile.EQUAL, 10, 0, 1, 101, 7);
    assertEquals(10 + row, machine.lowerBound(oneLarge), 1e-3);
  }

  @Test
  void cpusBesideGpusStartEarlier() {
    // The CPUs' 0.1 and the GPUs' 100: 8 (t - 0.1) + 64 (t - 100) = 100000.
    Machine machine = Machine.mixed(8, 0.1, 2, 32, 100, 1);
    Workload work = Workload.of(Workload.shape("uniform"), 100_000, 1);
    assertEquals((100_000 + 0.8 + 6400) / 72, machine.lowerBound(work), 1e-6);
  }
}
