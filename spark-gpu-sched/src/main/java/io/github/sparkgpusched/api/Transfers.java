package io.github.sparkgpusched.api;

import java.io.Serializable;

/**
 * What was copied between an executor's memory and a device's. Immutable; adding is associative and
 * commutative.
 *
 * @param toDeviceBytes bytes of arguments
 * @param fromDeviceBytes bytes of results, and of what blocks say of themselves
 * @param nanos time that copies took, both ways, without their waits, in nanoseconds; copies of
 *     other blocks, and kernels, may have run at the same time. A kernel that reads host memory
 *     itself has bytes and no time
 */
public record Transfers(long toDeviceBytes, long fromDeviceBytes, long nanos)
    implements Serializable {
  /** Nothing was copied. */
  public static final Transfers NONE = new Transfers(0, 0, 0);

  /** Both together. */
  public Transfers plus(Transfers other) {
    return new Transfers(
        toDeviceBytes + other.toDeviceBytes,
        fromDeviceBytes + other.fromDeviceBytes,
        nanos + other.nanos);
  }

  /** Bytes both ways. */
  public long totalBytes() {
    return toDeviceBytes + fromDeviceBytes;
  }
}
