package io.github.sparkgpusched.ui;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.UiKeys;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.DeviceEvent;
import io.github.sparkgpusched.load.Reports;
import io.github.sparkgpusched.load.Work;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the driver keeps of a large application, with the default limits. */
class DriverMemoryTest {
  private static final long T0 = 1_700_000_000_000L;

  /** The bound that docs/monitoring.md states. */
  private static final long MOST_BYTES = 32L << 20;

  @Test
  void fiveHundredExecutorsOfEightDevicesAndTenThousandStagesStayUnderTheBound() {
    long before = usedBytes();
    GpuSchedConfig config = GpuSchedConfig.from(Map.of());
    ApplicationLoad load =
        new ApplicationLoad(
            new ApplicationLoad.Limits(
                config.get(UiKeys.RETAINED_ENDED_EXECUTORS),
                config.get(UiKeys.RETAINED_SPANS),
                config.get(UiKeys.RETAINED_STAGES),
                config.get(UiKeys.RETAINED_EVENTS)));
    for (int round = 0; round < 20; round++) {
      for (int e = 0; e < 500; e++) {
        load.update(Reports.full("" + e, round, T0 + round * 250L, 8), 0);
      }
    }
    for (int stage = 0; stage < 10_000; stage++) {
      load.stageBegun(stage, 0, "collect at Main.java:" + stage, 4);
      for (int d = 0; d < 20; d++) {
        load.addStageWork(stage, 0, "1/host:" + d, new Work(5, 1, 0, 5));
      }
      for (int partition = 0; partition < 4; partition++) {
        // Spark's events each have a text of their own.
        load.addStageTask(
            stage, 0, String.valueOf(partition).concat("0"), partition, new Work(5, 0, 0, 5));
      }
      load.stageEnded(stage, 0, null);
      load.addEvent(new DeviceEvent(T0, "1", "host:0", "failure", "detail " + stage));
      load.addFallback("udf" + stage, "it stands in a lambda");
    }
    for (int e = 500; e < 3000; e++) {
      load.update(Reports.full("" + e, 0, T0 + 6000, 8), 0);
      load.executorEnded("" + e, 0);
    }
    long used = usedBytes() - before;
    assertTrue(load.devices(0).size() >= 4000);
    System.out.println("driver memory: " + (used >> 10) + " KiB");
    assertTrue(used < MOST_BYTES, used + " bytes");
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
