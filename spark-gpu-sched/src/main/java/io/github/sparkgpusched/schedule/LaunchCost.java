package io.github.sparkgpusched.schedule;

/**
 * What a launch adds to the time of its rows, as it turns out: what passes between a claim and its
 * publication besides computing and what strategies count for copies, of blocks that were alone on
 * their device. It begins with what the device says of itself once it is open, which knows nothing
 * of the machine's load, of the thread's wake-ups or of what the scheduler does for each block.
 * Written by the device's owner, read by anybody.
 */
final class LaunchCost {
  /** Weight of one block beside those before it. */
  private static final double GAIN = 1.0 / 8;

  /**
   * At most so many times, and at least such a part of, what the device says. A device that is
   * thought to be slow gets few blocks to prove the contrary.
   */
  private static final double MOST = 8;

  /** Owner's thread only. */
  private long declaredNanos;

  private volatile long nanos;

  /**
   * The device says what its launches cost, which it knows once it is open. If that is something
   * else than before, what was learned is of another connection, or of the time before a failure.
   */
  void declare(long launchNanos) {
    if (launchNanos != declaredNanos) {
      declaredNanos = launchNanos;
      nanos = launchNanos;
    }
  }

  /**
   * A block was alone on the device. Owner's thread.
   *
   * @param addedNanos from its claim to its publication, less what its rows took and what
   *     strategies count for copying them
   */
  void learn(double addedNanos) {
    double bounded = Math.max(declaredNanos / MOST, Math.min(MOST * declaredNanos, addedNanos));
    long before = nanos; // only this thread writes it
    nanos = before + Math.round(GAIN * (bounded - before));
  }

  /** What a launch adds, in nanoseconds. */
  long nanos() {
    return nanos;
  }
}
