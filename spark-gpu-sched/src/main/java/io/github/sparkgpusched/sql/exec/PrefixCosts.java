package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.util.Arrays;

/** Costs of the rows of a batch as prefix sums, from the UDFs' cost hints. */
final class PrefixCosts implements RangeCosts {
  private final double[] prefix;

  /**
   * @param prefix {@code prefix[i]} is the cost of rows {@code [0, i)}; never falls
   */
  PrefixCosts(double[] prefix) {
    this.prefix = prefix;
  }

  @Override
  public double between(long from, long until) {
    return prefix[(int) until] - prefix[(int) from];
  }

  @Override
  public long reach(long from, long until, double cost) {
    int found =
        Arrays.binarySearch(prefix, (int) from + 1, (int) until + 1, prefix[(int) from] + cost);
    // Not found: the insertion point is the first end whose cost is larger.
    int end = found >= 0 ? found : -found - 1;
    return Math.min(end, until);
  }
}
