package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.DeviceState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The application's load table on the driver: the last report of each executor and how old it is,
 * and what was reported over time. All that it keeps is bounded: of what is most, the oldest is
 * forgotten, and stays in the sums. Thread-safe.
 */
public final class ApplicationLoad {
  /** UDFs, and reasons why they are not batched, that are told apart. */
  private static final int MOST_UDFS = 500;

  private static final int MOST_NAME_CHARS = 300;

  /** Longer than this between reports, there was no work in between. */
  private static final long MOST_MILLIS_WITH_WORK = 1000;

  /** Ended executors that are remembered by name alone. Their reports are late by seconds. */
  private static final int MOST_GONE = 2000;

  private static final String OTHERS = LoadTable.OTHERS;

  /**
   * How much is kept.
   *
   * @param endedExecutors executors that have ended
   * @param spans spans of blocks
   * @param stages stage attempts
   * @param events device events
   */
  public record Limits(int endedExecutors, int spans, int stages, int events) {}

  /** An executor's place in the table. Guarded by the table's lock. */
  private static final class Kept {
    ExecutorLoad report;
    long receivedNanos;
    boolean ended;
    float[][] busyMillis;

    /** What successful tasks had of it, but for what was computed again later. */
    long usefulRows;

    long usefulNanos;

    /** What successful tasks had of it, and was computed again as it was lost. */
    Waste repeated = Waste.NONE;

    /** Tasks that it was lost with. */
    long lostTasks;

    /** True if put back as it was written down: its report has all of its waste. */
    boolean restored;

    /** All that was in vain, as far as is known. */
    Waste wasted() {
      Waste known = report.wasted().plus(repeated);
      if (!ended || restored) {
        return known; // what is in neither sum is of tasks that run
      }
      long rows = -usefulRows - known.rows();
      long nanos = -usefulNanos - known.busyNanos();
      for (DeviceLoad device : report.devices()) {
        rows += device.rows();
        nanos += device.busyNanos();
      }
      return rows <= 0
          ? known
          : known.plus(new Waste(Math.max(1, lostTasks), rows, Math.max(0, nanos)));
    }
  }

  /** A stage attempt's. Guarded by the table's lock. */
  private static final class Stage {
    String name = "";
    long tasks;
    long rows;
    long blocks;
    long stolenBlocks;
    long busyNanos;
    boolean completed;
    final Set<String> devices = new HashSet<>();
    int deviceCount;

    StageLoad load(StageKey key) {
      int count = completed ? deviceCount : devices.size();
      return new StageLoad(
          key.stageId,
          key.attempt,
          name,
          tasks,
          rows,
          blocks,
          stolenBlocks,
          busyNanos,
          count,
          completed);
    }
  }

  private record StageKey(int stageId, int attempt) {}

  private record FallbackKey(String udf, String reason) {}

  private final Limits limits;

  // All guarded by this. Messages and listeners write; pages and queries read.

  /** By executor id, in the order of their first reports; those that have ended come last. */
  private final Map<String, Kept> executors = new LinkedHashMap<>();

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
  private final ArrayDeque<LoadView.Span> spans = new ArrayDeque<>();
  private final Map<StageKey, Stage> stages = new LinkedHashMap<>();

  /** Of stages that run. */
  private final Map<StageKey, String> stageNames = new LinkedHashMap<>();

  private final ArrayDeque<DeviceEvent> events = new ArrayDeque<>();
  private final Map<FallbackKey, Long> fallbacks = new LinkedHashMap<>();
  private final DonePartitions donePartitions = new DonePartitions();
  private long droppedSpans;

  // Of executors that were forgotten.
  private int forgotten;
  private LoadView.Total forgottenTotal = LoadView.Total.NONE;
  private Waste forgottenWaste = Waste.NONE;
  private long forgottenMissed;
  private final Map<String, UdfLoad> forgottenUdfs = new LinkedHashMap<>();

  public ApplicationLoad(Limits limits) {
    this.limits = limits;
  }

  /**
   * Takes an executor's report; one that is older than the last is ignored, and so is one of an
   * executor that was forgotten. One that has ended stays so, whatever it still reports.
   *
   * @return what has happened since the report before
   */
  public synchronized List<DeviceEvent> update(ExecutorLoad report, long nowNanos) {
    if (isForgotten(report.executorId())) {
      return List.of();
    }
    Kept kept = executors.computeIfAbsent(report.executorId(), id -> new Kept());
    ExecutorLoad before = kept.report;
    if (before != null && before.sequence() >= report.sequence()) {
      return List.of();
    }
    keepBusyTime(kept, report);
    kept.report = report;
    kept.receivedNanos = nowNanos;
    report.spans().forEach(span -> addSpan(report.executorId(), span));
    List<DeviceEvent> happened = whatHappened(before, report);
    happened.forEach(this::addEvent);
    if (gone.containsKey(report.executorId())) {
      executorEnded(report.executorId());
    }
    return happened;
  }

  private boolean isForgotten(String executorId) {
    return gone.getOrDefault(executorId, false);
  }

  /** True if an executor has reported and has not ended. */
  public synchronized boolean isRunning(String executorId) {
    Kept kept = executors.get(executorId);
    return kept != null && !kept.ended;
  }

  private static List<DeviceEvent> whatHappened(ExecutorLoad before, ExecutorLoad now) {
    List<DeviceEvent> happened = new ArrayList<>();
    if (before == null) {
      String names = String.join(", ", now.devices().stream().map(DeviceLoad::device).toList());
      happened.add(event(now, "", "started", now.devices().size() + " devices: " + names));
    }
    for (int i = 0; i < now.devices().size(); i++) {
      DeviceLoad device = now.devices().get(i);
      DeviceLoad old =
          before == null || i >= before.devices().size() ? null : before.devices().get(i);
      DeviceState oldState = old == null ? DeviceState.ACTIVE : old.state();
      if (device.state() != oldState) {
        happened.add(event(now, device.device(), stateName(device), ""));
      }
      long failures = device.failures() - (old == null ? 0 : old.failures());
      if (failures > 0) {
        String detail = failures + (failures == 1 ? " block" : " blocks") + " ended in an error";
        happened.add(event(now, device.device(), "failure", detail));
      }
    }
    return happened;
  }

  private static DeviceEvent event(ExecutorLoad at, String device, String kind, String detail) {
    return new DeviceEvent(at.timeMillis(), at.executorId(), device, kind, detail);
  }

  /** A device's state in one word. */
  public static String stateName(DeviceLoad device) {
    return device.state().name().toLowerCase(Locale.ROOT);
  }

  private void keepBusyTime(Kept kept, ExecutorLoad report) {
    int devices = report.devices().size();
    if (kept.busyMillis == null || kept.busyMillis.length != devices) {
      kept.busyMillis = new float[devices][TimeAxis.BUCKETS];
    }
    long until = report.timeMillis();
    axis.startAt(until);
    while (axis.endsBefore(until)) {
      axis.doubleBuckets();
      for (Kept each : executors.values()) {
        if (each.busyMillis != null) {
          for (float[] figures : each.busyMillis) {
            TimeAxis.halve(figures);
          }
        }
      }
    }
    for (int i = 0; i < devices; i++) {
      long busyNanos = report.devices().get(i).busyNanos();
      if (kept.report != null && i < kept.report.devices().size()) {
        busyNanos -= kept.report.devices().get(i).busyNanos();
      }
      double millis = busyNanos / 1e6;
      if (millis > 0) {
        // A block that took longer than since the last report began before it; and a report long
        // ago means that there was nothing to report until just now.
        long before = kept.report == null ? until : kept.report.timeMillis();
        long since = Math.min(until - before, MOST_MILLIS_WITH_WORK);
        long from = until - Math.max(since, (long) Math.ceil(millis));
        axis.spread(kept.busyMillis[i], Math.max(from, axis.startMillis()), until, millis);
      }
    }
  }

  private void addSpan(String executorId, BlockSpan span) {
    spans.addLast(new LoadView.Span(executorId, span));
    if (spans.size() > limits.spans()) {
      spans.removeFirst();
      droppedSpans++;
    }
  }

  /** Adds an event that was not in a report. */
  public synchronized void addEvent(DeviceEvent event) {
    events.addLast(event);
    if (events.size() > limits.events()) {
      events.removeFirst();
    }
  }

  /** Adds spans that were not in a report. */
  public synchronized void addSpans(List<LoadView.Span> more) {
    more.forEach(span -> addSpan(span.executorId(), span.span()));
  }

  /**
   * An executor has ended: what it computed after its last report is not known, and what it
   * computed for tasks that did not succeed was in vain.
   *
   * @return its {@link #report}, or null if there is none
   */
  public synchronized ExecutorLoad executorEnded(String executorId) {
    Kept kept = executors.remove(executorId);
    if (kept == null) {
      gone.putIfAbsent(executorId, false);
      return null;
    }
    gone.remove(executorId);
    kept.ended = true;
    executors.put(executorId, kept); // now the last of those that have ended
    long ended = executors.values().stream().filter(k -> k.ended).count();
    var all = executors.values().iterator();
    while (ended > limits.endedExecutors() && all.hasNext()) {
      Kept oldest = all.next();
      if (oldest.ended) {
        all.remove();
        forget(oldest);
        ended--;
      }
    }
    return lastReport(kept);
  }

  private void forget(Kept kept) {
    ExecutorLoad report = kept.report;
    forgotten++;
    gone.put(report.executorId(), true);
    for (DeviceLoad device : report.devices()) {
      forgottenTotal = forgottenTotal.plus(device);
    }
    forgottenWaste = forgottenWaste.plus(kept.wasted());
    forgottenMissed += report.missedBlocks();
    mergeUdfs(forgottenUdfs, report.udfs());
  }

  private static void mergeUdfs(Map<String, UdfLoad> into, List<UdfLoad> udfs) {
    for (UdfLoad udf : udfs) {
      boolean own = into.containsKey(udf.udf()) || into.size() < MOST_UDFS;
      String name = own ? udf.udf() : OTHERS;
      UdfLoad named =
          new UdfLoad(
              name,
              udf.rows(),
              udf.blocks(),
              udf.stolenBlocks(),
              udf.busyNanos(),
              udf.times(),
              udf.transfers());
      into.merge(name, named, UdfLoad::plus);
    }
  }

  /**
   * Counts a plan in which a call stays row by row.
   *
   * @return true if this was the first with this UDF and reason, and is kept
   */
  public synchronized boolean addFallback(String udf, String reason) {
    FallbackKey key = new FallbackKey(udf, reason);
    if (!fallbacks.containsKey(key) && fallbacks.size() >= MOST_UDFS) {
      return false;
    }
    return fallbacks.merge(key, 1L, Long::sum) == 1;
  }

  /** Adds what a device did for a successful task of a stage. */
  public synchronized void addStageWork(
      int stageId,
      int attempt,
      String device,
      long rows,
      long blocks,
      long stolenBlocks,
      long busyNanos) {
    Stage stage = stage(stageId, attempt);
    stage.rows += rows;
    stage.blocks += blocks;
    stage.stolenBlocks += stolenBlocks;
    stage.busyNanos += busyNanos;
    if (!stage.completed) {
      stage.devices.add(device);
    }
  }

  /**
   * Counts a successful task of a stage that had rows computed.
   *
   * @param executorId where it ran
   * @param partition which part of the stage it was
   * @return the executor whose work turns out to have been in vain, as this task repeats it; null
   *     if there is none
   */
  public synchronized String addStageTask(
      int stageId, int attempt, String executorId, int partition, long rows, long busyNanos) {
    stage(stageId, attempt).tasks++;
    Kept kept = executors.get(executorId);
    if (kept != null) {
      kept.usefulRows += rows;
      kept.usefulNanos += busyNanos;
    }
    DonePartitions.Done before =
        donePartitions.put(
            stageId, partition, new DonePartitions.Done(executorId, rows, busyNanos));
    if (before == null) {
      return null;
    }
    Waste repeated = new Waste(1, before.rows(), before.busyNanos());
    Kept first = executors.get(before.executorId());
    if (first == null) {
      forgottenWaste = forgottenWaste.plus(repeated);
      return null;
    }
    first.usefulRows -= before.rows();
    first.usefulNanos -= before.busyNanos();
    first.repeated = first.repeated.plus(repeated);
    return before.executorId();
  }

  /** A task ended because its executor was lost. */
  public synchronized void addLostTask(String executorId) {
    Kept kept = executors.get(executorId);
    if (kept != null) {
      kept.lostTasks++;
    }
  }

  private Stage stage(int stageId, int attempt) {
    StageKey key = new StageKey(stageId, attempt);
    Stage stage = stages.get(key);
    if (stage == null) {
      stage = new Stage();
      stage.name = stageNames.getOrDefault(key, "");
      stages.put(key, stage);
      if (stages.size() > limits.stages()) {
        var oldest = stages.entrySet().iterator();
        oldest.next();
        oldest.remove();
      }
    }
    return stage;
  }

  /** A stage attempt has begun. */
  public synchronized void nameStage(int stageId, int attempt, String name) {
    String kept =
        name.length() <= MOST_NAME_CHARS ? name : name.substring(0, MOST_NAME_CHARS) + "…";
    stageNames.put(new StageKey(stageId, attempt), kept);
    if (stageNames.size() > limits.stages()) {
      var oldest = stageNames.entrySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** A stage attempt has ended. Returns its load, or null if devices computed nothing for it. */
  public synchronized StageLoad stageCompleted(int stageId, int attempt) {
    StageKey key = new StageKey(stageId, attempt);
    Stage stage = stages.get(key);
    stageNames.remove(key);
    if (stage == null) {
      return null;
    }
    stage.completed = true;
    stage.deviceCount = stage.devices.size();
    stage.devices.clear();
    return stage.load(key);
  }

  /** Puts a stage's load as it was written down. */
  public synchronized void restoreStage(StageLoad load) {
    Stage stage = stage(load.stageId(), load.attempt());
    stage.name = load.name();
    stage.tasks = load.tasks();
    stage.rows = load.rows();
    stage.blocks = load.blocks();
    stage.stolenBlocks = load.stolenBlocks();
    stage.busyNanos = load.busyNanos();
    stage.deviceCount = load.devices();
    stage.completed = load.completed();
  }

  /**
   * Puts an executor's report as it was written down, without its effect on events and utilisation;
   * nothing if the executor was forgotten.
   *
   * @param utilisation in percent of the axis' intervals, by device
   */
  public synchronized void restoreExecutor(
      ExecutorLoad report,
      long axisStartMillis,
      long bucketMillis,
      List<List<Integer>> utilisation) {
    if (isForgotten(report.executorId())) {
      return;
    }
    axis.restore(axisStartMillis, bucketMillis);
    Kept kept = executors.computeIfAbsent(report.executorId(), id -> new Kept());
    kept.report = report;
    kept.restored = true;
    kept.busyMillis = new float[report.devices().size()][TimeAxis.BUCKETS];
    for (int i = 0; i < Math.min(kept.busyMillis.length, utilisation.size()); i++) {
      for (int j = 0; j < Math.min(TimeAxis.BUCKETS, utilisation.get(i).size()); j++) {
        kept.busyMillis[i][j] = utilisation.get(i).get(j) * bucketMillis / 100f;
      }
    }
  }

  /** Everything, now. */
  public synchronized LoadView view(long nowNanos, long timeMillis) {
    List<LoadView.Device> devices = new ArrayList<>();
    LoadView.Total total = forgottenTotal;
    Waste wasted = forgottenWaste;
    long missed = forgottenMissed;
    Map<String, UdfLoad> udfs = new TreeMap<>(forgottenUdfs);
    for (Kept kept : executors.values()) {
      ExecutorLoad report = kept.report;
      for (int i = 0; i < report.devices().size(); i++) {
        DeviceLoad load = report.devices().get(i);
        total = total.plus(load);
        devices.add(
            new LoadView.Device(
                report.executorId(), load, age(kept, nowNanos), kept.ended, utilisation(kept, i)));
      }
      wasted = wasted.plus(kept.wasted());
      missed += report.missedBlocks();
      mergeUdfs(udfs, report.udfs());
    }
    return new LoadView(
        timeMillis,
        axis.startMillis(),
        axis.bucketMillis(),
        devices,
        List.copyOf(spans),
        missed,
        droppedSpans,
        List.copyOf(udfs.values()),
        fallbacks.entrySet().stream()
            .map(e -> new LoadView.Fallback(e.getKey().udf, e.getKey().reason, e.getValue()))
            .toList(),
        stages.entrySet().stream().map(e -> e.getValue().load(e.getKey())).toList(),
        List.copyOf(events),
        wasted,
        total,
        forgotten);
  }

  /** The devices alone, now. */
  public synchronized List<LoadView.Device> devices(long nowNanos) {
    List<LoadView.Device> devices = new ArrayList<>();
    for (Kept kept : executors.values()) {
      for (DeviceLoad load : kept.report.devices()) {
        devices.add(
            new LoadView.Device(
                kept.report.executorId(), load, age(kept, nowNanos), kept.ended, List.of()));
      }
    }
    return devices;
  }

  /** The last spans that ended after a time, at most so many, oldest first. */
  public synchronized List<LoadView.Span> spansAfter(long micros, int most) {
    ArrayDeque<LoadView.Span> found = new ArrayDeque<>();
    var newestFirst = spans.descendingIterator();
    while (newestFirst.hasNext() && found.size() < most) {
      LoadView.Span span = newestFirst.next();
      if (span.span().endMicros() > micros) {
        found.addFirst(span);
      }
    }
    return List.copyOf(found);
  }

  /**
   * The last report of an executor, without its spans, and with all that is known to be wasted;
   * null if there is none.
   */
  public synchronized ExecutorLoad report(String executorId) {
    Kept kept = executors.get(executorId);
    return kept == null ? null : lastReport(kept);
  }

  private static ExecutorLoad lastReport(Kept kept) {
    ExecutorLoad report = kept.report;
    return new ExecutorLoad(
        report.executorId(),
        report.sequence(),
        report.timeMillis(),
        report.devices(),
        report.udfs(),
        kept.wasted(),
        List.of(),
        report.missedBlocks());
  }

  /** Null for what was written down: the application has ended. */
  private static Long age(Kept kept, long nowNanos) {
    return kept.restored
        ? null
        : Long.valueOf(Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNanos - kept.receivedNanos)));
  }

  private List<Integer> utilisation(Kept kept, int device) {
    List<Integer> percent = new ArrayList<>(TimeAxis.BUCKETS);
    for (float busyMillis : kept.busyMillis[device]) {
      double share = Math.min(1, busyMillis / axis.bucketMillis());
      percent.add((int) Math.round(share * 100));
    }
    return List.copyOf(percent);
  }
}
