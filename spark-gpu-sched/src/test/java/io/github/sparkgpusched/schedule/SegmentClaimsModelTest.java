package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;

/** Claims and steals in the orders that a model checker chooses: every row goes to exactly one. */
class SegmentClaimsModelTest {
  private static final int ORDERS = Integer.getInteger("model.orders", 300);
  private static final int ROWS = 4;

  /** Claims until nothing is left to be seen, as a participant does. */
  private static void work(SegmentClaims claims, int slot, AtomicIntegerArray taken, int limit) {
    int blocks = 0;
    do {
      for (long b = claims.claim(slot, 1); !Block.isEmpty(b); b = claims.claim(slot, 1)) {
        for (int row = Block.from(b); row < Block.until(b); row++) {
          taken.incrementAndGet(row);
        }
        if (++blocks == limit) {
          return;
        }
      }
    } while (claims.steal(slot));
  }

  private static void check(int helpers, int helperLimit) {
    check(helpers, helperLimit, false);
  }

  private static void check(int helpers, int helperLimit, boolean handBack) {
    SegmentClaims claims = new SegmentClaims(ROWS, helpers + 1, RangeCosts.UNIFORM);
    AtomicIntegerArray taken = new AtomicIntegerArray(ROWS);
    Thread[] threads = new Thread[helpers];
    for (int i = 0; i < helpers; i++) {
      threads[i] =
          new Thread(
              () -> {
                int slot = claims.enter();
                work(claims, slot, taken, helperLimit);
                claims.leave(slot);
              });
      threads[i].start();
    }
    if (handBack) {
      long block = claims.claim(RowClaims.SUBMITTER, 3);
      if (Block.rows(block) > 1) {
        claims.handBack(RowClaims.SUBMITTER, Block.from(block) + 1, Block.until(block));
      }
      if (!Block.isEmpty(block)) {
        taken.incrementAndGet(Block.from(block));
      }
    }
    work(claims, RowClaims.SUBMITTER, taken, Integer.MAX_VALUE);
    join(threads);
    // What helpers that left early have left, and rows that were between two slots.
    work(claims, RowClaims.SUBMITTER, taken, Integer.MAX_VALUE);
    assertTrue(claims.isExhausted());
    int[] once = new int[ROWS];
    Arrays.fill(once, 1);
    int[] seen = new int[ROWS];
    Arrays.setAll(seen, taken::get);
    assertArrayEquals(once, seen);
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
  void ownerAndThief() {
    Lincheck.runConcurrentTest(ORDERS, () -> check(1, Integer.MAX_VALUE));
  }

  @Test
  void ownerAndTwoThieves() {
    Lincheck.runConcurrentTest(ORDERS, () -> check(2, Integer.MAX_VALUE));
  }

  @Test
  void ownerThatHandsBackAndThief() {
    Lincheck.runConcurrentTest(ORDERS, () -> check(1, Integer.MAX_VALUE, true));
  }

  @Test
  void thievesThatLeaveEarly() {
    Lincheck.runConcurrentTest(ORDERS, () -> check(2, 1));
  }

  @Test
  void twoThatEnterGetSlotsOfTheirOwn() {
    Lincheck.runConcurrentTest(
        ORDERS,
        () -> {
          SegmentClaims claims = new SegmentClaims(ROWS, 3, RangeCosts.UNIFORM);
          AtomicIntegerArray entered = new AtomicIntegerArray(3);
          Thread[] threads = new Thread[2];
          for (int i = 0; i < 2; i++) {
            threads[i] = new Thread(() -> entered.incrementAndGet(claims.enter()));
            threads[i].start();
          }
          join(threads);
          assertEquals(0, entered.get(0));
          assertEquals(1, entered.get(1));
          assertEquals(1, entered.get(2));
        });
  }
}
