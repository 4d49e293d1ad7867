package io.github.sparkgpusched.schedule.strategy;

/**
 * What one task has learned about its function, kept from job to job: how much cost makes a block
 * of the right length, and how long a unit of cost takes. Make one for each task and function, and
 * give it to each of their jobs. Safe for use by several threads; they lose at most a newer
 * estimate to an older one.
 */
public final class Pace {
  /** Cost of a block; 0 while unknown. Written by workers as they leave a job. */
  private volatile double step;

  /** Nanoseconds that a unit of cost takes; 0 while unknown. Written as {@code step} is. */
  private volatile double nanosPerCost;

  /** A pace that knows nothing. */
  public Pace() {}

  /**
   * A pace that is known beforehand.
   *
   * @param step cost of a block of about the target time; 0 if unknown
   * @param nanosPerCost nanoseconds that a unit of cost takes; 0 if unknown
   */
  public Pace(double step, double nanosPerCost) {
    this.step = step;
    this.nanosPerCost = nanosPerCost;
  }

  /** Cost of a block of about the target time; 0 while unknown. */
  public double step() {
    return step;
  }

  /** Nanoseconds that a unit of cost takes; 0 while unknown. */
  public double nanosPerCost() {
    return nanosPerCost;
  }

  /** True if it is known how long a unit of cost takes. */
  public boolean isKnown() {
    return nanosPerCost > 0;
  }

  /** Replaces what is known. */
  public void learn(double newStep, double newNanosPerCost) {
    step = newStep;
    nanosPerCost = newNanosPerCost;
  }

  @Override
  public String toString() {
    return "Pace[step=" + step + ", nanosPerCost=" + nanosPerCost + "]";
  }
}
