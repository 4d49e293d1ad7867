package io.github.sparkgpusched.it.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions, with a bound. */
public final class Waiting {
  private Waiting() {}

  /**
   * Waits until a condition holds.
   *
   * @throws AssertionError with the message if it does not hold in time
   */
  public static void until(Supplier<String> message, Duration atMost, BooleanSupplier condition) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(message.get() + " (waited " + atMost.toMillis() + " ms)");
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }
}
