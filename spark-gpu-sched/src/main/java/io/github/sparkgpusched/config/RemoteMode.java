package io.github.sparkgpusched.config;

/** Whether executors compute rows for each other. */
public enum RemoteMode {
  /** Where that is expected to be faster. */
  AUTO,
  /** Never. */
  OFF
}
