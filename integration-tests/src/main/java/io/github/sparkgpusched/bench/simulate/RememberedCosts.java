package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.util.Arrays;

/**
 * The costs of rows as an earlier run of the same query would have left them: the mean cost of each
 * of some thousand ranges of equal size. Immutable.
 */
final class RememberedCosts implements RangeCosts {
  /** Row at which a range begins; the last entry is the number of rows. */
  private final long[] start;

  /** Cost of all rows before that. */
  private final double[] before;

  RememberedCosts(Workload work, int ranges) {
    int count = Math.min(ranges, work.rows());
    start = new long[count + 1];
    before = new double[count + 1];
    for (int i = 0; i <= count; i++) {
      start[i] = (long) work.rows() * i / count;
      before[i] = work.between(0, start[i]);
    }
  }

  @Override
  public double between(long from, long until) {
    return upTo(until) - upTo(from);
  }

  private double upTo(long row) {
    int range = range(row);
    double share = (double) (row - start[range]) / (start[range + 1] - start[range]);
    return before[range] + share * (before[range + 1] - before[range]);
  }

  private int range(long row) {
    int at = Arrays.binarySearch(start, row);
    return Math.min(start.length - 2, at >= 0 ? at : -at - 2);
  }

  @Override
  public long reach(long from, long until, double cost) {
    double goal = upTo(from) + cost;
    int at = Arrays.binarySearch(before, goal);
    int range = Math.max(0, Math.min(before.length - 2, at >= 0 ? at : -at - 2));
    double share = (goal - before[range]) / (before[range + 1] - before[range]);
    double row = start[range] + share * (start[range + 1] - start[range]);
    return Math.max(from + 1, Math.min(until, (long) Math.ceil(row)));
  }
}
