package io.github.sparkgpusched.runtime;

import io.github.sparkgpusched.load.ExecutorLoad;

/** Where an executor's load is reported to. Called by one thread. */
@FunctionalInterface
public interface LoadSink {
  /** Takes a report. If it fails, the next one holds all that this one did. */
  void send(ExecutorLoad report) throws Exception;
}
