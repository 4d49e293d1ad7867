package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.bench.simulate.cluster.ClusterBench;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * All strategies on simulated devices: makespan over the lower bound, in tables, CSV and pictures,
 * and whether {@code adaptive} reaches its bars.
 *
 * <p>Usage: {@code SimulateBench OUT_DIRECTORY [quick|full] [devices|cluster|generated] [--seeds
 * A..B] [--check]}: the devices of one executor, or executors that lend each other cores, or both;
 * or the devices of one executor with workloads made from seeds. Ends with status 1 if a bar is
 * missed and that was to be checked.
 */
public final class SimulateBench {
  private static final Set<String> WORDS =
      Set.of("quick", "full", "devices", "cluster", "generated", "--check");

  private static final String USAGE =
      "usage: bench simulate [quick|full] [devices|cluster] [--check]\n"
          + "       bench simulate generated [--seeds A..B] [--check]";

  private SimulateBench() {}

  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[0]);
    List<String> given = new ArrayList<>(Arrays.asList(args).subList(1, args.length));
    Seeds seeds = Seeds.take(given);
    Set<String> words = new HashSet<>(given);
    boolean generated = words.contains("generated");
    if (!WORDS.containsAll(words)
        || seeds == null
        || (!generated && !seeds.equals(Seeds.DEFAULT))) {
      System.err.println(USAGE);
      System.exit(2);
    }
    Files.createDirectories(out);
    long start = System.nanoTime();
    Bars bars = new Bars();
    boolean full = words.contains("full");
    if (generated) {
      GeneratedBench.run(seeds, bars, out, System.out);
    }
    if (!generated && !words.contains("cluster")) {
      try (Runner runner = new Runner()) {
        run(runner, full, bars, out, System.out);
      }
    }
    if (!generated && !words.contains("devices")) {
      ClusterBench.run(full, bars::atMost, out, System.out);
    }
    System.out.println("\n## Bars\n");
    bars.print(System.out);
    System.out.printf("%d s%n", Math.round((System.nanoTime() - start) / 1e9));
    if (words.contains("--check") && bars.missed() > 0) {
      System.exit(1);
    }
  }

  private static void run(Runner runner, boolean full, Bars bars, Path directory, PrintStream out)
      throws IOException {
    for (String name : Contender.missing()) {
      out.println("There is no strategy '" + name + "': left out.");
    }
    Grid grid = new Grid(runner, full, bars, out);
    Results main = grid.main();
    Results paper = grid.paperKernels();
    Results sizes = grid.sizes();
    OtherBars other = new OtherBars(runner, bars, out);
    Results threads = other.all(main);
    List<Results> all = List.of(main, paper, sizes, threads);
    bars.atMost("cases of adaptive that did not end", unended(all), 0, "");

    // Some cases are in two tables.
    Set<String> lines = new LinkedHashSet<>();
    for (Results results : all) {
      results.list().forEach(result -> lines.add(result.csvLine()));
      results.list().stream()
          .filter(result -> result.failure() != null)
          .limit(5)
          .forEach(result -> out.println("did not end: " + result.of() + ": " + result.failure()));
    }
    Path file = directory.resolve("simulate.csv");
    Files.writeString(file, Result.CSV_HEADER + String.join("", lines), StandardCharsets.UTF_8);
    Path picture = directory.resolve("simulate.png");
    RatioPicture.draw(main, picture, out);
    Path speedups = directory.resolve("step-speedups.png");
    SpeedupPicture.draw(other.speedups(), speedups, out);
    out.println("written: " + file + ", " + picture + ", " + speedups);
  }

  private static int unended(List<Results> all) {
    return (int)
        all.stream()
            .flatMap(results -> results.of(Contender.ADAPTIVE).list().stream())
            .filter(result -> result.failure() != null)
            .count();
  }
}
