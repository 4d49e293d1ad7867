package io.github.sparkgpusched.device.remote;

import java.util.concurrent.TimeUnit;

/**
 * When tasks of this executor wanted cores of others last, and since when they have. Any thread
 * tells it; two that do so at once may leave either's time. The simulator of clusters has them,
 * too.
 */
public final class Need {
  /** An executor that has not wanted cores for so long wants none. */
  static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Whoever has wanted none for so long may have some to lend. */
  private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Who wants cores has wanted them for so long before it asks for some. */
  private static final long PATIENT_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

  private volatile long lastNanos;
  private volatile long untilNanos;
  private volatile long sinceNanos;
  private volatile boolean ever;

  /** Nobody has wanted any yet. */
  public Need() {}

  /**
   * A task has rows for cores of others.
   *
   * @param forNanos how long it is at work on them, as far as is known
   * @return true if nobody had any for a while
   */
  public boolean isNew(long now, long forNanos) {
    boolean isNew = !lasts(now);
    if (isNew) {
      sinceNanos = now;
    }
    lastNanos = now;
    long until = now + LASTING_NANOS + forNanos;
    if (isNew || until - untilNanos > 0) {
      untilNanos = until;
    }
    ever = true;
    return isNew;
  }

  /** Whether cores are wanted now. */
  public boolean lasts(long now) {
    return ever && now - untilNanos < 0;
  }

  /** Whether it lasts, and is no moment's. */
  public boolean isSettled(long now) {
    return lasts(now) && now - sinceNanos > PATIENT_NANOS;
  }

  /** Whether nobody has wanted any for a while. */
  public boolean isQuiet(long now) {
    return !ever || now - lastNanos >= QUIET_NANOS;
  }

  /** Differs between one time of need and the next. */
  public long sinceNanos() {
    return sinceNanos;
  }
}
