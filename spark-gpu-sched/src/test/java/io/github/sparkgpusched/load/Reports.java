package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.Transfers;
import java.util.ArrayList;
import java.util.List;

/** Made-up reports of executors. */
public final class Reports {
  private Reports() {}

  public static DeviceLoad device(String name, long rows, long busyMillis) {
    return DeviceLoad.builder(name)
        .rows(rows)
        .blocks(rows / 10)
        .stealRequests(rows / 100)
        .steals(rows / 200)
        .busyNanos(busyMillis * 1_000_000)
        .idleNanos(1_000_000_000)
        .build();
  }

  public static ExecutorLoad report(
      String executor, long sequence, long timeMillis, List<DeviceLoad> devices) {
    return ExecutorLoad.builder(executor)
        .sequence(sequence)
        .timeMillis(timeMillis)
        .devices(devices)
        .build();
  }

  /** A report with spans, UDFs, and waste. */
  public static ExecutorLoad full(String executor, long sequence, long timeMillis, int devices) {
    List<DeviceLoad> loads = new ArrayList<>();
    List<BlockSpan> spans = new ArrayList<>();
    for (int d = 0; d < devices; d++) {
      String name = "host:" + d;
      loads.add(device(name, 1000 * (sequence + 1), 100 * (sequence + 1)));
      for (int i = 0; i < 8; i++) {
        long start = timeMillis * 1000 - 250_000 + i * 30_000L;
        spans.add(
            new BlockSpan(
                name,
                start,
                start + 25_000,
                100,
                3,
                i % 3 == 0,
                1,
                0,
                sequence * 10 + d % 5,
                null));
      }
    }
    List<UdfLoad> udfs =
        List.of(
            new UdfLoad(
                "f",
                new Work(1000L * devices, 10, 2, 5_000_000),
                BlockTimes.NONE,
                Transfers.NONE,
                0,
                0));
    return ExecutorLoad.builder(executor)
        .sequence(sequence)
        .timeMillis(timeMillis)
        .devices(loads)
        .udfs(udfs)
        .wasted(new Waste(1, 10, 1000))
        .spans(spans)
        .missedBlocks(3)
        .build();
  }
}
