package io.github.sparkgpusched.device.remote;

/**
 * When tasks of this executor wanted cores of others last, and since when they have. Any thread
 * tells it; two that do so at once may leave either's time. The simulator of clusters has them,
 * too.
 */
public final class Need {
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
    return ever && now - lastNanos < Waits.LASTING_NANOS;
  }

  /** Whether it lasts, and is no moment's. */
  public boolean isSettled(long now) {
    return lasts(now) && now - sinceNanos > Waits.PATIENT_NANOS;
  }
}
