package io.github.sparkgpusched.it.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions. */
public final class Waiting {
  /**
   * For what comes as soon as somebody gets a core, and on a busy machine nobody can say when that
   * is: the bound only ends a test that hangs.
   */
  public static final Duration PATIENCE =
      Duration.ofSeconds(Integer.getInteger("test.patience.seconds", 600));

  private Waiting() {}

  /**
   * Waits until a condition holds.
   *
   * @throws AssertionError with the message if it does not within {@link #PATIENCE}
   */
  public static void until(Supplier<String> message, BooleanSupplier condition) {
    until(message, PATIENCE, condition);
  }

  /** The same for what takes longer. */
  public static void until(Supplier<String> message, Duration atMost, BooleanSupplier condition) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
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
