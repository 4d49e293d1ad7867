package io.github.sparkgpusched.schedule.strategy.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.Deals;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.testing.ModelCheck;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Claims, steals and hand-backs in the orders that a model checker chooses: every row once. */
class TreeDealerModelTest {
  private static final int ORDERS = Integer.getInteger("model.orders", 300);

  /** Of whole jobs, which take longer. */
  private static final int ORDERS_OF_ALL = ORDERS / 3;

  /** What a worker does with its first block. */
  private enum First {
    COMMIT,
    HAND_BACK,
    HAND_BACK_REAR,
    COMMIT_AND_LEAVE,
    COMMIT_AND_STOP
  }

  /** Two workers, and three rows unless more are wanted. */
  private static final class Job {
    final int rows;
    final Dealer dealer;
    final AtomicIntegerArray taken;

    /** Blocks of so many rows at first. */
    Job(int starters, double firstRows) {
      this(3, starters, firstRows, 1);
    }

    Job(int rows, int starters, double firstRows, double nanosPerRow) {
      this.rows = rows;
      this.taken = new AtomicIntegerArray(rows);
      Deal deal = Deals.hosts(rows, 2, starters, RangeCosts.UNIFORM);
      deal.pace().learn(firstRows, nanosPerRow);
      this.dealer = new TreeDealer(deal);
    }

    void work(int worker, First first) {
      Claim claim = new Claim();
      boolean isFirst = true;
      while (dealer.claim(worker, 0, claim)) {
        First what = isFirst ? first : First.COMMIT;
        isFirst = false;
        if (what == First.HAND_BACK) {
          dealer.handBack(worker, claim, 0);
          continue;
        }
        long reached = what == First.HAND_BACK_REAR ? claim.from() + 1 : claim.until();
        commit(worker, claim, reached);
        if (what == First.COMMIT_AND_LEAVE) {
          dealer.leave(worker);
        }
        if (what == First.COMMIT_AND_LEAVE || what == First.COMMIT_AND_STOP) {
          return;
        }
      }
    }

    void commit(int worker, Claim claim, long reached) {
      commit(worker, claim, reached, 1);
    }

    void commit(int worker, Claim claim, long reached, long nanos) {
      for (long row = claim.from(); row < reached; row++) {
        taken.incrementAndGet((int) row);
      }
      dealer.commit(worker, claim, reached, nanos, 0);
    }

    /** Lets the second worker do something while the first works, and checks the outcome. */
    void finish(First first, Runnable second) {
      Thread thread = new Thread(second);
      thread.start();
      work(0, first);
      join(thread);
      // Rows that one handed back after the other had looked.
      work(0, First.COMMIT);
      assertEquals(0, dealer.rowsLeft());
      for (int row = 0; row < rows; row++) {
        assertEquals(1, taken.get(row), "row " + row);
      }
      assertEquals(rows, dealer.rowsCommitted());
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void check(int starters, double firstRows, First first, First second) {
    ModelCheck.run(
        ORDERS_OF_ALL,
        () -> {
          Job job = new Job(starters, firstRows);
          job.finish(first, () -> job.work(1, second));
        });
  }

  /** Short, so that few orders are many of those there are. */
  @Test
  void oneClaimAndOneSteal() {
    ModelCheck.run(
        ORDERS,
        () -> {
          Job job = new Job(1, 1);
          job.finish(First.COMMIT_AND_STOP, () -> job.work(1, First.COMMIT_AND_STOP));
        });
  }

  @Test
  void ownerAndThief() {
    check(1, 1, First.COMMIT, First.COMMIT);
  }

  @Test
  void twoOwnersThatSteal() {
    check(2, 1, First.COMMIT, First.COMMIT);
  }

  @Test
  void ownerThatHandsBackAndThief() {
    check(1, 1, First.HAND_BACK, First.COMMIT);
  }

  @Test
  void ownerThatHandsBackTheRearAndThief() {
    check(1, 3, First.HAND_BACK_REAR, First.COMMIT);
  }

  @Test
  void ownerAndThiefThatHandBack() {
    check(1, 2, First.HAND_BACK, First.HAND_BACK);
  }

  @Test
  void ownerThatLeavesAndThief() {
    check(1, 1, First.COMMIT_AND_LEAVE, First.COMMIT);
  }

  @Test
  void ownerThatHandsBackAndThiefThatLeaves() {
    check(1, 2, First.HAND_BACK, First.COMMIT_AND_LEAVE);
  }

  @Test
  void aLastRowIsHandedBackWhileItsLeafFinishes() {
    ModelCheck.run(
        ORDERS,
        () -> {
          Job job = new Job(1, 2);
          Claim own = new Claim();
          Claim stolen = new Claim();
          assertTrue(job.dealer.claim(0, 0, own));
          assertTrue(job.dealer.claim(1, 0, stolen));
          job.commit(0, own, own.until());
          job.finish(First.COMMIT, () -> job.dealer.handBack(1, stolen, 0));
        });
  }

  /** Two rows that get cheaper have been computed; both workers know that rows are blocks. */
  private static Job ofRowsThatGetCheaper() {
    double nanosPerRow = 10.0 * Deals.TARGET_NANOS;
    Job job = new Job(5, 1, 1, nanosPerRow);
    for (int i = 2; i > 0; i--) {
      Claim claim = new Claim();
      assertTrue(job.dealer.claim(0, 0, claim));
      job.commit(0, claim, claim.until(), (long) (i * nanosPerRow));
    }
    return job;
  }

  @Test
  void ownerAndThiefThatTakesTheNextRow() {
    Claim next = new Claim();
    assertTrue(ofRowsThatGetCheaper().dealer.claim(1, 0, next));
    assertEquals(2, next.from());
    ModelCheck.run(
        ORDERS_OF_ALL,
        () -> {
          Job job = ofRowsThatGetCheaper();
          job.finish(First.COMMIT, () -> job.work(1, First.COMMIT));
        });
  }

  @Test
  void ownerThatHandsBackAndThiefThatTakesTheNextRow() {
    ModelCheck.run(
        ORDERS_OF_ALL,
        () -> {
          Job job = ofRowsThatGetCheaper();
          job.finish(First.HAND_BACK, () -> job.work(1, First.HAND_BACK));
        });
  }

  @Test
  void thiefAndVictimMakeTheSameChildren() {
    ModelCheck.run(
        ORDERS,
        () -> {
          Forest forest = new Forest(RangeCosts.UNIFORM, new long[] {0, 2});
          TreeNode root = forest.dealt(0);
          assertTrue(root.compareAndSetProgress(0, TreeNode.frozen(0)));
          TreeFork[] forks = new TreeFork[2];
          Thread thief = new Thread(() -> forks[1] = forest.fork(root, 1));
          thief.start();
          forks[0] = forest.fork(root, TreeNode.AVAILABLE);
          join(thief);
          assertSame(forks[0], forks[1]);
          assertSame(forks[0], root.fork());
        });
  }
}
