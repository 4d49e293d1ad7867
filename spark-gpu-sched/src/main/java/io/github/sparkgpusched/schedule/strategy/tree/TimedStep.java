package io.github.sparkgpusched.schedule.strategy.tree;

import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.RunningPace;

/**
 * Blocks of a cost that takes about the target time. The first block of all is one row, since
 * nothing is known of what a row takes; then the step is 16 average rows, or that one row if it
 * took long. From there it doubles while blocks take less than half the target and halves when they
 * take more than twice. Capping the time and not the size is what keeps the end of a job even where
 * its last rows are the heavy ones. Where a call takes long whatever its rows, so do blocks ({@link
 * CallTime}). Used by one worker only, hence on cache lines apart.
 */
final class TimedStep extends Padded {
  private static final int FIRST_ROWS = 16;

  /** A block in another place is so much smaller, for rows there may be far more expensive. */
  private static final double ELSEWHERE = 1 / 16.0;

  private final RangeCosts costs;
  private final double averageCost;
  private final double totalCost;
  private final long targetNanos;

  /** Null if rows are not computed together. */
  private final CallTime call;

  private double step;
  private final RunningPace running;
  private long blocks;

  /**
   * Starts from what the pace knows. The average cost of a row and the total are above 0.
   *
   * @param together whether rows are computed together, by calls that may take their time
   */
  TimedStep(
      Pace pace,
      RangeCosts costs,
      double averageCost,
      double totalCost,
      long targetNanos,
      boolean together) {
    this.costs = costs;
    this.averageCost = averageCost;
    this.totalCost = totalCost;
    this.targetNanos = targetNanos;
    this.call = together ? new CallTime(pace.callNanos(), targetNanos) : null;
    this.step = pace.step();
    this.running = new RunningPace(pace.nanosPerCost());
  }

  /** Cost to claim next; 0, which claims one row, while nothing is known. */
  double cost() {
    return step;
  }

  /**
   * Nanoseconds per unit of cost; 0 before the first block; infinite if only free rows were seen.
   */
  double nanosPerCost() {
    return running.nanosPerCost();
  }

  /** The worker goes on in rows that are not beside those it has claimed so far. */
  void beginElsewhere() {
    if (step > averageCost) {
      step = Math.max(step * ELSEWHERE, averageCost);
    }
  }

  /**
   * Sizes the next block.
   *
   * @param from first unclaimed row
   * @param until the row after the last, above {@code from}
   * @param backward true if the block is taken from the rear
   * @return rows to claim, from 1 to {@code until - from}
   */
  long rows(long from, long until, boolean backward) {
    if (step == 0) {
      return 1;
    }
    long rows = Math.max(1, Math.min(until - from, rowsOfStep(from, until, backward)));
    return call == null ? rows : Math.min(until - from, call.rows(rows));
  }

  private long rowsOfStep(long from, long until, boolean backward) {
    if (backward) {
      double rest = costs.between(from, until) - step;
      return rest > 0 ? until - costs.reach(from, until, rest) : until - from;
    }
    return costs.reach(from, until, step) - from;
  }

  /** Whether the next block is to be computed by one call. */
  boolean isOneCall() {
    return call != null && call.isOneCall();
  }

  /**
   * A block of rows {@code [from, until)} has ended.
   *
   * @param reached the first row that was not computed
   * @param oneCall whether one call has computed it
   */
  void took(long from, long reached, long until, long nanos, boolean oneCall) {
    if (call != null) {
      call.took(reached - from, nanos, oneCall);
    }
    took(until - from, costs.between(from, reached), nanos);
  }

  /**
   * Learns from a block.
   *
   * @param rows rows claimed
   * @param cost cost of those computed, fewer than claimed if the rest was handed back
   */
  void took(long rows, double cost, long nanos) {
    long target = call == null ? targetNanos : call.blockNanos();
    blocks++;
    running.learn(cost, nanos);
    if (step == 0) {
      double row = cost > 0 ? cost : averageCost;
      step = nanos > 2 * target ? row : FIRST_ROWS * averageCost;
    } else if (nanos < target / 2 && cost * 2 >= step) {
      // A block shorter than its step, the last of a range, says nothing against the step.
      step = Math.min(step * 2, totalCost);
    } else if (nanos > 2 * target && rows > 1) {
      // Far off: at once as far down as this block says, for the next rows may cost as much.
      step = nanos > 4 * target ? Math.min(step / 2, cost * target / nanos) : step / 2;
    }
  }

  /** True if an average row is known to take longer than a block should. */
  boolean rowsAreBlocks() {
    return running.nanosPerCost() * averageCost > targetNanos;
  }

  /** Blocks learned from. */
  long blocks() {
    return blocks;
  }

  /** Teaches later jobs. */
  void teach(Pace pace) {
    pace.learn(step, nanosPerCost());
    if (call != null) {
      pace.learnCall(call.nanos());
    }
  }
}
