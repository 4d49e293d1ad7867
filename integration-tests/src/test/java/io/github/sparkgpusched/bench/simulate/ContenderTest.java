package io.github.sparkgpusched.bench.simulate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every strategy ends, with every row published once, on every kind of machine. */
@Tag("simulate")
class ContenderTest {
  private static final List<String> SHAPES = List.of("uniform", "step-last", "pareto");

  @Test
  void everyRivalCompletesSmallJobsUnderEveryProfileWithAWatchdog() {
    check(contender -> !contender.isAdaptive());
  }

  /**
   * Where launches are expensive: on threads it is the tree, which has the watchdog of the others.
   */
  @Test
  void adaptiveCompletesSmallJobsUnderEveryProfileWithoutAWatchdog() {
    check(Contender::isAdaptive);
  }

  private static void check(Predicate<Contender> which) {
    List<String> failures = new ArrayList<>();
    try (Runner runner = new Runner()) {
      for (double launch : new double[] {0, 10}) {
        for (Contender contender : Contender.all(launch).stream().filter(which).toList()) {
          for (int rows : new int[] {1, 15, 1000}) {
            failures.addAll(failures(runner, contender, launch, rows));
          }
        }
      }
    }
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
  }

  private static List<String> failures(
      Runner runner, Contender contender, double launch, int rows) {
    List<Case> cases = new ArrayList<>();
    for (String shape : SHAPES) {
      for (Machine.Profile profile : Machine.Profile.values()) {
        for (int devices : new int[] {2, 8}) {
          cases.add(
              Case.of(
                  Workload.shape(shape),
                  rows,
                  devices,
                  profile,
                  launch,
                  launch == 0 ? 1 : 2,
                  contender));
        }
      }
    }
    return runner.run(cases).list().stream()
        .filter(result -> result.failure() != null)
        .map(result -> result.of() + ": " + result.failure())
        .toList();
  }
}
