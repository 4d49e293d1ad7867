package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.schedule.strategy.Claim;
import java.util.concurrent.TimeUnit;

/**
 * How long the owner of a launch device waits after a turn in which nothing moved. While blocks are
 * in flight it first looks again and again, as most blocks are short and a thread that parks comes
 * back late (88 microseconds later, in the median, on a machine of two cores); but only where that
 * takes a core from nobody. Owner's thread only.
 */
final class OwnerWait {
  /** Look again at once. */
  static final long SPIN = 0;

  /** Wait until somebody has work. */
  static final long UNTIL_WOKEN = Long.MAX_VALUE;

  /** For so long the owner looks again at once, after something has moved. */
  static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(75);

  /** Between two looks at blocks in flight after that. */
  static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  /** The longest sleep while a job may yet have rows for the device. */
  static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** So many cores of the machine must be without work: the spinning thread is on one of them. */
  private static final long FREE_CORES = 2;

  /** Whether the device says when to look. */
  private final boolean isWoken;

  private long movedNanos;

  OwnerWait(boolean isWoken) {
    this.isWoken = isWoken;
  }

  /** Whether the device says when it is present again, and when a block may be done. */
  boolean isWoken() {
    return isWoken;
  }

  /** A block was claimed or has ended. */
  void moved(long now) {
    movedNanos = now;
  }

  /**
   * What to do now.
   *
   * @param inFlight true if a block is
   * @param freeCores of the machine
   * @param askAgainNanos when a job may have rows; {@link Claim#NEVER} if none said so
   * @param mayGetRows true if rows may be handed back, or the device wants to be asked again
   * @return {@link #SPIN}, {@link #UNTIL_WOKEN}, or how long to park, in nanoseconds
   */
  long nanos(long now, boolean inFlight, long freeCores, long askAgainNanos, boolean mayGetRows) {
    if (inFlight && !isWoken) {
      return freeCores >= FREE_CORES && now - movedNanos < SPIN_NANOS ? SPIN : POLL_NANOS;
    }
    if (askAgainNanos != Claim.NEVER) {
      return Math.max(POLL_NANOS, Math.min(IDLE_NANOS, askAgainNanos - now));
    }
    return mayGetRows ? IDLE_NANOS : UNTIL_WOKEN;
  }
}
