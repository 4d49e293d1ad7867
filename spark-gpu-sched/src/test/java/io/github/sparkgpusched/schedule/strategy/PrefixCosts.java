package io.github.sparkgpusched.schedule.strategy;

import java.util.Random;

/** Costs from prefix sums, as a batch's cost hints are. */
public final class PrefixCosts implements RangeCosts {
  private final double[] sums;

  public PrefixCosts(double... costs) {
    sums = new double[costs.length + 1];
    for (int i = 0; i < costs.length; i++) {
      sums[i + 1] = sums[i] + costs[i];
    }
  }

  /** Costs of one of several shapes: even, rising, one heavy row, many free rows, heavy tailed. */
  public static RangeCosts random(int rows, Random random) {
    int shape = random.nextInt(6);
    if (shape == 0) {
      return UNIFORM;
    }
    int heavy = rows == 0 ? 0 : random.nextInt(rows);
    double[] costs = new double[rows];
    for (int i = 0; i < rows; i++) {
      costs[i] =
          switch (shape) {
            case 1 -> i;
            case 2 -> i == heavy ? 1e6 : 1;
            case 3 -> random.nextInt(10) == 0 ? 1 : 0;
            case 4 -> Math.pow(random.nextDouble(), -2);
            default -> 0;
          };
    }
    return new PrefixCosts(costs);
  }

  @Override
  public double between(long from, long until) {
    return sums[(int) until] - sums[(int) from];
  }

  @Override
  public long reach(long from, long until, double cost) {
    int low = (int) from + 1;
    int high = (int) until;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sums[middle] - sums[(int) from] >= cost) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
