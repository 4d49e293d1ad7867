package io.github.sparkgpusched.ui;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.UiKeys;
import io.github.sparkgpusched.load.ApplicationLoad;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the driver keeps of a large application, with the default limits. */
class DriverMemoryTest {
  private static final long T0 = 1_700_000_000_000L;

  /** The bound that docs/monitoring.md states. */
  private static final long MOST_BYTES = 32L << 20;

  @Test
  void fiveHundredExecutorsOfEightDevicesAndTenThousandStagesStayUnderTheBound() {
    long before = LargeApplication.usedBytes();
    GpuSchedConfig config = GpuSchedConfig.from(Map.of());
    ApplicationLoad load =
        new ApplicationLoad(
            new ApplicationLoad.Limits(
                config.get(UiKeys.RETAINED_ENDED_EXECUTORS),
                config.get(UiKeys.RETAINED_SPANS),
                config.get(UiKeys.RETAINED_STAGES),
                config.get(UiKeys.RETAINED_EVENTS)));
    for (int round = 0; round < 20; round++) {
      LargeApplication.report(load, round, T0 + round * 250L, 0);
    }
    LargeApplication.runStages(load, T0);
    LargeApplication.comeAndGo(load, LargeApplication.EXECUTORS, 3000, T0 + 6000);
    long used = LargeApplication.usedBytes() - before;
    assertTrue(load.devices(0).size() >= 4000);
    System.out.println("driver memory: " + (used >> 10) + " KiB");
    assertTrue(used < MOST_BYTES, used + " bytes");
  }
}
