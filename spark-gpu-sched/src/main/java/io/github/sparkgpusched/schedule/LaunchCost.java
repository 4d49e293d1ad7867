package io.github.sparkgpusched.schedule;

/**
 * What a launch adds to the time of its rows, as it turns out: what passes between a claim and its
 * publication besides computing and copying, of blocks that were alone on their device. It begins
 * with what the device says of itself, which knows nothing of the machine's load, of the thread's
 * wake-ups or of what the scheduler does for each block. Written by the device's owner, read by
 * anybody.
 */
final class LaunchCost {
  /** Weight of one block beside those before it. */
  private static final double GAIN = 1.0 / 8;

  /**
   * At most so many times, and at least such a part of, what the device says. A device that is
   * thought to be slow gets few blocks to prove the contrary.
   */
  private static final double MOST = 8;

  private final long declaredNanos;
  private final double transferNanosPerRow;

  private volatile long nanos;

  LaunchCost(long declaredNanos, double transferNanosPerRow) {
    this.declaredNanos = declaredNanos;
    this.transferNanosPerRow = transferNanosPerRow;
    this.nanos = declaredNanos;
  }

  /**
   * A block of rows was alone on the device. Owner's thread.
   *
   * @param turnaroundNanos from its claim to its publication
   * @param computeNanos what the device says its rows took
   */
  void learn(long turnaroundNanos, long computeNanos, long rows) {
    double sample = turnaroundNanos - computeNanos - transferNanosPerRow * rows;
    double bounded = Math.max(declaredNanos / MOST, Math.min(MOST * declaredNanos, sample));
    long before = nanos; // only this thread writes it
    nanos = before + Math.round(GAIN * (bounded - before));
  }

  /** What a launch adds, in nanoseconds. */
  long nanos() {
    return nanos;
  }
}
