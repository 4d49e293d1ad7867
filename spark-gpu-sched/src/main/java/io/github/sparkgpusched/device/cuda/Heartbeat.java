package io.github.sparkgpusched.device.cuda;

import java.util.concurrent.TimeUnit;

/**
 * Since when the heartbeat of a kernel that stays stands still: normal, late, and stopped; a change
 * of the heartbeat makes it normal again. Owner's thread only.
 */
final class Heartbeat {
  /** A kernel that has not looked for work for so long does not run any more. */
  private static final long STOPPED_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The same before its first look: it may have to wait for others to end. */
  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** After so long without a look for work the driver is asked whether an error ended it. */
  static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private long last;
  private long changedNanos;
  private long stillNanos;

  /** The kernel starts now. */
  void begin() {
    last = 0;
    changedNanos = System.nanoTime();
    stillNanos = 0;
  }

  /** Takes note of the heartbeat as it is now. */
  void look(long heartbeat) {
    long now = System.nanoTime();
    if (heartbeat != last) {
      last = heartbeat;
      changedNanos = now;
    }
    stillNanos = now - changedNanos;
  }

  /** For how long it had stood still at the last look. */
  long stillNanos() {
    return stillNanos;
  }

  boolean isLate() {
    return stillNanos > LATE_NANOS;
  }

  /** It has stood still for so long that the kernel is given up, unless it has ended. */
  boolean hasStopped() {
    return stillNanos > (last == 0 ? START_NANOS : STOPPED_NANOS);
  }
}
