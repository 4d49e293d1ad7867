package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.testing.Patience;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HelperPoolTest {
  /** The machine has no thread to spare now, and has some later. */
  @Test
  void aFirstHelperThatCannotBeStartedIsTriedAgain() throws Exception {
    AtomicInteger starts = new AtomicInteger();
    AtomicInteger served = new AtomicInteger();
    HelperPool pool =
        new HelperPool(
            2,
            helper -> served.incrementAndGet(),
            () -> false,
            thread -> {
              if (starts.getAndIncrement() == 0) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              thread.start();
            });
    try {
      pool.wake();
      assertFalse(pool.isPending(), "nobody is about to look for work");
      assertEquals(0, pool.threads().size());
      pool.wake();
      Patience.await("a helper looks for work", () -> served.get() > 0);
      assertEquals(1, served.get());
      assertEquals(1, pool.threads().size());
    } finally {
      pool.close();
    }
  }

  /** Each block that ends wakes: none of these is to pay for a thread that does not start. */
  @Test
  void threadsThatCannotBeStartedAreTriedLessAndLess() {
    AtomicInteger starts = new AtomicInteger();
    HelperPool pool =
        new HelperPool(
            2,
            helper -> {},
            () -> false,
            thread -> {
              starts.incrementAndGet();
              throw new OutOfMemoryError("unable to create native thread");
            });
    for (int i = 0; i < 10_000; i++) {
      pool.wake();
      assertFalse(pool.isPending());
    }
    assertTrue(starts.get() < 25, () -> starts + " starts");
    pool.close();
  }
}
