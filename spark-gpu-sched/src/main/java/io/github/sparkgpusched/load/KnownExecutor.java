package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.DeviceLoad;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What the driver knows of an executor: its last report, how its devices were busy over time, and
 * what of its work was of use. Not thread-safe; {@link ExecutorTable} has them.
 */
final class KnownExecutor {
  /** A change is heard of within this: an executor that runs and is silent for longer has none. */
  static final long HEARD_OF_NANOS = TimeUnit.SECONDS.toNanos(1);

  ExecutorLoad report;
  private long receivedNanos;
  boolean ended;

  /** When it ended; of no meaning before. */
  private long endedNanos;

  /** By device and interval of the time axis. */
  float[][] busyMillis;

  /** What successful tasks had of it, but for what was computed again later. */
  private Work useful = Work.NONE;

  /** What successful tasks had of it, and was computed again as it was lost. */
  private Waste repeated = Waste.NONE;

  /** Tasks that it was lost with. */
  long lostTasks;

  /** Tasks whose work is known as of tasks that succeeded, and which the last report has yet. */
  private final Set<Long> endedTasks = new HashSet<>();

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

  void end(long nowNanos) {
    if (!ended) {
      ended = true;
      endedNanos = nowNanos;
    }
  }

  /** Takes a report that is newer than the last. */
  void receive(ExecutorLoad newer, long nowNanos) {
    report = newer;
    receivedNanos = nowNanos;
    endedTasks.retainAll(newer.running().stream().map(TaskRun::taskId).toList());
  }

  void taskEnded(long taskId) {
    endedTasks.add(taskId);
  }

  /** The tasks that run, as far as is known. */
  List<TaskRun> running() {
    return ended
        ? List.of()
        : report.running().stream().filter(run -> !endedTasks.contains(run.taskId())).toList();
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

  /**
   * The last report as it is written down: without spans, with all of the waste, and with the
   * devices as they are by now.
   */
  ExecutorLoad lastReport(long nowNanos) {
    return report.asWrittenDown(loads(nowNanos), wasted());
  }

  /** All that is written down, of this axis, which reaches to now. */
  WrittenExecutor written(long nowNanos, TimeAxis axis) {
    List<List<Integer>> utilisation = new ArrayList<>();
    for (int i = 0; i < report.devices().size(); i++) {
      utilisation.add(withoutZeros(utilisation(i, nowNanos, axis)));
    }
    return new WrittenExecutor(
        lastReport(nowNanos), axis.startMillis(), axis.bucketMillis(), utilisation);
  }

  private static List<Integer> withoutZeros(List<Integer> percent) {
    int length = percent.size();
    while (length > 0 && percent.get(length - 1) == 0) {
      length--;
    }
    return percent.subList(0, length);
  }

  /**
   * For how long it is known that nothing has changed since the last report, in nanoseconds: all of
   * that is idle time of a device without a block, and busy time of one that has one.
   */
  private long unchangedNanos(long nowNanos) {
    long until = ended ? endedNanos : nowNanos;
    return restored ? 0 : Math.max(0, until - receivedNanos - HEARD_OF_NANOS);
  }

  /** The devices by now, or as the executor ended: then nothing waits there and nothing runs. */
  List<DeviceLoad> loads(long nowNanos) {
    long unchanged = unchangedNanos(nowNanos);
    if (unchanged == 0 && !ended) {
      return report.devices();
    }
    List<DeviceLoad> loads = new ArrayList<>(report.devices().size());
    for (DeviceLoad device : report.devices()) {
      boolean busy = device.inFlight() > 0;
      DeviceLoad.Builder now =
          device.toBuilder()
              .busyNanos(device.busyNanos() + (busy ? unchanged : 0))
              .idleNanos(device.idleNanos() + (busy ? 0 : unchanged));
      loads.add(ended ? now.queueDepth(0).inFlight(0).build() : now.build());
    }
    return loads;
  }

  /** Null for what was written down: the application has ended. */
  private Long ageMillis(long nowNanos) {
    return restored
        ? null
        : Long.valueOf(Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNanos - receivedNanos)));
  }

  /**
   * The devices as pages show them.
   *
   * @param axisOrNull null for no utilisation
   */
  List<LoadView.Device> devices(long nowNanos, TimeAxis axisOrNull) {
    return devices(loads(nowNanos), nowNanos, axisOrNull);
  }

  /**
   * The devices as they were last reported, without utilisation. What time was taken to have gone
   * on in {@link #loads} may turn out otherwise; of these no counter goes down.
   */
  List<LoadView.Device> reportedDevices(long nowNanos) {
    return devices(report.devices(), nowNanos, null);
  }

  private List<LoadView.Device> devices(
      List<DeviceLoad> loads, long nowNanos, TimeAxis axisOrNull) {
    List<LoadView.Device> devices = new ArrayList<>(loads.size());
    for (int i = 0; i < loads.size(); i++) {
      devices.add(
          new LoadView.Device(
              report.executorId(),
              loads.get(i),
              ageMillis(nowNanos),
              ended,
              report.processors(),
              report.shares(),
              axisOrNull == null ? List.of() : utilisation(i, nowNanos, axisOrNull)));
    }
    return devices;
  }

  private List<Integer> utilisation(int device, long nowNanos, TimeAxis axis) {
    float[] busyByBucket = busyMillis[device];
    long unchanged = TimeUnit.NANOSECONDS.toMillis(unchangedNanos(nowNanos));
    if (unchanged > 0 && report.devices().get(device).inFlight() > 0) {
      // A block of minutes is counted when it ends; until then its device is not to look idle.
      busyByBucket = busyByBucket.clone();
      long from = Math.max(axis.startMillis(), report.timeMillis());
      axis.spread(busyByBucket, from, from + unchanged, (double) unchanged);
    }
    List<Integer> percent = new ArrayList<>(TimeAxis.BUCKETS);
    for (float busy : busyByBucket) {
      double share = Math.min(1, busy / axis.bucketMillis());
      percent.add((int) Math.round(share * 100));
    }
    return List.copyOf(percent);
  }
}
