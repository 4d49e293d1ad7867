package io.github.sparkgpusched.schedule;

/**
 * What one task has learned about its function, kept from job to job: how much cost makes a block
 * of the right length, and how long a unit of cost takes. Make one for each task and function, and
 * give it to every {@link JobSpec} of theirs. Safe for use by several threads; they lose at most a
 * newer estimate to an older one.
 */
public final class BlockPacer {
  /** Cost of a block; 0 while unknown. Written by a job's submitter after its blocks. */
  private volatile double step;

  /** Nanoseconds that a unit of cost takes; 0 while unknown. Written as {@code step} is. */
  private volatile double nanosPerCost;

  /** A pacer that has learned nothing. */
  public BlockPacer() {}

  double step() {
    return step;
  }

  double nanosPerCost() {
    return nanosPerCost;
  }

  void learn(double newStep, double newNanosPerCost) {
    step = newStep;
    nanosPerCost = newNanosPerCost;
  }

  @Override
  public String toString() {
    return "BlockPacer[step=" + step + ", nanosPerCost=" + nanosPerCost + "]";
  }
}
