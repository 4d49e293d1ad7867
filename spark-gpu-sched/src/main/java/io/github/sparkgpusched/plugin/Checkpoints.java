package io.github.sparkgpusched.plugin;

import java.util.concurrent.TimeUnit;

/**
 * When running executors are written down: after ten seconds, then after twice as long, and so on,
 * so that the event log of a long application stays short. Not thread-safe.
 */
final class Checkpoints {
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private long lengthNanos = FIRST_NANOS;
  private long nextNanos;

  Checkpoints(long nowNanos) {
    nextNanos = nowNanos + lengthNanos;
  }

  /** True if one is to be taken; then not again for twice as long as before. */
  boolean isDue(long nowNanos) {
    if (nowNanos - nextNanos < 0) {
      return false;
    }
    lengthNanos *= 2;
    nextNanos = nowNanos + lengthNanos;
    return true;
  }
}
