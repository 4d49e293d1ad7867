package io.github.sparkgpusched.device.cuda;

import java.util.concurrent.TimeUnit;

/**
 * Since when the heartbeat of a kernel that stays stands still: normal, late, and stopped; a change
 * of the heartbeat makes it normal again. Owner's thread only.
 */
final class Heartbeat {
  /** A kernel that has not looked for work for so long does not run any more. */
  private static final long STOPPED_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The same before its first look, at least: it may have to wait for others to end. */
  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** After so long without a look for work the driver is asked whether an error ended it. */
  static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final long startNanos;
  private long last;
  private long changedNanos;
  private long stillNanos;

  /**
   * @param blockNanos that a launch may take: a kernel begins only when those before it have ended
   *     that fill the device
   */
  Heartbeat(long blockNanos) {
    startNanos = Math.max(START_NANOS, blockNanos);
  }

  /** The kernel starts now. */
  void begin(long now) {
    last = 0;
    changedNanos = now;
    stillNanos = 0;
  }

  /**
   * Takes note of the heartbeat.
   *
   * @param now a time before it was read: a thread may stand still between the two
   */
  void look(long now, long heartbeat) {
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
    return stillNanos > (last == 0 ? startNanos : STOPPED_NANOS);
  }
}
