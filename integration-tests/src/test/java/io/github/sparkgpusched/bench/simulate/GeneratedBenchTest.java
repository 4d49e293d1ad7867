package io.github.sparkgpusched.bench.simulate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workloads from seeds, and a few of the bars that a thousand of them are held to. */
class GeneratedBenchTest {
  @Test
  void aSeedAlwaysGivesTheSameCosts() {
    assertArrayEquals(GeneratedCosts.of(7, 10_000), GeneratedCosts.of(7, 10_000));
    assertTrue(!Arrays.equals(GeneratedCosts.of(7, 10_000), GeneratedCosts.of(8, 10_000)));
  }

  @Test
  void costsArePositiveAndNoRowIsOverAThousandTimesAnother() {
    for (long seed = 0; seed < 200; seed++) {
      double[] costs = GeneratedCosts.of(seed, 1000);
      double least = Arrays.stream(costs).min().orElseThrow();
      double most = Arrays.stream(costs).max().orElseThrow();
      assertTrue(least > 0 && most <= 1000 * least, "seed " + seed + ": " + least + ", " + most);
    }
  }

  @Test
  void aRangeOfSeedsIsTakenOutOfTheArguments() {
    List<String> arguments = new ArrayList<>(List.of("generated", "--seeds", "3..5", "--check"));
    assertEquals(new Seeds(3, 5), Seeds.take(arguments));
    assertEquals(List.of("generated", "--check"), arguments);
    assertEquals(Seeds.DEFAULT, Seeds.take(arguments));
    assertNull(Seeds.take(new ArrayList<>(List.of("--seeds", "5..3"))));
    assertNull(Seeds.take(new ArrayList<>(List.of("--seeds"))));
  }

  /** Seed 70 was 1.6 times as late as blocks of 256 rows, and seed 66 2.5 times the bound. */
  @Test
  void adaptiveIsNeverFarBehindTheBestFixedSize() {
    List<GeneratedBench.Score> scores = new ArrayList<>();
    for (Seeds seeds : List.of(new Seeds(66, 70), new Seeds(151, 151), new Seeds(169, 169))) {
      scores.addAll(GeneratedBench.scores(seeds, 64, true));
    }
    for (GeneratedBench.Score score : scores) {
      assertTrue(score.behind() <= 1.15, "seed " + score.seed() + ": " + score.behind());
      assertTrue(score.worst() <= 2, "seed " + score.seed() + ": " + score.worst());
    }
  }

  /** Seeds 9 and 107 have heavy clusters, and took 2 and 2.4 times the bound. */
  @Test
  void aBlockThatTurnsOutHeavyIsOpenedAgainInPiecesOfItsSize() {
    for (long seed : new long[] {9, 107}) {
      GeneratedBench.Score score = GeneratedBench.scores(new Seeds(seed, seed), 8, false).get(0);
      assertTrue(score.worst() <= 1.5, "seed " + seed + ": " + score.worst());
    }
  }
}
