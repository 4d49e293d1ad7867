package io.github.sparkgpusched.bench.kernels;

import io.github.sparkgpusched.device.cuda.ScheduleChoice;
import io.github.sparkgpusched.device.cuda.ScheduleChoice.Schedule;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the plugin's own choice of a schedule makes of batches whose cycles are known for each: the
 * trials are of all batches but the last of a workload, and the last is judged.
 */
final class Choices {
  private Choices() {}

  /** Says nothing if no workload has several batches. */
  static void report(List<String> lines, PrintStream out) {
    Map<String, Map<Integer, Map<String, Double>>> all = new LinkedHashMap<>();
    for (String line : lines) {
      if (!line.startsWith(Run.HEADER_START)) {
        Run run = Run.of(line);
        all.computeIfAbsent(run.setting(), s -> new LinkedHashMap<>())
            .computeIfAbsent(run.batch(), b -> new LinkedHashMap<>())
            .put(run.schedule(), run.cycles());
      }
    }
    List<Double> ratios = new ArrayList<>();
    Map<String, Double> fixed = new LinkedHashMap<>();
    all.forEach(
        (setting, batches) -> {
          if (batches.size() > 1) {
            Map<String, Double> last = batches.get(batches.size());
            double best = last.values().stream().mapToDouble(c -> c).min().orElseThrow();
            ratios.add(last.get(chosen(batches)) / best);
            last.forEach((name, cycles) -> fixed.merge(name, cycles / best, Double::sum));
          }
        });
    if (ratios.isEmpty()) {
      return;
    }
    out.printf(
        Locale.ROOT,
        "%nOver the best schedule of each of %d workloads: chosen %.3f in the mean, %.3f at most",
        ratios.size(),
        ratios.stream().mapToDouble(r -> r).average().orElseThrow(),
        ratios.stream().mapToDouble(r -> r).max().orElseThrow());
    fixed.forEach((name, sum) -> out.printf(Locale.ROOT, "; %s %.3f", name, sum / ratios.size()));
    out.println();
  }

  private static String chosen(Map<Integer, Map<String, Double>> batches) {
    List<Schedule> schedules =
        batches.get(1).keySet().stream().map(name -> new Schedule(name, "rows")).toList();
    ScheduleChoice choice = new ScheduleChoice(schedules);
    for (int i = 0; i < schedules.size() * ScheduleChoice.TRIALS; i++) {
      Schedule next = choice.next(ScheduleChoice.LEAST_ROWS);
      double cycles = batches.get(1 + i % (batches.size() - 1)).get(next.strategy());
      choice.took(next, ScheduleChoice.LEAST_ROWS, (long) cycles);
    }
    return choice.chosen().strategy();
  }
}
