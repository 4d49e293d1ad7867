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
 * trials are of all batches but the last of a workload, and the last is judged. Then what the first
 * launches take, trials and all, over those of the schedule that takes least for them.
 */
final class Choices {
  /** In the order of the plugin's trials. */
  private static final List<String> TRIED = List.of("stealing", "static", "counter");

  private static final List<Integer> LAUNCHES = List.of(1, 3, 6, 12, 32);

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
    List<Map<Integer, Map<String, Double>>> several =
        all.values().stream().filter(batches -> batches.size() > 1).toList();
    for (int launches : LAUNCHES) {
      early(several, launches, out);
    }
  }

  /** All of the first launches. */
  private static void early(
      List<Map<Integer, Map<String, Double>>> workloads, int launches, PrintStream out) {
    Map<String, List<Double>> ratios = new LinkedHashMap<>();
    for (Map<Integer, Map<String, Double>> batches : workloads) {
      ScheduleChoice choice = new ScheduleChoice(schedules(batches));
      Map<String, Double> took = new LinkedHashMap<>();
      for (int i = 0; i < launches; i++) {
        Map<String, Double> batch = batches.get(1 + i % batches.size());
        took.merge("chosen", next(choice, batch), Double::sum);
        batch.forEach((name, cycles) -> took.merge(name, cycles, Double::sum));
      }
      double least =
          took.entrySet().stream()
              .filter(e -> TRIED.contains(e.getKey()))
              .mapToDouble(Map.Entry::getValue)
              .min()
              .orElseThrow();
      took.forEach(
          (name, sum) -> ratios.computeIfAbsent(name, n -> new ArrayList<>()).add(sum / least));
    }
    out.printf(Locale.ROOT, "The first %d launches, in the mean and at most:", launches);
    ratios.forEach(
        (name, of) ->
            out.printf(
                Locale.ROOT,
                " %s %.3f %.2f;",
                name,
                of.stream().mapToDouble(r -> r).average().orElseThrow(),
                of.stream().mapToDouble(r -> r).max().orElseThrow()));
    out.println();
  }

  private static List<Schedule> schedules(Map<Integer, Map<String, Double>> batches) {
    return TRIED.stream()
        .filter(batches.get(1)::containsKey)
        .map(name -> new Schedule(name, "rows"))
        .toList();
  }

  /** The cycles of the next launch, which has a batch. */
  private static double next(ScheduleChoice choice, Map<String, Double> batch) {
    Schedule next = choice.next(ScheduleChoice.LEAST_ROWS);
    double cycles = batch.get(next.strategy());
    choice.took(next, ScheduleChoice.LEAST_ROWS, (long) cycles);
    return cycles;
  }

  private static String chosen(Map<Integer, Map<String, Double>> batches) {
    List<Schedule> schedules = schedules(batches);
    ScheduleChoice choice = new ScheduleChoice(schedules);
    for (int i = 0; i < schedules.size() * ScheduleChoice.TRIALS; i++) {
      next(choice, batches.get(1 + i % (batches.size() - 1)));
    }
    return choice.chosen().strategy();
  }
}
