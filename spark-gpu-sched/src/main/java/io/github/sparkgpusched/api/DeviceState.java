package io.github.sparkgpusched.api;

/** Whether a device takes work. */
public enum DeviceState {
  /** It takes work. */
  ACTIVE,
  /** It finishes what it has and takes no more. */
  DRAINING,
  /** It failed and takes no work. */
  QUARANTINED
}
