package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.Claim;
import org.junit.jupiter.api.Test;

class OwnerWaitTest {
  /** A device that wakes its owner is not polled; rows that will be there are asked for in time. */
  @Test
  void whoIsWokenWaitsForRowsAlone() {
    OwnerWait wait = new OwnerWait(true);
    wait.moved(0);
    assertEquals(OwnerWait.IDLE_NANOS, wait.nanos(1, true, 9, Claim.NEVER, true));
    assertEquals(1_000_000, wait.nanos(1, true, 9, 1_000_001, true));
    assertEquals(OwnerWait.POLL_NANOS, wait.nanos(5, true, 9, 1, true));
  }

  private final OwnerWait wait = new OwnerWait(false);

  @Test
  void itSpinsOnlyAfterAMoveAndOnlyWhereACoreIsFree() {
    wait.moved(-100);
    assertEquals(OwnerWait.SPIN, wait.nanos(0, true, 2, Claim.NEVER, true));
    assertEquals(OwnerWait.POLL_NANOS, wait.nanos(0, true, 1, Claim.NEVER, true));
    long late = OwnerWait.SPIN_NANOS - 100;
    assertEquals(OwnerWait.SPIN, wait.nanos(late - 1, true, 2, Claim.NEVER, true));
    assertEquals(OwnerWait.POLL_NANOS, wait.nanos(late, true, 2, Claim.NEVER, true));
    wait.moved(late);
    assertEquals(OwnerWait.SPIN, wait.nanos(late, true, 2, Claim.NEVER, true));
  }

  @Test
  void withoutBlocksItNeverSpins() {
    wait.moved(0);
    assertEquals(OwnerWait.UNTIL_WOKEN, wait.nanos(1, false, 9, Claim.NEVER, false));
    assertEquals(OwnerWait.IDLE_NANOS, wait.nanos(1, false, 9, Claim.NEVER, true));
    assertEquals(1_000_000, wait.nanos(1, false, 9, 1_000_001, true));
    assertEquals(OwnerWait.IDLE_NANOS, wait.nanos(1, false, 9, Long.MAX_VALUE - 1, true));
    assertEquals(OwnerWait.POLL_NANOS, wait.nanos(1, false, 9, -50, false));
  }

  @Test
  void launchesCostWhatTheyTurnOutTo() {
    LaunchCost cost = new LaunchCost();
    cost.declare(10_000);
    assertEquals(10_000, cost.nanos());
    for (int i = 0; i < 100; i++) {
      cost.learn(50_000);
    }
    assertEquals(50_000.0, (double) cost.nanos(), 100.0, "what it turned out to be");
    cost.learn(5_000_000_000L);
    assertTrue(cost.nanos() < 55_000, "a thread that slept once tells little");
    for (int i = 0; i < 100; i++) {
      cost.learn(5_000_000_000L);
    }
    assertEquals(80_000.0, (double) cost.nanos(), 100.0, "at most eight times what was declared");
    for (int i = 0; i < 100; i++) {
      cost.learn(-500);
    }
    assertEquals(1_250.0, (double) cost.nanos(), 100.0);
    LaunchCost free = new LaunchCost();
    free.learn(1_000_000);
    assertEquals(0, free.nanos());
  }
}
