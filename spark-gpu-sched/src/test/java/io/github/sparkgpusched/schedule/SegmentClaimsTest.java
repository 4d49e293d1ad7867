package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SegmentClaimsTest {
  private static void assertBlock(int from, int until, long block) {
    assertEquals(from + "-" + until, Block.from(block) + "-" + Block.until(block));
  }

  @Test
  void packsTheLargestRows() {
    long block = Block.of(JobSpec.MAX_ROWS - 1, JobSpec.MAX_ROWS);
    assertBlock(JobSpec.MAX_ROWS - 1, JobSpec.MAX_ROWS, block);
    assertEquals(1, Block.rows(block));
    assertFalse(Block.isEmpty(block));
    assertTrue(Block.isEmpty(Block.NONE));
  }

  @Test
  void ownerClaimsFromTheFrontByCost() {
    SegmentClaims claims = new SegmentClaims(6, 2, new PrefixCosts(1, 1, 5, 1, 1, 1));
    assertBlock(0, 2, claims.claim(0, 2));
    assertBlock(2, 3, claims.claim(0, 2));
    assertEquals(3, claims.costLeft());
    assertBlock(3, 6, claims.claim(0, 100));
    assertTrue(Block.isEmpty(claims.claim(0, 1)));
    assertTrue(claims.isExhausted());
  }

  @Test
  void claimsAtLeastOneRowAndNeverBeyondTheEnd() {
    RangeCosts wild =
        new RangeCosts() {
          @Override
          public double between(long from, long until) {
            return until - from;
          }

          @Override
          public long reach(long from, long until, double cost) {
            return cost < 1 ? from - 5 : until + 5;
          }
        };
    SegmentClaims claims = new SegmentClaims(10, 2, wild);
    assertBlock(0, 1, claims.claim(0, 0));
    assertBlock(1, 10, claims.claim(0, 3));
  }

  @Test
  void rowsHandedBackAreClaimedAgain() {
    SegmentClaims claims = new SegmentClaims(8, 2, RangeCosts.UNIFORM);
    assertBlock(0, 4, claims.claim(0, 4));
    claims.handBack(0, 1, 4);
    assertEquals(7, claims.costLeft());
    assertBlock(1, 8, claims.claim(0, 100));
    claims.handBack(0, 5, 8);
    int thief = claims.enter();
    assertTrue(claims.steal(thief));
    assertEquals(3, claims.rowsIn(0) + claims.rowsIn(thief));
  }

  @Test
  void thiefTakesTheRearHalfByCost() {
    SegmentClaims claims = new SegmentClaims(8, 2, new PrefixCosts(8, 1, 1, 1, 1, 1, 1, 2));
    int thief = claims.enter();
    assertTrue(claims.steal(thief));
    assertEquals(1, claims.rowsIn(0), "the heavy row alone is half of the cost");
    assertEquals(7, claims.rowsIn(thief));
    assertBlock(1, 3, claims.claim(thief, 2));
  }

  @Test
  void thiefTakesASingleRowAndLeavesOneOfTwo() {
    SegmentClaims claims = new SegmentClaims(2, 3, new PrefixCosts(0, 9));
    int first = claims.enter();
    int second = claims.enter();
    assertTrue(claims.steal(first));
    assertBlock(1, 2, claims.claim(first, 1));
    assertTrue(claims.steal(second));
    assertBlock(0, 1, claims.claim(second, 1));
    assertFalse(claims.steal(first));
    assertTrue(claims.isExhausted());
  }

  @Test
  void victimIsTheSlotWithMostCostLeft() {
    SegmentClaims claims = new SegmentClaims(8, 3, new PrefixCosts(1, 1, 1, 1, 1, 1, 1, 9));
    int first = claims.enter();
    int second = claims.enter();
    assertTrue(claims.steal(first)); // 0-7 stay, 7-8 taken
    assertTrue(claims.steal(second)); // of the one row that costs 9, not of the seven that cost 7
    assertBlock(7, 8, claims.claim(second, 1));
    assertTrue(Block.isEmpty(claims.claim(first, 1)));
  }

  @Test
  void rowsOfALeftSlotAreInheritedByTheNextToEnter() {
    SegmentClaims claims = new SegmentClaims(8, 3, RangeCosts.UNIFORM);
    int slot = claims.enter();
    assertTrue(claims.steal(slot));
    claims.leave(slot);
    assertEquals(slot, claims.enter());
    assertBlock(4, 8, claims.claim(slot, 100));
  }

  @Test
  void rowsOfALeftSlotCanBeStolen() {
    SegmentClaims claims = new SegmentClaims(2, 2, RangeCosts.UNIFORM);
    int slot = claims.enter();
    assertTrue(claims.steal(slot));
    claims.leave(slot);
    assertBlock(0, 1, claims.claim(0, 100));
    assertFalse(claims.isExhausted());
    assertTrue(claims.steal(0));
    assertBlock(1, 2, claims.claim(0, 100));
    assertTrue(claims.isExhausted());
  }

  @Test
  void eachSlotIsEnteredOnce() {
    SegmentClaims claims = new SegmentClaims(2, 3, RangeCosts.UNIFORM);
    assertEquals(1, claims.enter());
    assertEquals(2, claims.enter());
    assertEquals(-1, claims.enter());
    claims.leave(2);
    assertEquals(2, claims.enter());
  }

  @Test
  void costsThatAreNoNumberHideNoRows() {
    RangeCosts nan =
        new RangeCosts() {
          @Override
          public double between(long from, long until) {
            return Double.NaN;
          }

          @Override
          public long reach(long from, long until, double cost) {
            return until;
          }
        };
    SegmentClaims claims = new SegmentClaims(5, 2, nan);
    int thief = claims.enter();
    int rows = 0;
    while (claims.steal(thief)) {
      for (long b = claims.claim(thief, 1); !Block.isEmpty(b); b = claims.claim(thief, 1)) {
        rows += Block.rows(b);
      }
    }
    assertEquals(5, rows);
  }

  @Test
  void onlyRowsDealtToTheSubmitterAreNotStolen() {
    SegmentClaims claims = new SegmentClaims(4, 2, RangeCosts.UNIFORM);
    assertFalse(claims.isStolen(RowClaims.SUBMITTER, Block.of(0, 2)));
    assertTrue(claims.isStolen(1, Block.of(2, 4)));
  }
}
