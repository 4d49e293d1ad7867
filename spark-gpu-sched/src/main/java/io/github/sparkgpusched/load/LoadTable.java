package io.github.sparkgpusched.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.api.DeviceLoad;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the devices of an executor did: their entries by device index, and the same by UDF.
 * Thread-safe.
 */
public final class LoadTable {
  /** UDFs that have counters of their own; the others share those of {@value #OTHERS}. */
  static final int MOST_UDFS = 64;

  static final String OTHERS = "(others)";

  private static final int MOST_UDF_CHARS = 200;

  private static final int MOST_FAILED_TASKS = 1000;

  private final List<LoadEntry> entries;

  /** Those that others are told of: borrowed ones follow as they begin. Grows only. */
  @GuardedBy("this")
  private final List<LoadEntry> told = new ArrayList<>();

  /** By name. Any thread adds; nobody removes. */
  private final Map<String, UdfCounters> udfs = new ConcurrentHashMap<>();

  /** Changed by the threads of tasks as these end. */
  private final AtomicReference<Waste> wasted = new AtomicReference<>(Waste.NONE);

  /** Those with rows computed since the last report, a bounded number. */
  @GuardedBy("failedTasks")
  private final List<TaskRun> failedTasks = new ArrayList<>();

  /** The last tasks whose waste was counted: a task has a work for each node that is batched. */
  @GuardedBy("failedTasks")
  private final Set<Long> wastedTasks = new LinkedHashSet<>();

  /** Of rows in no block. */
  private final FailureTrace inlineFailures = new FailureTrace();

  /** Microseconds since 1970 when {@link System#nanoTime} was 0. */
  private final long epochMicros =
      TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis())
          - TimeUnit.NANOSECONDS.toMicros(System.nanoTime());

  /** A table of these entries, in the order of the devices. */
  public LoadTable(List<LoadEntry> entries) {
    this.entries = List.copyOf(entries);
  }

  /** A table of new entries for devices that each hold one block at a time. */
  public static LoadTable ofNames(List<String> devices) {
    return new LoadTable(devices.stream().map(name -> new LoadEntry(name, 1)).toList());
  }

  /** Number of devices. */
  public int size() {
    return entries.size();
  }

  /**
   * The entry of a device.
   *
   * @throws IndexOutOfBoundsException if there is no such device
   */
  public LoadEntry entry(int device) {
    return entries.get(device);
  }

  /**
   * Counts for a task attempt that begins; pass it to {@link LoadEntry#endBlock}, and to {@link
   * #endTask} in the end.
   *
   * @param udf what it computes, as users call it
   */
  public TaskWork task(String udf, int stageId, int stageAttempt, long taskId) {
    String name = udf.length() <= MOST_UDF_CHARS ? udf : udf.substring(0, MOST_UDF_CHARS) + "…";
    // Two threads at once may make it a few more.
    String key = udfs.containsKey(name) || udfs.size() < MOST_UDFS ? name : OTHERS;
    UdfCounters counters = udfs.computeIfAbsent(key, UdfCounters::new);
    TaskWork work = new TaskWork(counters, stageId, stageAttempt, taskId, null);
    counters.begin(work);
    return work;
  }

  /**
   * A task attempt of another executor, for which blocks are computed that are lent.
   *
   * @param executorId Spark's id of that executor
   */
  public static TaskWork guest(String executorId, int stageId, int stageAttempt, long taskId) {
    return new TaskWork(null, stageId, stageAttempt, taskId, Objects.requireNonNull(executorId));
  }

  /**
   * A row that a task computed where it was ended in an error; it was in no block. Nothing if a
   * block of the task has failed: then this is what is heard of that.
   *
   * @param error what went wrong; its first line is told of
   */
  public void failedInline(TaskWork work, String error) {
    if (!work.hasFailed()) {
      work.addFailure();
      inlineFailures.add(BlockFailure.of("", work, FirstLine.of(error)));
    }
  }

  /**
   * A task attempt has ended, and no device computes for it any more. Counts once, however often it
   * is called.
   *
   * @param inVain true if it failed or was killed, so that what was computed for it is waste
   */
  public void endTask(TaskWork work, boolean inVain) {
    if (work.udf().end(work) && inVain && work.work().rows() > 0) {
      Work done = work.work();
      synchronized (failedTasks) {
        long tasks = isFirstOfItsTask(work) ? 1 : 0;
        wasted.accumulateAndGet(new Waste(tasks, done.rows(), done.busyNanos()), Waste::plus);
        if (failedTasks.size() < MOST_FAILED_TASKS) {
          failedTasks.add(TaskRun.of(work));
        }
      }
    }
  }

  @GuardedBy("failedTasks")
  private boolean isFirstOfItsTask(TaskWork work) {
    boolean first = wastedTasks.add(work.taskId());
    if (wastedTasks.size() > MOST_FAILED_TASKS) {
      Iterator<Long> oldest = wastedTasks.iterator();
      oldest.next();
      oldest.remove();
    }
    return first;
  }

  /** What was computed for attempts that failed or were killed. */
  public Waste wasted() {
    return wasted.get();
  }

  /**
   * A snapshot of every entry, in the order of the devices, taken one after the other. A borrowed
   * device has none before its first block, and then follows those that were told of before it.
   */
  public List<DeviceLoad> snapshot() {
    return told().stream().map(LoadEntry::snapshot).toList();
  }

  /** The entries that a snapshot has now, in its order; later ones have more at the end. */
  public synchronized List<LoadEntry> told() {
    for (LoadEntry entry : entries) {
      if ((!entry.isBorrowed() || entry.hasBegun()) && !told.contains(entry)) {
        told.add(entry);
      }
    }
    return List.copyOf(told);
  }

  /** What was computed so far for the tasks that run, in the order of their ids. */
  List<TaskRun> running() {
    Map<Long, TaskRun> tasks = new TreeMap<>();
    udfs.values().forEach(udf -> udf.addRunning(tasks));
    return List.copyOf(tasks.values());
  }

  /** Whether there are failures of rows in place, which no device counts, since the last report. */
  boolean hasFailuresInPlace() {
    return !inlineFailures.isEmpty();
  }

  /**
   * A report of all this. Takes spans and failures out, so that each is in one report; one thread
   * calls.
   */
  public ExecutorLoad report(String executorId, long sequence) {
    List<BlockSpan> spans = new ArrayList<>();
    List<BlockFailure> failures = new ArrayList<>(inlineFailures.drain());
    long missed = 0;
    for (LoadEntry entry : entries) {
      spans.addAll(entry.trace().drain(epochMicros));
      failures.addAll(entry.failures().drain());
      missed += entry.trace().missed();
    }
    return ExecutorLoad.builder(executorId)
        .sequence(sequence)
        .timeMillis(System.currentTimeMillis())
        .processors(Runtime.getRuntime().availableProcessors())
        .shares(entries.stream().anyMatch(LoadEntry::isBorrowed))
        .devices(snapshot())
        .udfs(udfs.values().stream().map(UdfCounters::snapshot).toList())
        .wasted(wasted.get())
        .running(running())
        .failures(failures)
        .failedTasks(drainFailedTasks())
        .spans(spans)
        .missedBlocks(missed)
        .build();
  }

  private List<TaskRun> drainFailedTasks() {
    synchronized (failedTasks) {
      List<TaskRun> drained = List.copyOf(failedTasks);
      failedTasks.clear();
      return drained;
    }
  }

  /**
   * The table as one line for a log: what each device did, and nothing of those that did nothing.
   */
  @Override
  public String toString() {
    return render(snapshot());
  }

  /** Rows that a core computes where they are are in no block. */
  private static boolean isSilent(DeviceLoad load) {
    return load.rows() == 0 && load.blocks() == 0 && load.failures() == 0 && lentRows(load) == 0;
  }

  private static long lentRows(DeviceLoad load) {
    return load.lentRows() == null ? 0 : load.lentRows();
  }

  /** A snapshot as one line for a log; devices that have neither rows nor failures are left out. */
  public static String render(List<DeviceLoad> loads) {
    StringBuilder line = new StringBuilder();
    int silent = 0;
    for (DeviceLoad load : loads) {
      if (isSilent(load)) {
        silent++;
        continue;
      }
      line.append(line.isEmpty() ? "" : "; ")
          .append(load.device())
          .append(" rows=")
          .append(load.rows())
          .append(" blocks=")
          .append(load.blocks())
          .append(" steals=")
          .append(load.steals())
          .append('/')
          .append(load.stealRequests())
          .append(" failures=")
          .append(load.failures())
          .append(" busy=")
          .append(String.format(Locale.ROOT, "%.3fs", load.busyNanos() / 1e9))
          .append(lentRows(load) == 0 ? "" : " lent=" + lentRows(load));
    }
    if (silent > 0) {
      line.append(line.isEmpty() ? "" : "; ").append(silent).append(" without work");
    }
    return line.toString();
  }
}
