package io.github.sparkgpusched.schedule.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Drives a dealer through one job on one thread, in a random order of what workers may do, and
 * checks after each step that every row is unclaimed, in flight or committed, and only one of them.
 * Where rows may run twice, one may be in flight on several staged workers, and there to be claimed
 * meanwhile; but none that is committed is claimed, and one worker is told to publish it.
 */
public final class DealerDriver {
  private final Deal deal;
  private final Dealer dealer;
  private final Random random;

  /** Hand-backs that may still happen, so that the job ends. */
  private int handBacks;

  /** Times that a worker may still leave: each leaves a range behind, so the work grows. */
  private int leaves;

  private final boolean[] present;
  private final List<Deque<Claim>> inFlight = new ArrayList<>();

  /** In flight or committed. */
  private RowSet taken = new RowSet();

  private final RowSet committed = new RowSet();
  private long nowNanos;

  public DealerDriver(Deal deal, Dealer dealer, Random random, int disturbances) {
    this.deal = deal;
    this.dealer = dealer;
    this.random = random;
    this.handBacks = disturbances;
    this.leaves = disturbances;
    this.present = new boolean[deal.workers().size()];
    Arrays.fill(present, 0, deal.starters(), true);
    for (int i = 0; i < present.length; i++) {
      inFlight.add(new ArrayDeque<>());
    }
  }

  public void run() {
    check();
    while (committed.size() < deal.rows()) {
      step(random.nextInt(present.length));
      check();
    }
    for (int i = 0; i < present.length; i++) {
      assertTrue(!dealer.claim(i, nowNanos, new Claim()), "claims rows after the end");
    }
    assertEquals(0, dealer.costLeft(), 1e-6);
  }

  private void check() {
    assertEquals(committed.size(), dealer.rowsCommitted());
    long open = deal.rows() - taken.size();
    if (deal.mayRunTwice()) {
      assertTrue(dealer.rowsLeft() >= open, "rows are lost");
      assertTrue(dealer.rowsLeft() <= deal.rows() - committed.size(), "committed rows are left");
    } else {
      assertEquals(open, dealer.rowsLeft());
    }
  }

  private void step(int worker) {
    Deque<Claim> mine = inFlight.get(worker);
    // A block that takes long now and then is opened again for others, where that may be.
    nowNanos += random.nextInt(random.nextInt(16) == 0 ? 1_000_000 : 1000);
    if (!present[worker]) {
      if (random.nextInt(4) == 0) {
        dealer.join(worker);
        present[worker] = true;
      }
    } else if (mine.size() < deal.workers().get(worker).depth() && random.nextInt(3) > 0) {
      if (!claim(worker) && inFlight.stream().allMatch(Deque::isEmpty)) {
        claimByAnyone();
      }
    } else if (!mine.isEmpty() && (!deal.mayRunTwice() || random.nextInt(8) == 0)) {
      end(worker, mine); // where blocks may be late, those of others are done first
    } else if (leaves > 0 && random.nextInt(8) == 0) {
      leaves--;
      dealer.leave(worker);
      present[worker] = false;
    }
  }

  private boolean claim(int worker) {
    Claim claim = new Claim();
    if (!dealer.claim(worker, nowNanos, claim)) {
      return false;
    }
    assertTrue(claim.from() >= 0 && claim.until() <= deal.rows(), claim::toString);
    assertEquals(0, committed.count(claim.from(), claim.until()), () -> claim + ": committed");
    if (claim.source() == Claim.Source.REOPENED) {
      checkTwice(worker, claim);
      taken.addMissing(claim.from(), claim.until());
    } else {
      taken.add(claim.from(), claim.until());
    }
    inFlight.get(worker).add(claim);
    return true;
  }

  /** A worker that writes results where they belong may be the only one that has its rows. */
  private void checkTwice(int worker, Claim claim) {
    assertTrue(deal.mayRunTwice(), claim::toString);
    for (int other = 0; other < present.length; other++) {
      for (Claim flying : inFlight.get(other)) {
        if (flying.from() < claim.until() && claim.from() < flying.until()) {
          assertTrue(isStaged(worker) && isStaged(other), claim + " beside " + flying);
        }
      }
    }
  }

  private boolean isStaged(int worker) {
    return deal.workers().get(worker).staged();
  }

  /** Rows were handed back; others may have some of them. */
  private void count() {
    taken = new RowSet();
    taken.addAll(committed);
    for (Deque<Claim> claims : inFlight) {
      claims.forEach(claim -> taken.addMissing(claim.from(), claim.until()));
    }
  }

  /** With nothing in flight and rows left, somebody must be able to claim. */
  private void claimByAnyone() {
    nowNanos += 1_000_000_000; // those told to ask later ask later
    for (int i = 0; i < present.length; i++) {
      if (!present[i]) {
        dealer.join(i);
        present[i] = true;
      }
      if (claim(i)) {
        return;
      }
    }
    fail("nobody can claim, " + dealer.rowsLeft() + " rows left of " + deal.rows());
  }

  private void end(int worker, Deque<Claim> mine) {
    Claim claim = random.nextBoolean() ? mine.removeFirst() : mine.removeLast();
    int choice = handBacks > 0 ? random.nextInt(8) : 2;
    if (choice == 0) {
      handBacks--;
      dealer.handBack(worker, claim, nowNanos);
      count();
      return;
    }
    long reached = claim.until();
    if (choice == 1) {
      handBacks--;
      reached = claim.from() + 1 + (long) (random.nextDouble() * (claim.rows() - 1));
    }
    double cost = deal.costs().between(claim.from(), reached);
    long open = reached - claim.from() - committed.count(claim.from(), reached);
    dealer.commit(worker, claim, reached, (long) (cost * 3), nowNanos);
    assertEquals(open, claim.wonRows());
    for (int i = 0; i < claim.wonRanges(); i++) {
      assertTrue(claim.wonFrom(i) >= claim.from() && claim.wonUntil(i) <= reached);
      committed.add(claim.wonFrom(i), claim.wonUntil(i));
    }
    if (reached < claim.until()) {
      count();
    }
  }
}
