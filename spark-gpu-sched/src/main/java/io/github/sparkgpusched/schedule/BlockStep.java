package io.github.sparkgpusched.schedule;

/**
 * How much one participant claims at a time: a block of a cost that takes about the target time.
 * The first block of all is one row, since nothing is known of what a row takes; then the step is
 * 16 average rows, or that one row if it took long. From there it doubles while blocks take less
 * than half the target and halves when they take more than twice. Capping the time and not the size
 * is what keeps the end of a job even where its last rows are the heavy ones. Used by one thread.
 */
final class BlockStep {
  private static final int FIRST_ROWS = 16;

  /** Weight of the newest block in the estimate of time per cost. */
  private static final double NEWEST = 0.25;

  private final double averageCost;
  private final double totalCost;
  private final long targetNanos;
  private double step;
  private double nanosPerCost;

  /** Starts from what the pacer knows. The average cost of a row and the total are above 0. */
  BlockStep(BlockPacer pacer, double averageCost, double totalCost, long targetNanos) {
    this.averageCost = averageCost;
    this.totalCost = totalCost;
    this.targetNanos = targetNanos;
    this.step = pacer.step();
    this.nanosPerCost = pacer.nanosPerCost();
  }

  /** Cost to claim next; 0, which claims one row, while nothing is known. */
  double cost() {
    return step;
  }

  /**
   * Nanoseconds per unit of cost; 0 before the first block; infinite if only free rows were seen.
   */
  double nanosPerCost() {
    return nanosPerCost;
  }

  /**
   * Learns from a block.
   *
   * @param rows rows claimed
   * @param cost cost of those computed, fewer than claimed if the rest was handed back
   */
  void took(long rows, double cost, long nanos) {
    learnPace(cost, Math.max(1, nanos));
    if (step == 0) {
      double row = cost > 0 ? cost : averageCost;
      step = nanos > 2 * targetNanos ? row : FIRST_ROWS * averageCost;
    } else if (nanos < targetNanos / 2 && cost * 2 >= step) {
      // A block shorter than its step, the last of a segment, says nothing against the step.
      step = Math.min(step * 2, totalCost);
    } else if (nanos > 2 * targetNanos && rows > 1) {
      step /= 2;
    }
  }

  private void learnPace(double cost, long nanos) {
    if (cost > 0) {
      double pace = nanos / cost;
      boolean known = nanosPerCost > 0 && nanosPerCost < Double.POSITIVE_INFINITY;
      nanosPerCost = known ? nanosPerCost + NEWEST * (pace - nanosPerCost) : pace;
    } else if (nanosPerCost == 0) {
      nanosPerCost = Double.POSITIVE_INFINITY;
    }
  }
}
