package io.github.sparkgpusched.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.load.LoadEntry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Whether a launch device can be used. Thread-safe.
 *
 * <p>A device that fails is recovered, by its owner, if it did not fail too often lately; else it
 * is lost, for good. One whose owner has been inside one turn for too long is lost, too: whoever
 * waits for it sees that ({@link #stuckNanos}). The load table shows a device as quarantined from
 * its failure on until it has recovered.
 */
final class DeviceHealth {
  /** A device that fails once more than this within {@link #BUDGET_NANOS} is lost. */
  static final int MOST_RECOVERIES = 3;

  static final long BUDGET_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** A turn that takes too long is looked at for so long at most, to be sure of it. */
  private static final long MOST_CONFIRM_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private enum State {
    WELL,
    RECOVERING,
    LOST
  }

  private final LoadEntry load;
  private final long timeoutNanos;

  /** A turn that takes too long must be seen to for so long before the device is given up. */
  private final long confirmNanos;

  /** WELL to RECOVERING and back by the owner; to LOST, once, by anybody. Under the lock. */
  private volatile State state = State.WELL;

  /** Why it is lost; null before. Written before {@link #state}, under the lock. */
  private volatile String reason;

  /** When the last recoveries began, the oldest first. */
  @GuardedBy("this")
  private final Deque<Long> recoveries = new ArrayDeque<>();

  /** When the owner began the turn that it is in; 0 between turns. Written by the owner. */
  private volatile long turnNanos;

  /** The turn that was last seen to take too long, and when that was first seen; 0 for none. */
  @GuardedBy("this")
  private long stuckTurnNanos;

  @GuardedBy("this")
  private long seenStuckNanos;

  DeviceHealth(LoadEntry load, long timeoutNanos) {
    this.load = load;
    this.timeoutNanos = timeoutNanos;
    confirmNanos = confirmNanos(timeoutNanos);
  }

  /** A small part of a short limit, so that a device that hangs is given up soon after it. */
  static long confirmNanos(long timeoutNanos) {
    return Math.min(MOST_CONFIRM_NANOS, timeoutNanos / 20);
  }

  /** True if the device may claim blocks. */
  boolean isWell() {
    return state == State.WELL;
  }

  /** True if the device is never used again. */
  boolean isLost() {
    return state == State.LOST;
  }

  /** Why it is lost, to be put behind its name; null if it is not. */
  String whyLost() {
    return reason;
  }

  /**
   * The device is not used any more.
   *
   * @return false if that was known
   */
  synchronized boolean lose(String why) {
    if (state == State.LOST) {
      return false;
    }
    reason = why;
    state = State.LOST;
    load.setState(DeviceState.QUARANTINED);
    return true;
  }

  /** The device is closed, well or not. */
  synchronized void close() {
    if (state != State.LOST) {
      reason = "was closed";
      state = State.LOST;
    }
  }

  /**
   * The device has failed and is to be recovered. Owner's thread.
   *
   * @return false if it is lost, or has failed too often
   */
  synchronized boolean beginRecovery(long now) {
    while (!recoveries.isEmpty() && now - recoveries.peek() > BUDGET_NANOS) {
      recoveries.poll();
    }
    if (state == State.LOST || recoveries.size() == MOST_RECOVERIES) {
      return false;
    }
    recoveries.add(now);
    state = State.RECOVERING;
    load.setState(DeviceState.QUARANTINED);
    return true;
  }

  /**
   * The device can be used again. Owner's thread.
   *
   * @return false if it was given up meanwhile
   */
  synchronized boolean endRecovery() {
    if (state == State.LOST) {
      return false;
    }
    state = State.WELL;
    load.setState(DeviceState.ACTIVE);
    return true;
  }

  /** The owner's thread begins a turn, in which it may call the device. */
  void beginTurn(long now) {
    turnNanos = now | 1; // never 0, whatever sign the clock has; a nanosecond does not matter
  }

  void endTurn() {
    turnNanos = 0;
  }

  /**
   * For how long the owner has been inside one turn, if that is too long; else 0. A first look says
   * nothing: after a pause of the whole JVM the owner may only need a moment to come back.
   */
  long stuckNanos(long now) {
    long since = turnNanos;
    if (since == 0 || now - since <= timeoutNanos) {
      return 0;
    }
    return wasStuck(since, now) ? now - since : 0;
  }

  private synchronized boolean wasStuck(long turn, long now) {
    if (stuckTurnNanos != turn) {
      stuckTurnNanos = turn;
      seenStuckNanos = now;
    }
    return now - seenStuckNanos >= confirmNanos;
  }
}
