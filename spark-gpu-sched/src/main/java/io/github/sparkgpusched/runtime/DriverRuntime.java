package io.github.sparkgpusched.runtime;

import io.github.sparkgpusched.load.ApplicationLoad;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What an application has one of on its driver: the load table of all executors. The driver plugin
 * starts and closes it; a JVM has one application. Thread-safe.
 */
public final class DriverRuntime implements AutoCloseable {
  /** Null until started and after closed. Written by the driver plugin's thread. */
  private static volatile DriverRuntime current;

  private final ApplicationLoad load;
  private final BiConsumer<String, String> fallbacks;
  private final TextExecutors texts = new TextExecutors();

  private DriverRuntime(ApplicationLoad load, BiConsumer<String, String> fallbacks) {
    this.load = load;
    this.fallbacks = fallbacks;
  }

  /**
   * Starts the application's runtime; the caller closes it.
   *
   * @param fallbacks is told the UDF and the reason when a plan has a call that stays row by row
   */
  public static DriverRuntime start(ApplicationLoad load, BiConsumer<String, String> fallbacks) {
    DriverRuntime started = new DriverRuntime(load, fallbacks);
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

  /** An executor has started. */
  public void textDevices(TextDevices executor) {
    texts.add(executor);
  }

  /** An executor has ended. */
  public void executorEnded(String executorId) {
    texts.remove(executorId);
  }

  /**
   * Why functions that are given as text alone cannot run on every executor, or empty if they can.
   *
   * @param language of the functions, as devices name it
   */
  public Optional<String> whyNoTexts(String language) {
    return texts.whyNot(language, load.devices(System.nanoTime()));
  }

  /** A query's plan has calls that devices compute. */
  public void computes(long query, List<String> udfs) {
    load.queryComputes(query, udfs);
  }

  /** A plan has a call that stays row by row. */
  public void fallback(String udf, String reason) {
    fallbacks.accept(udf, reason);
  }

  @Override
  public void close() {
    if (current == this) {
      current = null;
    }
  }
}
