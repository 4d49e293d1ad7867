package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.schedule.strategy.MeasuredCosts;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;

/**
 * What the rows of one job take, range by range, as its blocks end. Time is that of a device of
 * speed 1, in nanoseconds. Thread-safe: one short lock a block.
 */
final class CostProfile {
  /** Ranges of a job: 16 KB. */
  private static final int MOST_RANGES = 2048;

  private final long rows;

  /** How a block's time is shared out among its rows: what was thought of them before. */
  private final RangeCosts prior;

  /** By range. Guarded by this object's lock. */
  private final double[] nanos;

  /** A profile of at least one row. */
  CostProfile(long rows, RangeCosts prior) {
    this.rows = rows;
    this.prior = prior;
    this.nanos = new double[(int) Math.min(MOST_RANGES, rows)];
  }

  /** Rows {@code [from, until)} took so long. */
  synchronized void add(long from, long until, double time) {
    double cost = prior.between(from, until);
    for (int range = rangeOf(from); range < nanos.length; range++) {
      long first = Math.max(from, MeasuredCosts.start(rows, nanos.length, range));
      long end = Math.min(until, MeasuredCosts.start(rows, nanos.length, range + 1));
      if (first >= until) {
        return;
      }
      if (first < end) {
        double share =
            cost > 0 ? prior.between(first, end) / cost : (double) (end - first) / (until - from);
        nanos[range] += share * time;
      }
    }
  }

  private int rangeOf(long row) {
    int range = (int) Math.min(nanos.length - 1, (double) row * nanos.length / rows);
    return Math.max(0, range - 1); // division rounds; one too early does no harm
  }

  /** What was measured so far. */
  synchronized RangeCosts costs() {
    return new MeasuredCosts(rows, nanos);
  }
}
