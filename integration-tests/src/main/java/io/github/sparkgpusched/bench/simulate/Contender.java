package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.bench.rivals.Rivals;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A strategy with its parameters, under the name that tables give it. */
record Contender(String name, Strategy strategy) {
  /** Ours: what the bars are about. */
  static final String ADAPTIVE = "adaptive";

  private static final String FIXED = "fixed";

  /** Deals by time on threads, and knows of no launch cost. */
  private static final String THREADS_ONLY = "tree";

  /** In the order of tables; names that are not here follow. */
  private static final List<String> ORDER =
      List.of(
          ADAPTIVE,
          Rivals.PAPER_TREE,
          "tree-random",
          "tree-in-order",
          "tree-both-ends",
          THREADS_ONLY,
          "worksteal-deque",
          "static",
          FIXED,
          "units",
          "guided",
          "factoring",
          "trapezoid");

  /** Names of strategies that tables are to show and that there are not. */
  static List<String> missing() {
    return ORDER.stream().filter(name -> !Rivals.names().contains(name)).toList();
  }

  static Contender adaptive() {
    return new Contender(ADAPTIVE, strategy(ADAPTIVE, 1));
  }

  /** Fixed blocks of so many rows. */
  static Contender fixed(String name, long rows) {
    return new Contender(name, strategy(FIXED, rows));
  }

  /** The strategies of these names, as far as there are such. */
  static List<Contender> of(String... names) {
    Set<String> there = Rivals.names();
    return List.of(names).stream()
        .filter(there::contains)
        .map(name -> new Contender(name, strategy(name, 256)))
        .toList();
  }

  /** All strategies that make sense where a launch costs so many mean rows, ours first. */
  static List<Contender> all(double launch) {
    Set<String> rest = new TreeSet<>(Rivals.names());
    List<Contender> all = new ArrayList<>();
    for (String name : ORDER) {
      if (rest.remove(name)) {
        add(name, launch, all);
      }
    }
    for (String name : rest) {
      add(name, launch, all);
    }
    return all;
  }

  private static void add(String name, double launch, List<Contender> all) {
    if (name.equals(FIXED)) {
      all.add(launch == 0 ? fixed("fixed-1", 1) : fixed("fixed-2h", Math.round(2 * launch)));
      all.add(fixed("fixed-256", 256));
    } else if (!name.equals(THREADS_ONLY) || launch == 0) {
      all.add(new Contender(name, strategy(name, 256)));
    }
  }

  private static Strategy strategy(String name, long fixedRows) {
    return Rivals.byName(name, fixedRows);
  }

  /** True if it is ours, made for threads that hand back the rest of expensive blocks. */
  boolean isTimed() {
    return isAdaptive() || name.equals(THREADS_ONLY);
  }

  boolean isAdaptive() {
    return name.equals(ADAPTIVE);
  }
}
