package io.github.sparkgpusched.device.remote;

import java.util.concurrent.TimeUnit;

/**
 * How often an executor may ask the driver: once a second in the long run, and a few times more
 * after it was silent for as long. Not thread-safe.
 */
final class QuestionRate {
  private static final double NANOS_EACH = TimeUnit.SECONDS.toNanos(1);
  private static final double MOST = 3;

  private double saved = MOST;
  private long sinceNanos;

  QuestionRate(long nowNanos) {
    sinceNanos = nowNanos;
  }

  /** Whether a question may be asked now; it then counts as asked. */
  boolean mayAsk(long nowNanos) {
    saved = Math.min(MOST, saved + (double) (nowNanos - sinceNanos) / NANOS_EACH);
    sinceNanos = nowNanos;
    if (saved < 1) {
      return false;
    }
    saved--;
    return true;
  }
}
