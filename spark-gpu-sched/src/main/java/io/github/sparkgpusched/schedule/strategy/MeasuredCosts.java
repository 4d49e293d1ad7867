package io.github.sparkgpusched.schedule.strategy;

import java.util.Arrays;

/**
 * Costs as an earlier run has measured them: of ranges of about as many rows each, within which all
 * rows count the same. Immutable.
 */
public final class MeasuredCosts implements RangeCosts {
  /** No range counts as cheaper than this part of the average one: every row has a cost. */
  private static final double LEAST_PART = 1e-9;

  private final long rows;

  /** Cost of all rows before each range, and of all. */
  private final double[] before;

  /**
   * Copies what was measured.
   *
   * @param rows rows of the job, at least one for each range
   * @param costs of the ranges, at least one; range i of n begins with row {@code rows * i / n}
   */
  public MeasuredCosts(long rows, double[] costs) {
    if (costs.length == 0 || rows < costs.length) {
      throw new IllegalArgumentException(costs.length + " ranges of " + rows + " rows");
    }
    this.rows = rows;
    this.before = new double[costs.length + 1];
    double least = LEAST_PART * Math.max(Arrays.stream(costs).sum(), 1) / costs.length;
    for (int i = 0; i < costs.length; i++) {
      before[i + 1] = before[i] + Math.max(costs[i], least);
    }
  }

  /** First row of a range, or the number of rows. */
  public static long start(long rows, int ranges, int range) {
    return rows / ranges * range + rows % ranges * range / ranges; // rows * range may overflow
  }

  @Override
  public double between(long from, long until) {
    return upTo(until) - upTo(from);
  }

  private double upTo(long row) {
    int ranges = before.length - 1;
    int range = (int) Math.min(ranges - 1, (double) row * ranges / rows);
    // Division rounds: the row may be in the range beside.
    while (range > 0 && row < start(rows, ranges, range)) {
      range--;
    }
    while (range < ranges - 1 && row >= start(rows, ranges, range + 1)) {
      range++;
    }
    long first = start(rows, ranges, range);
    double share = (double) (row - first) / (start(rows, ranges, range + 1) - first);
    return before[range] + share * (before[range + 1] - before[range]);
  }

  @Override
  public long reach(long from, long until, double cost) {
    double goal = upTo(from) + cost;
    if (!(goal < upTo(until))) {
      return until;
    }
    int at = Arrays.binarySearch(before, goal);
    int range = Math.max(0, Math.min(before.length - 2, at >= 0 ? at : -at - 2));
    int ranges = before.length - 1;
    long first = start(rows, ranges, range);
    double share = (goal - before[range]) / (before[range + 1] - before[range]);
    double row = first + share * (start(rows, ranges, range + 1) - first);
    return Math.max(from + 1, Math.min(until, (long) Math.ceil(row)));
  }
}
