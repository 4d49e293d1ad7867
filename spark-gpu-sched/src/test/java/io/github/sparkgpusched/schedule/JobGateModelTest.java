package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.testing.ModelCheck;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Joining, leaving and closing in the orders that a model checker chooses. */
class JobGateModelTest {
  private static final int ORDERS = Integer.getInteger("model.orders", 800);

  private static Thread[] helpers(int count, JobGate gate, Runnable inside) {
    Thread[] threads = new Thread[count];
    for (int i = 0; i < count; i++) {
      threads[i] =
          new Thread(
              () -> {
                if (gate.join()) {
                  inside.run();
                  gate.leave();
                }
              });
      threads[i].start();
    }
    return threads;
  }

  private static void awaitEmpty(JobGate gate) {
    boolean empty = gate.close();
    while (!empty) {
      gate.await(Long.MAX_VALUE);
      empty = gate.inside() == 0;
    }
  }

  private static void join(Thread[] threads) {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nobodyIsInsideAClosedAndEmptyGate() {
    ModelCheck.run(
        ORDERS,
        () -> {
          JobGate gate = new JobGate();
          gate.submit();
          AtomicInteger inside = new AtomicInteger();
          AtomicInteger late = new AtomicInteger();
          boolean[] over = new boolean[1];
          Thread[] threads =
              helpers(
                  2,
                  gate,
                  () -> {
                    inside.incrementAndGet();
                    if (over[0]) {
                      late.incrementAndGet();
                    }
                    inside.decrementAndGet();
                  });
          awaitEmpty(gate);
          assertEquals(0, inside.get());
          over[0] = true;
          join(threads);
          assertEquals(0, late.get(), "helpers inside after the end");
        });
  }

  @Test
  void aGateOpenedAgainLetsInAgainAndEndsAgain() {
    ModelCheck.run(
        ORDERS,
        () -> {
          JobGate gate = new JobGate();
          gate.submit();
          AtomicInteger inside = new AtomicInteger();
          Thread[] threads =
              helpers(
                  2,
                  gate,
                  () -> {
                    inside.incrementAndGet();
                    inside.decrementAndGet();
                  });
          awaitEmpty(gate);
          assertEquals(0, inside.get());
          gate.reopen();
          assertFalse(gate.isClosed());
          awaitEmpty(gate);
          assertEquals(0, inside.get());
          assertTrue(gate.isClosed());
          assertEquals(0, gate.inside());
          join(threads);
        });
  }

  @Test
  void nobodyEntersAJobThatIsOver() {
    ModelCheck.run(
        ORDERS,
        () -> {
          JobGate gate = new JobGate();
          gate.submit();
          AtomicInteger late = new AtomicInteger();
          boolean[] over = new boolean[1];
          Thread[] owners = new Thread[2];
          for (int i = 0; i < owners.length; i++) {
            owners[i] =
                new Thread(
                    () -> {
                      if (gate.enter()) {
                        if (over[0]) {
                          late.incrementAndGet();
                        }
                        gate.leave();
                      }
                    });
            owners[i].start();
          }
          gate.close();
          while (!gate.end()) {
            gate.await(Long.MAX_VALUE);
          }
          over[0] = true;
          join(owners);
          assertEquals(0, late.get(), "owners inside after the end");
        });
  }
}
