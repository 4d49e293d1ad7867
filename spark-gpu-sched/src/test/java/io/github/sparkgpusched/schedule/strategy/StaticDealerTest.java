package io.github.sparkgpusched.schedule.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.Strategies;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class StaticDealerTest {
  private static Dealer dealer(int rows, int workers) {
    return Strategies.byName("static", Strategies.Options.DEFAULT)
        .deal(
            Deal.builder(rows, Collections.nCopies(workers, WorkerSpec.host()))
                .starters(1)
                .targetNanos(1000)
                .build());
  }

  /** Of each part, whichever way it comes to a worker that it was not dealt to. */
  @Test
  void rowsOfAnotherWorkersPartAreForeign() {
    for (int workers = 1; workers <= 5; workers++) {
      for (int rows = workers; rows < 20; rows++) {
        Dealer dealer = dealer(rows, workers);
        Claim claim = new Claim();
        assertTrue(dealer.claim(0, 0, claim));
        assertFalse(claim.foreign(), "its own part");
        long own = claim.until();
        dealer.handBack(0, claim, 0);
        while (dealer.claim(0, 0, claim)) {
          assertEquals(claim.from() >= own, claim.foreign(), claim + " of " + rows);
          if (claim.from() == rows - 1 && claim.rows() > 1) {
            dealer.handBack(0, claim, 0);
          } else {
            dealer.commit(0, claim, claim.from() + 1, 1, 0);
          }
        }
        assertEquals(rows, dealer.rowsCommitted());
      }
    }
  }
}
