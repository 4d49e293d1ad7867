package io.github.sparkgpusched.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;

/**
 * Keeps tasks from batches like one that lost: for longer after each loss that follows another. A
 * batch is like it if its rows are not much dearer, and if no more cores share them. The tasks of a
 * plan share one, as most of them are over before a pause is. Thread-safe.
 */
final class LossPause {
  private static final long FIRST_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Rows are much dearer if they take so many times as long. */
  private static final double DEARER = 2;

  @GuardedBy("this")
  private long nextNanos = FIRST_NANOS;

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
   * Whether no batch is to begin now.
   *
   * @param inPlaceNanos what a row takes in place
   */
  synchronized boolean holds(long now, double inPlaceNanos, int idleCores) {
    return paused
        && now - untilNanos < 0
        && inPlaceNanos < DEARER * lostNanos
        && idleCores <= lostIdleCores;
  }

  /** A batch was slower than its rows would have been in place. */
  synchronized void lost(long now, double inPlaceNanos, int idleCores) {
    paused = true;
    untilNanos = now + nextNanos;
    nextNanos = Math.min(MOST_NANOS, 2 * nextNanos);
    lostNanos = inPlaceNanos;
    lostIdleCores = idleCores;
  }

  /** A batch was faster. */
  synchronized void won() {
    nextNanos = FIRST_NANOS;
    paused = false;
  }
}
