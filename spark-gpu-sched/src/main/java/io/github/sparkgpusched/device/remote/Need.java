package io.github.sparkgpusched.device.remote;

import java.util.concurrent.TimeUnit;

/**
 * When tasks of this executor wanted cores of others last, and since when they have. Any thread
 * tells it; two that do so at once may leave either's time. The simulator of clusters has them,
 * too.
 */
public final class Need {
  /** Whoever has not wanted cores for so long wants none, and may have some to lend. */
  private static final long LASTING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Who wants cores has wanted them for so long before it asks for some. */
  private static final long PATIENT_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

  private volatile long lastNanos;
  private volatile long sinceNanos;

  /** False as long as nobody has wanted any since the start, or the end. */
  private volatile boolean ever;

  /** Nobody has wanted any yet. */
  public Need() {}

  /**
   * A task has rows for cores of others.
   *
   * @return true if nobody had any for a while
   */
  public boolean isNew(long now) {
    boolean isNew = !lasts(now);
    if (isNew) {
      sinceNanos = now;
    }
    lastNanos = now;
    ever = true;
    return isNew;
  }

  /** There is no task any more. */
  public void end() {
    ever = false;
  }

  /** Whether cores are wanted now. */
  public boolean lasts(long now) {
    return ever && now - lastNanos < LASTING_NANOS;
  }

  /** Whether it lasts, and is no moment's. */
  public boolean isSettled(long now) {
    return lasts(now) && now - sinceNanos > PATIENT_NANOS;
  }

  /** Differs between one time of need and the next. */
  public long sinceNanos() {
    return sinceNanos;
  }
}
