package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.testing.ModelCheck;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CoreBudgetTest {
  private static void inThreads(int count, Runnable work) {
    Thread[] threads = new Thread[count];
    for (int i = 0; i < count; i++) {
      threads[i] = new Thread(work);
      threads[i].start();
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void helpersTakeOnlyWhatIsFree() {
    CoreBudget budget = new CoreBudget(2);
    budget.add(1);
    assertTrue(budget.isIdle());
    assertTrue(budget.tryTake());
    assertFalse(budget.isIdle());
    assertFalse(budget.tryTake());
    assertFalse(budget.tryYield());
    budget.add(1);
    assertEquals(3, budget.busy());
    assertTrue(budget.tryYield());
    assertFalse(budget.tryYield());
  }

  @Test
  void twoHelpersDoNotTakeTheSameCore() {
    ModelCheck.run(
        Integer.getInteger("model.orders", 1000),
        () -> {
          CoreBudget budget = new CoreBudget(2);
          budget.add(1);
          AtomicInteger taken = new AtomicInteger();
          inThreads(2, () -> taken.addAndGet(budget.tryTake() ? 1 : 0));
          assertEquals(1, taken.get());
          assertEquals(2, budget.busy());
        });
  }

  @Test
  void noMoreHelpersGiveBackThanMust() {
    ModelCheck.run(
        Integer.getInteger("model.orders", 1000),
        () -> {
          CoreBudget budget = new CoreBudget(2);
          budget.add(3);
          AtomicInteger yielded = new AtomicInteger();
          inThreads(2, () -> yielded.addAndGet(budget.tryYield() ? 1 : 0));
          assertEquals(1, yielded.get());
          assertEquals(2, budget.busy());
        });
  }
}
