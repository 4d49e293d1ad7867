package io.github.sparkgpusched.device.remote;

/** The way to the driver. Thread-safe. */
@FunctionalInterface
public interface Driver {
  /**
   * Asks, and waits for the answer.
   *
   * @throws Exception if the driver does not answer
   */
  Object ask(Question question) throws Exception;
}
