package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.testing.ModelCheck;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Two that enter in the orders that a model checker chooses. */
class WorkerSlotsModelTest {
  private static final int ORDERS = Integer.getInteger("model.orders", 800);

  @Test
  void twoThatEnterGetSlotsOfTheirOwn() {
    ModelCheck.run(
        ORDERS,
        () -> {
          WorkerSlots slots = new WorkerSlots(1, 2);
          AtomicIntegerArray entered = new AtomicIntegerArray(3);
          Thread[] threads = new Thread[2];
          for (int i = 0; i < 2; i++) {
            threads[i] = new Thread(() -> entered.incrementAndGet(slots.enter()));
            threads[i].start();
          }
          try {
            for (Thread thread : threads) {
              thread.join();
            }
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          assertEquals(0, entered.get(0));
          assertEquals(1, entered.get(1));
          assertEquals(1, entered.get(2));
        });
  }
}
