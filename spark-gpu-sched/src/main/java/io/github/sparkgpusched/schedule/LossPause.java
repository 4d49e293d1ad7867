package io.github.sparkgpusched.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Keeps tasks from batches like one that lost: for longer after each loss that follows another. A
 * batch is like it if its rows are not much dearer, and if no more cores share them. The tasks of a
 * plan share one, as most of them are over before a pause is. Thread-safe.
 */
final class LossPause {
  /** Pauses, in times of what a try takes. */
  private static final double FIRST = 0.5;

  private static final double MOST = 50;

  private final double dearer;

  @GuardedBy("this")
  private double next = FIRST;

  /** Whether {@link #untilNanos} means anything. */
  @GuardedBy("this")
  private boolean paused;

  @GuardedBy("this")
  private long untilNanos;

  /** Of a row in place, when a batch lost. */
  @GuardedBy("this")
  private double lostNanos;

  /** Cores that were thought to be idle then. */
  @GuardedBy("this")
  private int lostIdleCores;

  /**
   * @param dearer rows that take so many times as long as those that lost need not wait
   */
  LossPause(double dearer) {
    this.dearer = dearer;
  }

  /**
   * Whether no batch is to begin now.
   *
   * @param inPlaceNanos what a row takes in place
   */
  synchronized boolean holds(long now, double inPlaceNanos, int idleCores) {
    return paused
        && now - untilNanos < 0
        && inPlaceNanos < dearer * lostNanos
        && idleCores <= lostIdleCores;
  }

  /**
   * A batch was slower than its rows would have been in place.
   *
   * @param tryNanos what another batch like it would take
   */
  synchronized void lost(long now, double tryNanos, double inPlaceNanos, int idleCores) {
    // Rows that were dear enough to be tried in a pause were not dear enough to win.
    boolean within = paused && now - untilNanos < 0;
    lostNanos = within ? Math.max(lostNanos, inPlaceNanos) : inPlaceNanos;
    paused = true;
    untilNanos = now + Math.round(next * tryNanos);
    next = Math.min(MOST, 2 * next);
    lostIdleCores = idleCores;
  }

  /** A batch was faster. */
  synchronized void won() {
    next = FIRST;
    paused = false;
  }
}
