package io.github.sparkgpusched.bench.cpu;

import io.github.sparkgpusched.bench.Bench;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One kernel in all ways, in rounds: the plain loop, each way once, the plain loop again. A round's
 * ratios are to the mean of its two plain loops; the result is the median of rounds. The first
 * round warms up.
 */
final class Measurement {
  private static final int WARM_UP_ROUNDS = 1;
  private static final int LEAST_ROUNDS = 5;

  /** A way that takes so many times the ideal is out after its first run. */
  private static final double HOPELESS = 20;

  private Measurement() {}

  /** Time over the plain loop's divided by workers, by name of the way. */
  static Map<String, Double> ratios(Kernel kernel, List<Way> ways, int workers, double seconds) {
    long expected = kernel.run(0, kernel.rows());
    List<double[]> rounds = new ArrayList<>();
    double[] first = new double[ways.size()];
    long start = System.nanoTime();
    for (int round = -WARM_UP_ROUNDS;
        round < LEAST_ROUNDS || System.nanoTime() - start < seconds * 1e9;
        round++) {
      double[] ratios = round(kernel, ways, workers, expected, first, round);
      if (round >= 0) {
        rounds.add(ratios);
      } else {
        first = ratios;
      }
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    for (int i = 0; i < ways.size(); i++) {
      int way = i;
      medians.put(
          ways.get(i).name(), Bench.median(rounds.stream().mapToDouble(r -> r[way]).toArray()));
    }
    return medians;
  }

  private static double[] round(
      Kernel kernel, List<Way> ways, int workers, long expected, double[] first, int round) {
    double plain = plainNanos(kernel, expected);
    double[] nanos = new double[ways.size()];
    for (int i = 0; i < ways.size(); i++) {
      // Each is first and last in turn.
      int at = Math.floorMod(i + round, ways.size());
      if (first[at] < HOPELESS) {
        long start = System.nanoTime();
        long sum = ways.get(at).run(kernel);
        nanos[at] = System.nanoTime() - start;
        check(ways.get(at).name(), expected, sum);
      }
    }
    double ideal = (plain + plainNanos(kernel, expected)) / 2 / workers;
    double[] ratios = new double[ways.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = first[i] < HOPELESS ? nanos[i] / ideal : first[i];
    }
    return ratios;
  }

  private static double plainNanos(Kernel kernel, long expected) {
    long start = System.nanoTime();
    long sum = kernel.run(0, kernel.rows());
    double nanos = System.nanoTime() - start;
    check("the plain loop", expected, sum);
    return nanos;
  }

  private static void check(String way, long expected, long sum) {
    if (sum != expected) {
      throw new IllegalStateException(way + " adds up to " + sum + ", not " + expected);
    }
  }
}
