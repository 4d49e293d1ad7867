package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.DeviceLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What the driver knows of an executor: its last report, how its devices were busy over time, and
 * what of its work was of use. Not thread-safe; {@link ExecutorTable} has them.
 */
final class KnownExecutor {
  ExecutorLoad report;
  long receivedNanos;
  boolean ended;

  /** By device and interval of the time axis. */
  float[][] busyMillis;

  /** What successful tasks had of it, but for what was computed again later. */
  private Work useful = Work.NONE;

  /** What successful tasks had of it, and was computed again as it was lost. */
  private Waste repeated = Waste.NONE;

  /** Tasks that it was lost with. */
  long lostTasks;

  /** True if put back as it was written down: its report has all of its waste. */
  boolean restored;

  /** Room for busy time of so many devices; a device that comes later was not busy before. */
  void growTo(int devices) {
    int before = busyMillis == null ? 0 : busyMillis.length;
    if (devices > before) {
      float[][] grown = new float[devices][];
      for (int i = 0; i < devices; i++) {
        grown[i] = i < before ? busyMillis[i] : new float[TimeAxis.BUCKETS];
      }
      busyMillis = grown;
    }
  }

  void addUseful(Work work) {
    useful = useful.plus(work);
  }

  /** What it computed is computed again. */
  void addRepeated(Work work) {
    useful = useful.minus(work);
    repeated = repeated.plus(Waste.of(work));
  }

  /** All that was in vain, as far as is known. */
  Waste wasted() {
    Waste known = report.wasted().plus(repeated);
    if (!ended || restored) {
      return known; // what is in neither sum is of tasks that run
    }
    long rows = -useful.rows() - known.rows();
    long nanos = -useful.busyNanos() - known.busyNanos();
    for (DeviceLoad device : report.devices()) {
      rows += device.rows();
      nanos += device.busyNanos() - (device.lentNanos() == null ? 0 : device.lentNanos());
    }
    return rows <= 0
        ? known
        : known.plus(new Waste(Math.max(1, lostTasks), rows, Math.max(0, nanos)));
  }

  /** The last report as it is written down: without spans, and with all of the waste. */
  ExecutorLoad lastReport() {
    return report.asWrittenDown(wasted());
  }

  /** Null for what was written down: the application has ended. */
  private Long ageMillis(long nowNanos) {
    return restored
        ? null
        : Long.valueOf(Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNanos - receivedNanos)));
  }

  /** A device as pages show it; without utilisation if there is no axis. */
  LoadView.Device device(int index, long nowNanos, TimeAxis axis) {
    return new LoadView.Device(
        report.executorId(),
        report.devices().get(index),
        ageMillis(nowNanos),
        ended,
        axis == null ? List.of() : utilisation(index, axis));
  }

  private List<Integer> utilisation(int device, TimeAxis axis) {
    List<Integer> percent = new ArrayList<>(TimeAxis.BUCKETS);
    for (float busy : busyMillis[device]) {
      double share = Math.min(1, busy / axis.bucketMillis());
      percent.add((int) Math.round(share * 100));
    }
    return List.copyOf(percent);
  }
}
