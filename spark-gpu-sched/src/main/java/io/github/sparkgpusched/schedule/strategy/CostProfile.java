package io.github.sparkgpusched.schedule.strategy;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * What the rows of one job take, range by range, as its blocks end. Time is that of a device of
 * speed 1, in nanoseconds. Thread-safe: one short lock a block.
 */
public final class CostProfile {
  /** Ranges of a job: 16 KB. */
  private static final int MOST_RANGES = 2048;

  /** As a relative error, how far costs are off that were measured in an earlier run. */
  private static final double ERROR = 0.1;

  /**
   * The same if devices are not as fast as declared: what was measured before their speeds were
   * known is off, and what the next run begins with is, too.
   */
  private static final double ERROR_OF_UNKNOWN_SPEEDS = 0.5;

  /** Logarithm of a speed over what was declared: 1.5 times as fast, or as slow. */
  private static final double SPEEDS_DIFFER = 0.4;

  private final long rows;

  /** How a block's time is shared out among its rows: what was thought of them before. */
  private final RangeCosts prior;

  /** By range, on a device of speed 1. */
  @GuardedBy("this")
  private final double[] measured;

  @GuardedBy("this")
  private boolean speedsDiffer;

  /**
   * A profile that has measured nothing yet.
   *
   * @param rows of the job, at least one
   * @param prior what is thought of rows beforehand
   */
  public CostProfile(long rows, RangeCosts prior) {
    this.rows = rows;
    this.prior = prior;
    this.measured = new double[(int) Math.min(MOST_RANGES, rows)];
  }

  /**
   * Rows {@code [from, until)} took so long.
   *
   * @param nanos on the device that computed them
   * @param speed of that device, as far as is known by now
   * @param declaredSpeed what was said of it
   */
  public synchronized void add(
      long from, long until, double nanos, double speed, double declaredSpeed) {
    double time = nanos * speed;
    speedsDiffer |= Math.abs(Math.log(speed / declaredSpeed)) > SPEEDS_DIFFER;
    double cost = prior.between(from, until);
    for (int range = rangeOf(from); range < measured.length; range++) {
      long first = Math.max(from, MeasuredCosts.start(rows, measured.length, range));
      long end = Math.min(until, MeasuredCosts.start(rows, measured.length, range + 1));
      if (first >= until) {
        return;
      }
      if (first < end) {
        double share =
            cost > 0 ? prior.between(first, end) / cost : (double) (end - first) / (until - from);
        measured[range] += share * time;
      }
    }
  }

  @GuardedBy("this")
  private int rangeOf(long row) {
    int range = (int) Math.min(measured.length - 1, (double) row * measured.length / rows);
    return Math.max(0, range - 1); // division rounds; one too early does no harm
  }

  /** How far they may be off, as a relative error. */
  public synchronized double error() {
    return speedsDiffer ? ERROR_OF_UNKNOWN_SPEEDS : ERROR;
  }

  /** What was measured so far. */
  public synchronized RangeCosts costs() {
    return new MeasuredCosts(rows, measured);
  }
}
