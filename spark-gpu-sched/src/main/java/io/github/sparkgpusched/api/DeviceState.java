package io.github.sparkgpusched.api;

/** Whether a device takes work. */
public enum DeviceState {
  /** It takes work. */
  ACTIVE,
  /** It failed and takes no work, for good or until it has recovered. */
  QUARANTINED
}
