package io.github.sparkgpusched.schedule.strategy.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.Deals;
import io.github.sparkgpusched.schedule.strategy.PrefixCosts;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tree's order of events, one thread playing all workers. */
class TreeDealerTest {
  /** Blocks of this cost from the first on, as long as they take the target time. */
  private static TreeDealer tree(Deal deal, double blockCost) {
    deal.pace().learn(blockCost, 1);
    return new TreeDealer(deal);
  }

  private static Claim claim(Dealer dealer, int worker) {
    Claim claim = new Claim();
    assertTrue(dealer.claim(worker, 0, claim), () -> "nothing for worker " + worker);
    return claim;
  }

  private static void assertRows(long from, long until, Claim claim) {
    assertEquals(from + " to " + until, claim.from() + " to " + claim.until());
  }

  private static void commit(Dealer dealer, int worker, Claim claim, long reached) {
    dealer.commit(worker, claim, reached, Deals.TARGET_NANOS, 0);
  }

  private static void assertNothingLeft(Dealer dealer, int worker) {
    Claim claim = new Claim();
    assertFalse(dealer.claim(worker, 0, claim));
    assertEquals(Claim.NEVER, claim.retryNanos());
    assertEquals(0, dealer.rowsLeft());
    assertEquals(0, dealer.costLeft());
  }

  @Test
  void anOwnerClaimsItsRowsOneBlockAfterTheOther() {
    Dealer dealer = tree(Deals.hosts(100, 1), 4);
    assertRows(0, 4, claim(dealer, 0));
    Claim last = claim(dealer, 0);
    assertRows(4, 8, last);
    assertEquals(Claim.Source.OWN, last.source());
    assertEquals(0, last.stealsTried());
    assertFalse(last.foreign());
    assertEquals(92, dealer.rowsLeft());
    assertEquals(92, dealer.costLeft());
  }

  @Test
  void startersBeginInPartsOfCostInProportionToSpeed() {
    RangeCosts costs = new PrefixCosts(4, 4, 1, 1, 1, 1, 1, 1, 1, 1);
    Deal deal =
        Deal.builder(
                10, List.of(WorkerSpec.staged(3, 0, 0, 1), WorkerSpec.host(), WorkerSpec.host()))
            .starters(2)
            .costs(costs)
            .targetNanos(1)
            .build();
    Dealer dealer = tree(deal, 1);
    assertEquals(6, dealer.queuedRows(0));
    assertEquals(4, dealer.queuedRows(1));
    assertRows(0, 1, claim(dealer, 0));
    assertRows(9, 10, claim(dealer, 1));
  }

  /**
   * Two threads in virtual time, rows of so many milliseconds: when the later one ends, in
   * milliseconds. Blocks should take 100 us.
   */
  private static double makespanMillis(int... rowMillis) {
    Deal deal =
        Deal.builder(rowMillis.length, List.of(WorkerSpec.host(), WorkerSpec.host()))
            .starters(2)
            .targetNanos(100_000)
            .build();
    Dealer dealer = new TreeDealer(deal);
    Claim[] claims = {new Claim(), new Claim()};
    boolean[] computes = new boolean[2];
    long[] freeNanos = {0, 1};
    long endNanos = 0;
    while (Math.min(freeNanos[0], freeNanos[1]) < Long.MAX_VALUE) {
      int worker = freeNanos[0] <= freeNanos[1] ? 0 : 1;
      long now = freeNanos[worker];
      Claim claim = claims[worker];
      if (computes[worker]) {
        dealer.commit(worker, claim, claim.until(), nanos(rowMillis, claim), now);
        endNanos = now;
      }
      computes[worker] = dealer.claim(worker, now, claim);
      freeNanos[worker] = computes[worker] ? now + nanos(rowMillis, claim) : Long.MAX_VALUE;
    }
    return endNanos / 1e6;
  }

  private static long nanos(int[] rowMillis, Claim claim) {
    long sum = 0;
    for (long row = claim.from(); row < claim.until(); row++) {
      sum += rowMillis[(int) row];
    }
    return sum * 1_000_000;
  }

  @Test
  void whereEachRowIsABlockHeavyRowsComeFirst() {
    // 120 in all. Were thieves to begin at the far end, sorted rows would take 65.
    assertEquals(60, makespanMillis(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1), 2);
    assertEquals(60, makespanMillis(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), 2);
    // 113 in all, each row about 1.5 times as expensive as the one before; 64 if the idle thread
    // took
    // halves while the other one is in the last row.
    assertEquals(58, makespanMillis(1, 2, 2, 3, 5, 8, 11, 17, 26, 38), 1);
    // 1502 in all, a parabola; 801 if a thief forgot that it had the victim's next row before.
    assertEquals(
        755, makespanMillis(1, 1, 6, 13, 24, 37, 53, 72, 95, 120, 148, 179, 213, 250, 290), 1);
    // Expensive rows at both ends, then in the middle.
    assertEquals(58, makespanMillis(15, 13, 11, 9, 7, 5, 3, 1, 2, 4, 6, 8, 10, 12, 7), 1);
    assertEquals(64, makespanMillis(1, 3, 5, 7, 9, 11, 13, 15, 14, 12, 10, 8, 6, 4, 2), 1);
    // The most expensive at the far end of the victim's rows; 54 if the thief took the next one.
    assertEquals(48, makespanMillis(1, 1, 1, 1, 1, 1, 1, 1, 30, 16, 12, 8, 6, 4, 2), 1);
  }

  @Test
  void ofRowsThatAreLessThanBlocksAThiefTakesHalf() {
    Dealer dealer = new TreeDealer(Deals.hosts(1000, 2, 1, RangeCosts.UNIFORM));
    // Rows of 5 ns, then of 1; blocks should take 20,000.
    Claim first = claim(dealer, 0);
    dealer.commit(0, first, first.until(), 5, 0);
    Claim second = claim(dealer, 0);
    dealer.commit(0, second, second.until(), second.until() - second.from(), 0);
    Claim stolen = claim(dealer, 1);
    assertTrue(stolen.from() > 500, "stolen from row " + stolen.from());
  }

  @Test
  void aThiefTakesTheRearHalfByCost() {
    RangeCosts costs = new PrefixCosts(1, 1, 1, 1, 1, 1, 1, 9);
    Dealer dealer = tree(Deals.hosts(8, 2, 1, costs), 2);
    assertRows(0, 2, claim(dealer, 0));
    Claim stolen = claim(dealer, 1);
    assertRows(7, 8, stolen);
    assertEquals(Claim.Source.STOLEN, stolen.source());
    assertEquals(1, stolen.stealsTried());
    assertTrue(stolen.foreign());
    Claim own = claim(dealer, 0);
    assertRows(2, 4, own);
    assertEquals(Claim.Source.OWN, own.source());
    assertEquals(0, own.stealsTried());
  }

  @Test
  void thievesTakeALastRowFromALongBlock() {
    Dealer dealer = tree(Deals.hosts(2, 2, 1, RangeCosts.UNIFORM), 1);
    claim(dealer, 0);
    Claim stolen = claim(dealer, 1);
    assertRows(1, 2, stolen);
    assertEquals(Claim.Source.STOLEN, stolen.source());
    assertTrue(stolen.foreign());
    assertNothingLeft(dealer, 0);
    assertNothingLeft(dealer, 1);
  }

  @Test
  void rowsThatWereStolenBackAreNotForeign() {
    Dealer dealer = tree(Deals.hosts(8, 2, 1, RangeCosts.UNIFORM), 1);
    claim(dealer, 1);
    claim(dealer, 0);
    claim(dealer, 0);
    claim(dealer, 0);
    claim(dealer, 0);
    Claim back = claim(dealer, 0);
    assertEquals(Claim.Source.STOLEN, back.source());
    assertFalse(back.foreign());
  }

  @Test
  void theVictimIsTheLeafWithMostCost() {
    RangeCosts costs = new PrefixCosts(1, 1, 1, 1, 10, 10);
    Dealer dealer = tree(Deals.hosts(6, 3, 2, costs), 1);
    assertRows(0, 1, claim(dealer, 0));
    // Worker 1 has row 5 alone, of cost 10; worker 0 has rows 1 to 4, of cost 13.
    assertRows(4, 5, claim(dealer, 2));
    assertRows(5, 6, claim(dealer, 2));
  }

  @Test
  void whoLeavesMakesItsLeafAvailableWhole() {
    Dealer dealer = tree(Deals.hosts(8, 2, 1, RangeCosts.UNIFORM), 1);
    claim(dealer, 0);
    dealer.leave(0);
    dealer.join(1);
    Claim first = claim(dealer, 1);
    assertRows(1, 2, first);
    assertTrue(first.foreign());
    assertEquals(6, dealer.queuedRows(1));
    for (int row = 2; row < 8; row++) {
      assertRows(row, row + 1, claim(dealer, 1));
    }
    assertNothingLeft(dealer, 1);
  }

  @Test
  void whoLeavesAfterATheftLeavesWhatTheThiefHasLeft() {
    Dealer dealer = tree(Deals.hosts(8, 2, 1, RangeCosts.UNIFORM), 1);
    assertRows(7, 8, claim(dealer, 1));
    dealer.leave(0);
    assertRows(6, 7, claim(dealer, 1));
    assertRows(5, 6, claim(dealer, 1));
    assertRows(4, 5, claim(dealer, 1));
    assertRows(0, 1, claim(dealer, 1));
    assertRows(1, 2, claim(dealer, 1));
  }

  @Test
  void theRearOfABlockIsClaimedAgainByItsOwner() {
    Dealer dealer = tree(Deals.hosts(20, 1), 4);
    claim(dealer, 0);
    Claim block = claim(dealer, 0);
    assertRows(4, 8, block);
    commit(dealer, 0, block, 6);
    assertEquals(1, block.wonRanges());
    assertEquals(2, block.wonRows());
    assertEquals(2, dealer.rowsCommitted());
    assertEquals(14, dealer.rowsLeft());
    assertRows(6, 10, claim(dealer, 0));
  }

  @Test
  void aBlockThatIsNotTheLastComesBackOnItsOwn() {
    Dealer dealer = tree(Deals.hosts(4, 2, 1, RangeCosts.UNIFORM), 1);
    Claim first = claim(dealer, 0);
    claim(dealer, 0);
    dealer.handBack(0, first, 0);
    assertEquals(3, dealer.rowsLeft());
    assertRows(2, 3, claim(dealer, 0));
    assertRows(3, 4, claim(dealer, 0));
    Claim again = claim(dealer, 0);
    assertRows(0, 1, again);
    assertEquals(Claim.Source.STOLEN, again.source());
    assertFalse(again.foreign());
    assertNothingLeft(dealer, 0);
  }

  @Test
  void rowsHandedBackToAFrozenNodeAreKept() {
    Dealer dealer = tree(Deals.hosts(4, 2, 1, RangeCosts.UNIFORM), 1);
    Claim block = claim(dealer, 0);
    claim(dealer, 1);
    dealer.handBack(0, block, 0);
    assertEquals(3, dealer.rowsLeft());
    assertEquals(3, dealer.costLeft());
  }

  @Test
  void rowsHandedBackToANodeThatHasFinishedAreKept() {
    Dealer dealer = tree(Deals.hosts(2, 2), 1);
    Claim block = claim(dealer, 0);
    Claim other = claim(dealer, 1);
    assertNothingLeft(dealer, 0);
    dealer.handBack(0, block, 0);
    assertEquals(1, dealer.rowsLeft());
    Claim again = claim(dealer, 1);
    assertRows(0, 1, again);
    assertTrue(again.foreign());
    commit(dealer, 1, again, 1);
    commit(dealer, 1, other, 2);
    assertEquals(2, dealer.rowsCommitted());
    assertNothingLeft(dealer, 0);
  }

  @Test
  void theFrontOfABlockFromTheRearIsNotWhatIsClaimedNext() {
    Dealer dealer = tree(Deals.hosts(20, 2), 4);
    Claim first = claim(dealer, 1);
    assertRows(16, 20, first);
    Claim second = claim(dealer, 1);
    assertRows(12, 16, second);
    commit(dealer, 1, second, 14);
    assertEquals(14, dealer.rowsLeft());
    dealer.handBack(1, first, 0);
    assertEquals(18, dealer.rowsLeft());
    assertRows(10, 12, claim(dealer, 1));
  }

  @Test
  void aThiefBeginsSmallAndTheVictimGoesOnAsItWas() {
    Dealer dealer = tree(Deals.hosts(1000, 2, 1, RangeCosts.UNIFORM), 64);
    assertRows(0, 64, claim(dealer, 0));
    assertRows(996, 1000, claim(dealer, 1));
    assertRows(64, 128, claim(dealer, 0));
  }

  /** Whichever end is the heavy one, somebody begins there, and the last rows are those between. */
  @Test
  void threadsBeginAtTheOuterEnds() {
    Deal deal = Deals.hosts(100, 3, 2, RangeCosts.UNIFORM);
    Dealer dealer = new TreeDealer(deal);
    Claim first = claim(dealer, 0);
    assertRows(0, 1, first);
    commit(dealer, 0, first, 1);
    assertRows(1, 17, claim(dealer, 0));
    Claim last = claim(dealer, 1);
    assertRows(99, 100, last);
    commit(dealer, 1, last, 100);
    Claim stolen = claim(dealer, 2);
    assertRows(50, 51, stolen);
    assertRows(83, 99, claim(dealer, 1));
  }

  @Test
  void aWholeBlockFromTheRearIsUndone() {
    Dealer dealer = tree(Deals.hosts(20, 2), 4);
    Claim block = claim(dealer, 1);
    assertRows(16, 20, block);
    dealer.handBack(1, block, 0);
    assertEquals(20, dealer.rowsLeft());
    Claim again = claim(dealer, 1);
    assertRows(16, 20, again);
    assertEquals(Claim.Source.OWN, again.source());
  }

  @Test
  void theWorkerWithMostBlocksTeachesThePace() {
    Deal deal = Deals.hosts(1000, 2);
    Dealer dealer = new TreeDealer(deal);
    for (int block = 0; block < 3; block++) {
      Claim claim = claim(dealer, 0);
      dealer.commit(0, claim, claim.until(), 100 * claim.rows(), 0);
    }
    Claim claim = claim(dealer, 1);
    dealer.commit(1, claim, claim.until(), 5, 0);
    dealer.leave(0);
    assertEquals(100, deal.pace().nanosPerCost());
    assertEquals(64, deal.pace().step());
    dealer.leave(1);
    assertEquals(100, deal.pace().nanosPerCost());
  }
}
