package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.load.DeviceEvent;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.StageLoad;
import io.github.sparkgpusched.load.UdfLoad;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the load says in words, and what to change. Each rule says only what the figures show, and
 * nothing before there are enough of them: a wrong word costs an operator more than a missing one.
 */
final class Diagnosis {
  /** Less work than this, in nanoseconds of all devices, says nothing. */
  private static final long LEAST_BUSY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long LEAST_ROWS = 100_000;
  private static final long LEAST_STEALS = 1000;

  /**
   * Rows that take less than this, in nanoseconds, gain nothing from a batch: its copy takes some
   * 50 to 250 (docs/benchmarks.md). Dearer rows stay where they are, too, while no device is idle.
   */
  private static final long CHEAP_NANOS = 250;

  /** Of a list, how many are named. */
  private static final int MOST_NAMED = 5;

  private final LoadView view;
  private final List<Finding> findings = new ArrayList<>();

  /** Those that run, or that ran when the application ended, by executor. */
  private final Map<String, List<LoadView.Device>> executors = new LinkedHashMap<>();

  private Diagnosis(LoadView view) {
    this.view = view;
    boolean over = view.devices().stream().allMatch(LoadView.Device::ended);
    Set<String> before = over ? endedBefore(view) : Set.of();
    for (LoadView.Device device : view.devices()) {
      if (over ? !before.contains(device.executorId()) : !device.ended()) {
        executors.computeIfAbsent(device.executorId(), id -> new ArrayList<>()).add(device);
      }
    }
  }

  /** Executors that were removed while the application ran, as they were idle for example. */
  private static Set<String> endedBefore(LoadView view) {
    return view.events().stream()
        .filter(event -> event.kind().equals(DeviceEvent.ENDED) && event.device().isEmpty())
        .map(DeviceEvent::executorId)
        .collect(Collectors.toSet());
  }

  /** All that can be said, the most important first. */
  static List<Finding> of(LoadView view) {
    Diagnosis diagnosis = new Diagnosis(view);
    diagnosis.failing();
    diagnosis.crowded();
    diagnosis.withoutTask();
    diagnosis.alone();
    diagnosis.waiting();
    diagnosis.emptySteals();
    diagnosis.rowByRow();
    diagnosis.cheap();
    return List.copyOf(diagnosis.findings);
  }

  private void say(String kind, String change, String text, Object... figures) {
    findings.add(new Finding(kind, String.format(Locale.ROOT, text, figures), change));
  }

  private static boolean isCore(LoadView.Device device) {
    return device.load().device().startsWith("host:");
  }

  /** Functions that threw. */
  private void failing() {
    view.udfs().stream()
        .filter(udf -> udf.failures() > 0)
        .limit(MOST_NAMED)
        .forEach(
            udf ->
                say(
                    "errors",
                    "See the device events for stage, task and the error's first line, and the log of"
                        + " that executor for the rest.",
                    "%s ended in an error %s.",
                    udf.udf(),
                    Format.count(udf.failures(), "time")));
  }

  /** More devices that are cores than the host has processors. */
  private void crowded() {
    for (Map.Entry<String, List<LoadView.Device>> executor : executors.entrySet()) {
      long cores = executor.getValue().stream().filter(Diagnosis::isCore).count();
      int processors = executor.getValue().get(0).processors();
      if (processors > 0 && cores > processors) {
        say(
            "crowded",
            "Give the executor as many cores as its host has (spark.executor.cores, or N of local[N]; or"
                + " spark.gpusched.host.devices, if it is set).",
            "Executor %s has %s for %s: they take turns, and none is faster for it.",
            executor.getKey(),
            Format.count(cores, "core device"),
            Format.count(processors, "processor"));
        return; // of one host as a rule all have
      }
    }
  }

  /** The last stage has fewer tasks than there are executors, and none of them helps another. */
  private void withoutTask() {
    if (executors.size() < 2 || view.stages().isEmpty()) {
      return;
    }
    StageLoad last = view.stages().get(view.stages().size() - 1);
    if (last.allTasks() == 0
        || last.allTasks() >= executors.size()
        || last.work().busyNanos() < LEAST_BUSY_NANOS) {
      return;
    }
    List<String> idle = new ArrayList<>();
    for (Map.Entry<String, List<LoadView.Device>> executor : executors.entrySet()) {
      if (executor.getValue().stream().anyMatch(d -> hasLent(d.load()))) {
        return;
      }
      if (executor.getValue().stream().allMatch(d -> d.load().rows() == 0)) {
        idle.add(executor.getKey());
      }
    }
    say(
        "no task",
        "Cut the input into more parts: repartition it to at least as many as all executors have"
            + " cores.",
        "Stage %d.%d has %s for %s: %s.",
        last.stageId(),
        last.attempt(),
        Format.count(last.allTasks(), "task"),
        Format.count(executors.size(), "executor"),
        idle.isEmpty()
            ? "the others have none"
            : (idle.size() == 1 ? "executor " : "executors ") + named(idle) + " computed nothing");
  }

  private static boolean hasLent(DeviceLoad device) {
    return device.lentRows() != null && device.lentRows() > 0;
  }

  private static String named(List<String> names) {
    return names.size() <= MOST_NAMED
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MOST_NAMED))
            + " and "
            + (names.size() - MOST_NAMED)
            + " more";
  }

  /** No executor has two devices, and none borrows one, or may where there is another one. */
  private void alone() {
    boolean alone =
        !executors.isEmpty()
            && executors.values().stream()
                .allMatch(d -> d.size() == 1 && !(executors.size() > 1 && d.get(0).shares()));
    if (alone && view.total().busyNanos() >= LEAST_BUSY_NANOS && view.total().steals() == 0) {
      say(
          "alone",
          (executors.size() == 1
                  ? "Give the executor more cores (spark.executor.cores)"
                  : "Have fewer executors with more cores each (spark.executor.cores)")
              + ", or GPUs (spark.gpusched.devices).",
          "Each executor has one device, so there is nobody that could take rows off it.");
    }
  }

  /** Steps of a device's pipeline that wait for others most of the time. */
  private void waiting() {
    for (List<LoadView.Device> devices : executors.values()) {
      for (LoadView.Device device : devices) {
        DeviceLoad load = device.load();
        if (load.inner() != null && load.busyNanos() >= LEAST_BUSY_NANOS) {
          load.inner().stalledNanosByEdge().entrySet().stream()
              .max(Map.Entry.comparingByValue())
              .filter(edge -> edge.getValue() > load.busyNanos() / 2)
              .ifPresent(edge -> waits(device, edge.getKey(), edge.getValue()));
        }
      }
    }
  }

  private void waits(LoadView.Device device, String edge, long nanos) {
    if (findings.stream().filter(f -> f.kind().equals("waits")).count() >= MOST_NAMED) {
      return;
    }
    boolean in = edge.startsWith("STAGING") || edge.startsWith("ARGUMENTS");
    say(
        "waits",
        in
            ? "Give the executor more cores for each GPU, or the function fewer and smaller arguments."
            : "Have the function give smaller results, or give the executor more cores for each GPU.",
        "%s waits for %s for %.0f %% of its busy time (%s).",
        DevicesSection.name(device),
        in ? "rows to come in" : "results to go out",
        Math.min(100.0, 100.0 * nanos / device.load().busyNanos()),
        edge);
  }

  /** Devices look for rows, find none, and are idle for it while others compute. */
  private void emptySteals() {
    long tried = view.total().stealRequests();
    long won = view.total().steals();
    if (tried < LEAST_STEALS || won * 20 >= tried || view.total().busyNanos() < LEAST_BUSY_NANOS) {
      return;
    }
    double used = usedWhileBusy();
    if (used < 0.5) {
      say(
          "empty steals",
          "Have more tasks at once, or more rows in a batch (spark.gpusched.batch.rows), so that there"
              + " is something to share.",
          "Devices looked for rows of others %s times and got some %s times, and while some compute,"
              + " %.0f %% of all devices do: there is too little to take.",
          Format.count(tried),
          Format.count(won),
          used * 100);
    }
  }

  /**
   * The share of devices, without borrowed cores, that compute in those intervals in which one is
   * busy for at least half the time; 1 if there are fewer than four such intervals. An executor
   * that has computed something counts from then on: it may not have been there before.
   */
  private double usedWhileBusy() {
    List<List<List<Integer>>> strips =
        executors.values().stream()
            .map(
                devices ->
                    devices.stream()
                        .filter(device -> !device.load().borrowed())
                        .map(LoadView.Device::utilisation)
                        .toList())
            .toList();
    int length = strips.stream().flatMap(List::stream).mapToInt(List::size).min().orElse(0);
    double sum = 0;
    int intervals = 0;
    for (int i = 0; i < length; i++) {
      int at = i;
      List<Integer> used =
          strips.stream()
              .filter(executor -> firstBusy(executor, length) <= at)
              .flatMap(List::stream)
              .map(strip -> strip.get(at))
              .toList();
      if (used.stream().anyMatch(percent -> percent >= 50)) {
        sum += used.stream().mapToInt(percent -> percent).average().orElse(0) / 100;
        intervals++;
      }
    }
    return intervals < 4 ? 1 : sum / intervals;
  }

  /** The first interval in which a device of an executor computed; 0 if none ever did. */
  private static int firstBusy(List<List<Integer>> executor, int length) {
    return IntStream.range(0, length)
        .filter(i -> executor.stream().anyMatch(strip -> strip.get(i) > 0))
        .findFirst()
        .orElse(0);
  }

  private void rowByRow() {
    view.fallbacks().stream()
        .limit(MOST_NAMED)
        .forEach(
            call ->
                say(
                    "row by row",
                    "See the reason; docs/writing-a-gpu-udf.md says what a call needs to be batched.",
                    "%s stays row by row in %s, so its rows are computed one after another by their"
                        + " task's own core, whatever else is idle: %s",
                    call.udf(),
                    Format.count(call.plans(), "plan"),
                    call.reason()));
  }

  /** Rows that cost less than what handing them over does. */
  private void cheap() {
    for (UdfLoad udf : view.udfs()) {
      long rows = udf.work().rows();
      if (rows >= LEAST_ROWS
          && udf.rowsInline() >= rows * 0.9
          && udf.work().busyNanos() < rows * CHEAP_NANOS) {
        say(
            "cheap",
            "Nothing is wrong. To use other devices, have the function do more for each row.",
            "%s takes %s a row, about as much as a row's copy for another device or less: %.0f %% of"
                + " its rows were computed where they were.",
            udf.udf(),
            Format.nanos(udf.work().busyNanos() / rows),
            100.0 * udf.rowsInline() / rows);
      }
    }
  }
}
