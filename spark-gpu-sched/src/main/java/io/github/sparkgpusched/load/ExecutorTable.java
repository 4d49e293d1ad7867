package io.github.sparkgpusched.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The executors of an application: those that run, the last that have ended, and the sums of those
 * that were forgotten. Not thread-safe; {@link ApplicationLoad} guards it.
 */
final class ExecutorTable {
  /** Ended executors that are remembered by name alone. Their reports are late by seconds. */
  private static final int MOST_GONE = 2000;

  /** Longer than this between reports, there was no work in between. */
  private static final long MOST_MILLIS_WITH_WORK = 1000;

  private final int mostEnded;

  /** By executor id, in the order of their first reports; those that have ended come last. */
  private final Map<String, KnownExecutor> executors = new LinkedHashMap<>();

  /**
   * Executors that have ended and have no place in the table: true if they had one, and are in the
   * sums. What they still report has overtaken, or been overtaken by, Spark's word of their end.
   */
  private final Map<String, Boolean> gone =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST_GONE;
        }
      };

  private final TimeAxis axis = new TimeAxis();
  private final DonePartitions donePartitions = new DonePartitions();

  // Of executors that were forgotten.
  private int forgotten;
  private final Totals.Sum forgottenTotal = new Totals.Sum();
  private final Totals.Sum forgottenReported = new Totals.Sum();
  private Waste forgottenWaste = Waste.NONE;
  private long forgottenMissed;
  private final UdfSums forgottenUdfs = new UdfSums();

  ExecutorTable(int mostEnded) {
    this.mostEnded = mostEnded;
  }

  /**
   * Takes a report.
   *
   * @return false if it is older than the last one, or of an executor that was forgotten: it is to
   *     be ignored
   */
  boolean update(ExecutorLoad report, long nowNanos) {
    if (isForgotten(report.executorId())) {
      return false;
    }
    KnownExecutor known = executors.computeIfAbsent(report.executorId(), id -> new KnownExecutor());
    ExecutorLoad before = known.report;
    if (before != null && before.sequence() >= report.sequence()) {
      return false;
    }
    keepBusyTime(known, report);
    known.receive(report, nowNanos);
    if (gone.containsKey(report.executorId())) {
      end(report.executorId(), nowNanos);
    }
    return true;
  }

  private boolean isForgotten(String executorId) {
    return gone.getOrDefault(executorId, false);
  }

  private void keepBusyTime(KnownExecutor known, ExecutorLoad report) {
    int devices = report.devices().size();
    known.growTo(devices);
    long until = report.timeMillis();
    axis.startAt(until);
    extendAxis(until);
    for (int i = 0; i < devices; i++) {
      long busyNanos = report.devices().get(i).busyNanos();
      if (known.report != null && i < known.report.devices().size()) {
        busyNanos -= known.report.devices().get(i).busyNanos();
      }
      double millis = busyNanos / 1e6;
      if (millis > 0) {
        // A block that took longer than since the last report began before it; and a report long
        // ago means that there was nothing to report until just now.
        long before = known.report == null ? until : known.report.timeMillis();
        long since = Math.min(until - before, MOST_MILLIS_WITH_WORK);
        long from = until - Math.max(since, (long) Math.ceil(millis));
        axis.spread(known.busyMillis[i], Math.max(from, axis.startMillis()), until, millis);
      }
    }
  }

  /** Has the axis reach to a time. */
  private void extendAxis(long untilMillis) {
    while (axis.endsBefore(untilMillis)) {
      doubleBuckets();
    }
  }

  private void doubleBuckets() {
    axis.doubleBuckets();
    for (KnownExecutor each : executors.values()) {
      if (each.busyMillis != null) {
        for (float[] figures : each.busyMillis) {
          TimeAxis.halve(figures);
        }
      }
    }
  }

  /** The last report, as it came; null if there is none. */
  ExecutorLoad lastReceived(String executorId) {
    KnownExecutor known = executors.get(executorId);
    return known == null ? null : known.report;
  }

  /** What is written down of an executor; null if it has not reported. */
  WrittenExecutor written(String executorId, long nowNanos, long timeMillis) {
    KnownExecutor known = executors.get(executorId);
    if (known == null) {
      return null;
    }
    extendAxis(timeMillis);
    return known.written(nowNanos, axis);
  }

  /** Those that run, and those that have ended and are not forgotten, in their order. */
  List<String> ids() {
    return List.copyOf(executors.keySet());
  }

  /** True if an executor has reported and has not ended. */
  boolean isRunning(String executorId) {
    KnownExecutor known = executors.get(executorId);
    return known != null && !known.ended;
  }

  /**
   * An executor has ended. Returns its last report as it is written down, null if there is none.
   */
  ExecutorLoad end(String executorId, long nowNanos) {
    KnownExecutor known = executors.remove(executorId);
    if (known == null) {
      gone.putIfAbsent(executorId, false);
      return null;
    }
    gone.remove(executorId);
    known.end(nowNanos);
    executors.put(executorId, known); // now the last of those that have ended
    long ended = executors.values().stream().filter(k -> k.ended).count();
    var all = executors.values().iterator();
    while (ended > mostEnded && all.hasNext()) {
      KnownExecutor oldest = all.next();
      if (oldest.ended) {
        all.remove();
        forget(oldest, nowNanos);
        ended--;
      }
    }
    return known.lastReport(nowNanos);
  }

  /** The application has ended, and all executors with it: none of them is forgotten for that. */
  void applicationEnded(long nowNanos) {
    executors.values().forEach(known -> known.end(nowNanos));
  }

  private void forget(KnownExecutor known, long nowNanos) {
    forgotten++;
    gone.put(known.report.executorId(), true);
    known.loads(nowNanos).forEach(forgottenTotal::add);
    known.report.devices().forEach(forgottenReported::add);
    forgottenWaste = forgottenWaste.plus(known.wasted());
    forgottenMissed += known.report.missedBlocks();
    forgottenUdfs.add(known.report.udfs());
  }

  /**
   * A task has succeeded.
   *
   * @return the executor whose work turns out to have been in vain, as this task repeats it; null
   *     if there is none
   */
  String addTask(int stageId, int partition, String executorId, Work work) {
    KnownExecutor known = executors.get(executorId);
    if (known != null) {
      known.addUseful(work);
    }
    DonePartitions.Done before =
        donePartitions.put(stageId, partition, new DonePartitions.Done(executorId, work));
    if (before == null) {
      return null;
    }
    KnownExecutor first = executors.get(before.executorId());
    if (first == null) {
      forgottenWaste = forgottenWaste.plus(Waste.of(before.work()));
      return null;
    }
    first.addRepeated(before.work());
    return before.executorId();
  }

  /** A task has succeeded: if its executor still says that it runs, then not for long. */
  void taskEnded(String executorId, long taskId) {
    KnownExecutor known = executors.get(executorId);
    if (known != null) {
      known.taskEnded(taskId);
    }
  }

  /** A task ended because its executor was lost. */
  void addLostTask(String executorId) {
    KnownExecutor known = executors.get(executorId);
    if (known != null) {
      known.lostTasks++;
    }
  }

  /** Puts a report as it was written down; see {@link ApplicationLoad#restoreExecutor}. */
  void restore(
      ExecutorLoad report,
      long axisStartMillis,
      long bucketMillis,
      List<List<Integer>> utilisation) {
    if (isForgotten(report.executorId())) {
      return;
    }
    long intervalMillis = Math.max(1, bucketMillis);
    axis.restoreOnce(axisStartMillis, intervalMillis);
    // What was written later has longer intervals: all figures are to have those of the longest.
    while (axis.bucketMillis() < intervalMillis) {
      doubleBuckets();
    }
    KnownExecutor known = executors.computeIfAbsent(report.executorId(), id -> new KnownExecutor());
    known.report = report;
    known.restored = true;
    known.busyMillis = new float[report.devices().size()][TimeAxis.BUCKETS];
    for (int i = 0; i < Math.min(known.busyMillis.length, utilisation.size()); i++) {
      for (int j = 0; j < Math.min(TimeAxis.BUCKETS, utilisation.get(i).size()); j++) {
        known.busyMillis[i][j] = utilisation.get(i).get(j) * intervalMillis / 100f;
      }
      for (long is = intervalMillis; is < axis.bucketMillis(); is *= 2) {
        TimeAxis.halve(known.busyMillis[i]);
      }
    }
  }

  /**
   * Puts what this knows into a view, whose time the axis then reaches.
   *
   * @param asReported whether devices are as last reported, without utilisation, and not as they
   *     are taken to be by now
   */
  void fill(LoadView.Builder view, long nowNanos, boolean asReported) {
    if (axis.startMillis() >= 0) {
      extendAxis(view.timeMillis);
    }
    view.axisStartMillis = axis.startMillis();
    view.bucketMillis = axis.bucketMillis();
    view.devices = asReported ? reportedDevices(nowNanos) : devices(nowNanos, axis);
    view.missedBlocks = forgottenMissed;
    view.wasted = forgottenWaste;
    view.forgottenExecutors = forgotten;
    Totals.Sum total = new Totals.Sum(asReported ? forgottenReported : forgottenTotal);
    UdfSums udfs = new UdfSums(forgottenUdfs);
    for (KnownExecutor known : executors.values()) {
      udfs.add(known.report.udfs());
      view.wasted = view.wasted.plus(known.wasted());
      view.missedBlocks += known.report.missedBlocks();
    }
    view.devices.forEach(device -> total.add(device.load()));
    view.total = total.totals();
    view.udfs = udfs.loads();
  }

  /** What executors that have not ended compute for running tasks. */
  List<TaskRun> running() {
    return executors.values().stream().flatMap(known -> known.running().stream()).toList();
  }

  private List<LoadView.Device> reportedDevices(long nowNanos) {
    return executors.values().stream()
        .flatMap(known -> known.reportedDevices(nowNanos).stream())
        .toList();
  }

  /** All devices; without utilisation if there is no axis. */
  List<LoadView.Device> devices(long nowNanos, TimeAxis axisOrNull) {
    List<LoadView.Device> devices = new ArrayList<>();
    executors.values().forEach(known -> devices.addAll(known.devices(nowNanos, axisOrNull)));
    return devices;
  }
}
