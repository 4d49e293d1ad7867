package io.github.sparkgpusched.schedule;

import java.util.concurrent.TimeUnit;

/**
 * What going through a batch adds to a row's way, beside its calls, in nanoseconds: a guess at
 * first, then what batches took more than rows in place. Task thread only.
 */
final class CopyPrice {
  /** How long a copy that seems to be dear is believed to be, where no batch tells it. */
  private static final long DOUBT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Weight of the newest batch. */
  private static final double NEW_BATCH = 0.25;

  /** One batch in which a core was away makes no copy dear; but while it is, batches are a loss. */
  private static final double MOST_GROWTH = 3;

  /** In guesses: so far off none is. How long strings and arrays are, no guess knows. */
  private static final double LEAST_GUESSES = 0.25;

  private final double guess;
  private double nanos;

  /** When it was measured, or doubted, last. */
  private long since;

  /**
   * @param known what others have measured; 0 if nobody has
   */
  CopyPrice(double guess, double known, long now) {
    this.guess = guess;
    this.nanos = known > 0 ? known : guess;
    this.since = now;
  }

  double nanos() {
    return nanos;
  }

  /** A row of a batch took so much longer than one in place, beside its calls. */
  void measured(double copyNanos, long now) {
    double most = MOST_GROWTH * Math.max(guess, nanos);
    double bounded = Math.max(LEAST_GUESSES * guess, Math.min(most, copyNanos));
    nanos += NEW_BATCH * (bounded - nanos);
    since = now;
  }

  /** Else what seemed to be too dear once would never be tried again. */
  void doubt(long now) {
    if (nanos > guess && now - since > DOUBT_NANOS) {
      nanos = (nanos + guess) / 2;
      since = now;
    }
  }
}
