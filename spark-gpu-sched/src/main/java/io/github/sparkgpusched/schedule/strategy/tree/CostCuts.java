package io.github.sparkgpusched.schedule.strategy.tree;

import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.List;

/** Where a range of rows is cut by cost. Stateless. */
final class CostCuts {
  private CostCuts() {}

  /**
   * Cuts at half the cost, each side at least one row. Rows that cost nothing, or whose costs say
   * nothing (overflow, not a number), are cut at half their number: so cuts are never nested deeper
   * than the exponents and digits of a double allow.
   *
   * @return first row of the rear part; {@code from} and {@code until} are at least 2 apart
   */
  static long half(RangeCosts costs, long from, long until) {
    double cost = costs.between(from, until);
    long cut =
        RangeCosts.saysSomething(cost)
            ? costs.reach(from, until, cost / 2)
            : from + (until - from) / 2;
    return Math.max(from + 1, Math.min(until - 1, cut));
  }

  /**
   * Cuts a job into one part per starter, by cost in proportion to speed.
   *
   * @return one bound more than there are starters, ascending, from 0 to the number of rows; a part
   *     may be empty
   */
  static long[] bySpeed(RangeCosts costs, long rows, List<WorkerSpec> workers, int starters) {
    long[] bounds = new long[starters + 1];
    bounds[starters] = rows;
    if (rows == 0) {
      return bounds;
    }
    RangeCosts used = RangeCosts.usable(costs, rows);
    double total = used.between(0, rows);
    double speeds = 0;
    for (int i = 0; i < starters; i++) {
      speeds += workers.get(i).speed();
    }
    double before = 0;
    for (int i = 1; i < starters; i++) {
      before += workers.get(i - 1).speed();
      long cut = used.reach(0, rows, total * (before / speeds));
      bounds[i] = Math.max(bounds[i - 1], Math.min(rows, cut));
    }
    return bounds;
  }
}
