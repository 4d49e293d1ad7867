package io.github.sparkgpusched.schedule.strategy;

/**
 * Running estimate of the nanoseconds that a unit of cost takes: 0 while unknown, infinite while
 * only free rows were seen. Not thread-safe.
 */
public final class RunningPace {
  /** Weight of the newest block. */
  private static final double NEWEST = 0.25;

  private double nanosPerCost;

  /** Starts from an earlier estimate; 0 if there is none. */
  public RunningPace(double nanosPerCost) {
    this.nanosPerCost = nanosPerCost;
  }

  /** Learns from a block; one that took no measurable time counts as one nanosecond. */
  public void learn(double cost, long nanos) {
    if (cost > 0) {
      double pace = Math.max(1, nanos) / cost;
      boolean known = nanosPerCost > 0 && nanosPerCost < Double.POSITIVE_INFINITY;
      nanosPerCost = known ? nanosPerCost + NEWEST * (pace - nanosPerCost) : pace;
    } else if (nanosPerCost == 0) {
      nanosPerCost = Double.POSITIVE_INFINITY;
    }
  }

  /** The estimate. */
  public double nanosPerCost() {
    return nanosPerCost;
  }
}
