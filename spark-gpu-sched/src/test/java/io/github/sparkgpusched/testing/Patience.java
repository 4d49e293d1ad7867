package io.github.sparkgpusched.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * How long tests wait for what comes as soon as somebody gets a core. On a busy machine nobody can
 * say when that is: the bound only ends a test that hangs. Who breaks the code on purpose, and
 * expects tests to wait in vain, sets {@code test.patience.seconds} lower.
 */
public final class Patience {
  public static final long SECONDS = Integer.getInteger("test.patience.seconds", 600);

  public static final long NANOS = TimeUnit.SECONDS.toNanos(SECONDS);

  /** For what takes milliseconds, as an int. */
  public static final int MILLIS = (int) TimeUnit.SECONDS.toMillis(SECONDS);

  private Patience() {}

  /** Waits for a latch. */
  public static void await(CountDownLatch latch) throws InterruptedException, TimeoutException {
    if (!latch.await(SECONDS, TimeUnit.SECONDS)) {
      throw new TimeoutException("nobody counted the latch down");
    }
  }

  /** Waits for a condition; {@code what} says which it is. */
  public static void await(String what, BooleanSupplier condition)
      throws InterruptedException, TimeoutException {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begin > NANOS) {
        throw new TimeoutException("not in time: " + what);
      }
      Thread.sleep(1);
    }
  }
}
