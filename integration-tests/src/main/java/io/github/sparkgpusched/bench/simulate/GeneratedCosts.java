package io.github.sparkgpusched.bench.simulate;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Costs of rows that nobody thought of beforehand, from a seed: the range is cut into a few parts,
 * and the costs of each are a product of one to three of the patterns below, on any scale from two
 * rows to the whole part. The same seed gives the same costs. No row costs more than a thousand
 * times the cheapest.
 */
final class GeneratedCosts {
  /** What a row may cost, as a multiple of the cheapest. */
  private static final double MOST = 1000;

  private static final int MOST_PARTS = 6;

  /** So many quantiles of a distribution are computed; those between are interpolated. */
  private static final int QUANTILES = 4096;

  private interface Pattern {
    /** Multiplies the costs of rows {@code [from, until)}. */
    void multiply(double[] costs, int from, int until, SplittableRandom random);
  }

  private static final Pattern[] PATTERNS = {
    GeneratedCosts::drift,
    GeneratedCosts::period,
    GeneratedCosts::bursts,
    GeneratedCosts::clusters,
    GeneratedCosts::tail,
    GeneratedCosts::sortedPieces
  };

  private GeneratedCosts() {}

  static double[] of(long seed, int rows) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] costs = new double[rows];
    Arrays.fill(costs, 1);
    int parts = random.nextInt(3) > 0 ? 1 : random.nextInt(2, MOST_PARTS + 1);
    int[] cuts = random.ints(parts - 1L, 1, rows).sorted().toArray();
    for (int part = 0; part < parts; part++) {
      int from = part == 0 ? 0 : cuts[part - 1];
      int until = part == parts - 1 ? rows : cuts[part];
      if (until > from) {
        part(costs, from, until, random);
      }
    }
    double least = Arrays.stream(costs).min().orElse(1);
    for (int i = 0; i < rows; i++) {
      costs[i] = Math.min(costs[i], MOST * least);
    }
    return costs;
  }

  private static void part(double[] costs, int from, int until, SplittableRandom random) {
    int patterns = random.nextInt(1, 4);
    int first = random.nextInt(PATTERNS.length);
    for (int i = 0; i < patterns; i++) {
      // Different ones: products of two distributions are wilder than their names say.
      int pattern = (first + i * (1 + random.nextInt(2))) % PATTERNS.length;
      PATTERNS[pattern].multiply(costs, from, until, random);
    }
  }

  /** Dearer or cheaper on the way: in a straight line, by a factor for each row, or in one step. */
  private static void drift(double[] costs, int from, int until, SplittableRandom random) {
    double ratio = logUniform(random, 2, MOST);
    boolean down = random.nextBoolean();
    int kind = random.nextInt(3);
    double step = random.nextDouble(0.05, 0.95);
    double[] levels = new double[QUANTILES + 1];
    for (int i = 0; i <= QUANTILES; i++) {
      double x = (double) (down ? QUANTILES - i : i) / QUANTILES;
      levels[i] =
          switch (kind) {
            case 0 -> 1 + (ratio - 1) * x;
            case 1 -> StrictMath.pow(ratio, x);
            default -> x < step ? 1 : ratio;
          };
    }
    for (int i = from; i < until; i++) {
      costs[i] *= between(levels, (double) (i - from) / (until - from));
    }
  }

  /** The same again and again: a wave, a saw, or a few dear rows of many. */
  private static void period(double[] costs, int from, int until, SplittableRandom random) {
    double length = logUniform(random, 2, Math.max(3, (until - from) / 2.0));
    double ratio = logUniform(random, 2, MOST);
    int kind = random.nextInt(3);
    double dear = logUniform(random, 0.02, 0.9);
    double[] levels = new double[QUANTILES + 1];
    for (int i = 0; i <= QUANTILES; i++) {
      double x = (double) i / QUANTILES;
      levels[i] =
          switch (kind) {
            case 0 -> StrictMath.pow(ratio, 0.5 - 0.5 * StrictMath.cos(2 * Math.PI * x));
            case 1 -> 1 + (ratio - 1) * x;
            default -> x < dear ? ratio : 1;
          };
    }
    for (int i = from; i < until; i++) {
      double periods = (i - from) / length;
      costs[i] *= between(levels, periods - Math.floor(periods));
    }
  }

  /** Runs of dear rows at random places. */
  private static void bursts(double[] costs, int from, int until, SplittableRandom random) {
    int rows = until - from;
    double gap = logUniform(random, 50, Math.max(51, rows / 4.0));
    double length = logUniform(random, 1, Math.max(2, gap));
    double ratio = logUniform(random, 3, MOST);
    double place = from;
    while (true) {
      place += exponential(random, gap);
      double end = place + Math.max(1, exponential(random, length));
      if (place >= until) {
        return;
      }
      for (int i = (int) place; i < Math.min(until, (int) end); i++) {
        costs[i] *= ratio;
      }
      place = end;
    }
  }

  /** A few places around which rows are dear. */
  private static void clusters(double[] costs, int from, int until, SplittableRandom random) {
    int rows = until - from;
    int count = random.nextInt(1, 13);
    for (int cluster = 0; cluster < count; cluster++) {
      double center = from + random.nextDouble() * rows;
      double width = rows * logUniform(random, 1e-4, 0.1);
      double ratio = logUniform(random, 3, MOST);
      boolean flat = random.nextBoolean();
      int first = (int) Math.max(from, center - (flat ? 0.5 : 3) * width);
      int end = (int) Math.min(until, center + (flat ? 0.5 : 3) * width + 1);
      for (int i = first; i < end; i++) {
        double x = (i - center) / width;
        costs[i] *= flat ? ratio : 1 + (ratio - 1) * StrictMath.exp(-2 * x * x);
      }
    }
  }

  /** Each row by itself. */
  private static void tail(double[] costs, int from, int until, SplittableRandom random) {
    double[] quantiles = quantiles(random);
    for (int i = from; i < until; i++) {
      costs[i] *= between(quantiles, random.nextDouble());
    }
  }

  /** The same, sorted within pieces. */
  private static void sortedPieces(double[] costs, int from, int until, SplittableRandom random) {
    double[] quantiles = quantiles(random);
    double length = (until - from) / logUniform(random, 1, 300);
    int alternate = random.nextInt(3);
    double start = from;
    for (int piece = 0; start < until; piece++) {
      double end = start + Math.max(1, length * random.nextDouble(0.5, 1.5));
      boolean down = alternate == 2 ? piece % 2 == 0 : alternate == 1;
      for (int i = (int) start; i < Math.min(until, (int) end); i++) {
        double x = Math.min(1, Math.max(0, (i - start) / (end - start)));
        costs[i] *= between(quantiles, down ? 1 - x : x);
      }
      start = end;
    }
  }

  /** A heavy tail: Pareto's, or the logarithm's of normal costs. */
  private static double[] quantiles(SplittableRandom random) {
    boolean pareto = random.nextBoolean();
    double shape = random.nextDouble(1.1, 3);
    double sigma = random.nextDouble(0.3, 2);
    double[] quantiles = new double[QUANTILES + 1];
    for (int i = 0; i <= QUANTILES; i++) {
      double above = Math.max(0.25 / QUANTILES, 1 - (double) i / QUANTILES);
      double below = Math.max(0.25 / QUANTILES, 1 - above);
      quantiles[i] =
          pareto
              ? Math.min(MOST, StrictMath.pow(above, -1 / shape))
              // The logistic distribution's quantile, scaled to the normal one's variance.
              : StrictMath.exp(sigma * 0.55 * StrictMath.log(below / above));
    }
    return quantiles;
  }

  private static double between(double[] levels, double x) {
    double place = x * (levels.length - 1);
    int before = Math.min(levels.length - 2, (int) place);
    return levels[before] + (place - before) * (levels[before + 1] - levels[before]);
  }

  private static double logUniform(SplittableRandom random, double least, double most) {
    return least * StrictMath.pow(most / least, random.nextDouble());
  }

  private static double exponential(SplittableRandom random, double mean) {
    return -mean * StrictMath.log(1 - random.nextDouble());
  }
}
