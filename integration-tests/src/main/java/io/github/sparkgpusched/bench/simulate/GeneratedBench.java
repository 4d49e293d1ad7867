package io.github.sparkgpusched.bench.simulate;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * {@code adaptive} on workloads from a range of seeds ({@link GeneratedCosts}), on five machines
 * each, beside blocks of any fixed size: the size that turns out best for the very workload, which
 * nobody knows beforehand.
 */
final class GeneratedBench {
  private static final int ROWS = Grid.ROWS;
  private static final double LAUNCH = 100;
  private static final int DEPTH = 2;

  /** Devices for which fixed blocks are simulated, too: that takes longest. */
  private static final int WITH_FIXED = 64;

  /** Rows of a fixed block. */
  private static final int[] SIZES = {64, 128, 256, 512, 1024, 2048, 4096};

  private static final List<Machine.Profile> PROFILES = List.of(Machine.Profile.values());

  /** The worst workloads that the table names. */
  private static final int WORST = 5;

  /**
   * What became of one workload.
   *
   * @param ours ratio to the bound for each profile
   * @param bestSize of fixed blocks, over all profiles
   * @param best ratios of fixed blocks of this size
   */
  record Score(
      long seed,
      Map<Machine.Profile, Double> ours,
      int bestSize,
      Map<Machine.Profile, Double> best) {
    /** How many times as long as the best fixed blocks it takes, over all profiles. */
    double behind() {
      return mean(ours.values()) / mean(best.values());
    }

    /** The worst machine's, without the one that hangs. */
    double worst() {
      double worst = 0;
      for (Machine.Profile profile : PROFILES) {
        worst = profile == Machine.Profile.HANG ? worst : Math.max(worst, ours.get(profile));
      }
      return worst;
    }

    String csvLine(int devices) {
      StringBuilder lines = new StringBuilder();
      for (Machine.Profile profile : PROFILES) {
        lines.append(
            String.format(
                Locale.ROOT,
                "%d,%d,%s,%.5f,%d,%.5f%n",
                seed,
                devices,
                profile.label(),
                ours.get(profile),
                bestSize,
                best.getOrDefault(profile, Double.NaN)));
      }
      return lines.toString();
    }
  }

  private GeneratedBench() {}

  /** All scores of a range of seeds; without fixed blocks, their size is 0. */
  static List<Score> scores(Seeds seeds, int devices, boolean fixed) {
    return LongStream.rangeClosed(seeds.first(), seeds.last())
        .parallel()
        .mapToObj(seed -> score(seed, devices, fixed))
        .toList();
  }

  private static Score score(long seed, int devices, boolean fixed) {
    Workload work = Workload.of(GeneratedCosts.of(seed, ROWS));
    Map<Machine.Profile, Double> ours = ratios(work, devices, Contender.adaptive());
    int bestSize = 0;
    Map<Machine.Profile, Double> best = Map.of();
    for (int size : fixed ? SIZES : new int[0]) {
      Map<Machine.Profile, Double> ratios =
          ratios(work, devices, Contender.fixed("fixed-" + size, size));
      if (bestSize == 0 || mean(ratios.values()) < mean(best.values())) {
        bestSize = size;
        best = ratios;
      }
    }
    return new Score(seed, ours, bestSize, best);
  }

  private static Map<Machine.Profile, Double> ratios(
      Workload work, int devices, Contender contender) {
    Map<Machine.Profile, Double> ratios = new EnumMap<>(Machine.Profile.class);
    for (Machine.Profile profile : PROFILES) {
      Case c = Case.of(Workload.shape("uniform"), ROWS, devices, profile, LAUNCH, DEPTH, contender);
      ratios.put(
          profile,
          Simulation.run(contender.strategy(), work, c.machine(), c.claimCosts(), c.options())
              .ratio());
    }
    return ratios;
  }

  /** Geometric mean. */
  static double mean(Collection<Double> ratios) {
    return Math.exp(ratios.stream().mapToDouble(Math::log).average().orElse(Double.NaN));
  }

  static double mean(List<Score> scores, ToDoubleFunction<Score> of) {
    return mean(scores.stream().map(of::applyAsDouble).toList());
  }

  static Score max(List<Score> scores, ToDoubleFunction<Score> of) {
    return scores.stream().max(Comparator.comparingDouble(of)).orElseThrow();
  }

  static void run(Seeds seeds, Bars bars, Path directory, PrintStream out) throws IOException {
    out.printf(
        Locale.ROOT,
        "%n## Generated workloads%n%nSeeds %d to %d, %d rows, h = %.0f, depth %d, five machines:"
            + " geometric mean / worst of makespan over lower bound%n%n",
        seeds.first(),
        seeds.last(),
        ROWS,
        LAUNCH,
        DEPTH);
    StringBuilder csv =
        new StringBuilder("seed,devices,profile,adaptive,bestFixed,bestFixedRatio\n");
    List<String> table = new ArrayList<>();
    for (int devices : new int[] {8, 64, 512}) {
      List<Score> scores = scores(seeds, devices, devices == WITH_FIXED);
      StringBuilder line = new StringBuilder("| P = " + devices + " |");
      for (Machine.Profile profile : PROFILES) {
        ToDoubleFunction<Score> ratio = score -> score.ours().get(profile);
        line.append(' ').append(Results.number(mean(scores, ratio))).append(" / ");
        line.append(Results.number(ratio.applyAsDouble(max(scores, ratio)))).append(" |");
      }
      double mean = mean(scores, s -> mean(s.ours().values()));
      table.add(line + " " + Results.number(mean) + " |");
      bars(scores, devices, mean, bars);
      scores.forEach(score -> csv.append(score.csvLine(devices)));
    }
    out.println("| | equal | slow | random | stall | hang | all |");
    out.println("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    table.forEach(out::println);
    Path file = directory.resolve("generated.csv");
    Files.writeString(file, csv, StandardCharsets.UTF_8);
    out.println("\nwritten: " + file);
  }

  private static void bars(List<Score> scores, int devices, double mean, Bars bars) {
    String where = "generated, P = " + devices;
    bars.atMost(where, mean, devices == 8 ? 1.04 : devices == 64 ? 1.10 : 1.35, worst(scores));
    if (devices != WITH_FIXED) {
      return;
    }
    bars.atMost(
        where + ", worst without hang", max(scores, Score::worst).worst(), 2, worst(scores));
    bars.atMost(
        where + ", over the best fixed size of each workload",
        mean(scores, Score::behind),
        1.03,
        "");
    Score behind = max(scores, Score::behind);
    bars.atMost(
        where + ", the same, worst workload",
        behind.behind(),
        1.15,
        "seed " + behind.seed() + ", fixed-" + behind.bestSize());
  }

  private static String worst(List<Score> scores) {
    StringBuilder worst = new StringBuilder("worst");
    scores.stream()
        .sorted(Comparator.comparingDouble(Score::worst).reversed())
        .limit(WORST)
        .forEach(
            s ->
                worst
                    .append(' ')
                    .append(Results.number(s.worst()))
                    .append(" seed ")
                    .append(s.seed())
                    .append(','));
    return worst.substring(0, worst.length() - 1);
  }
}
