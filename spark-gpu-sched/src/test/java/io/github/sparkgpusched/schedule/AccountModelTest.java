package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.testing.ModelCheck;
import org.junit.jupiter.api.Test;

/** Charges and raises in the orders that a model checker chooses. */
class AccountModelTest {
  private static final int ORDERS = Integer.getInteger("model.orders", 400);

  @Test
  void noChargeIsLost() {
    ModelCheck.run(
        ORDERS,
        () -> {
          Account account = new Account(2);
          Thread raising = new Thread(() -> account.raiseTo(5));
          Thread charging = new Thread(() -> account.charge(100));
          raising.start();
          charging.start();
          account.charge(20);
          try {
            raising.join();
            charging.join();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          // The raise comes before both charges, between them, or too late to change anything.
          double raisedBy = account.virtualNanos() - 60;
          assertEquals(raisedBy > 0 ? 5 : 0, raisedBy);
        });
  }
}
