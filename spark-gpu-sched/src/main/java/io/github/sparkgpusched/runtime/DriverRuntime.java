package io.github.sparkgpusched.runtime;

import io.github.sparkgpusched.load.ApplicationLoad;
import java.util.Optional;

/**
 * What an application has one of on its driver: the load table of all executors. The driver plugin
 * starts and closes it; a JVM has one application. Thread-safe.
 */
public final class DriverRuntime implements AutoCloseable {
  /** Null until started and after closed. Written by the driver plugin's thread. */
  private static volatile DriverRuntime current;

  private final ApplicationLoad load;

  private DriverRuntime(ApplicationLoad load) {
    this.load = load;
  }

  /** Starts the application's runtime; the caller closes it. */
  public static DriverRuntime start(ApplicationLoad load) {
    DriverRuntime started = new DriverRuntime(load);
    current = started;
    return started;
  }

  /** The running application's, if the driver plugin runs. */
  public static Optional<DriverRuntime> current() {
    return Optional.ofNullable(current);
  }

  public ApplicationLoad load() {
    return load;
  }

  @Override
  public void close() {
    if (current == this) {
      current = null;
    }
  }
}
