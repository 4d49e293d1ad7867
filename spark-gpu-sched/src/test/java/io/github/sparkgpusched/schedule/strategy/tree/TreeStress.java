package io.github.sparkgpusched.schedule.strategy.tree;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The word of a tree node on this machine's memory: claims, steals, splits and hand-backs of two
 * workers on three rows, after which each row has been committed once. Interleavings in the
 * sequentially consistent world are the model checker's ({@code TreeDealerModelTest}); here the
 * compiler and the processor reorder what they may.
 */
final class TreeStress {
  private static final int ROWS = 3;

  private TreeStress() {}

  /** Three rows in blocks of so many; all start with worker 0. */
  abstract static class Job {
    final AtomicIntegerArray committed = new AtomicIntegerArray(ROWS);
    final Dealer dealer;

    Job(double blockRows) {
      Pace pace = new Pace();
      pace.learn(blockRows, 1);
      List<WorkerSpec> workers = List.of(WorkerSpec.host(), WorkerSpec.host());
      Deal deal = Deal.builder(ROWS, workers).starters(1).targetNanos(1).pace(pace).build();
      dealer = new TreeDealer(deal);
    }

    final void claimAll(int worker) {
      Claim claim = new Claim();
      while (dealer.claim(worker, 0, claim)) {
        commit(worker, claim, claim.until());
      }
    }

    final void handBackOnce(int worker, boolean all) {
      Claim claim = new Claim();
      if (dealer.claim(worker, 0, claim)) {
        if (all) {
          dealer.handBack(worker, claim, 0);
        } else {
          commit(worker, claim, claim.from() + 1);
        }
      }
    }

    private void commit(int worker, Claim claim, long reached) {
      for (long row = claim.from(); row < reached; row++) {
        committed.incrementAndGet((int) row);
      }
      dealer.commit(worker, claim, reached, 1, 0);
    }

    /** Who comes last finds what is left. */
    final void finish(III_Result result) {
      claimAll(0);
      claimAll(1);
      result.r1 = committed.get(0);
      result.r2 = committed.get(1);
      result.r3 = committed.get(2);
    }
  }

  @JCStressTest
  @Description("The owner claims row by row while a thief freezes the leaf and splits it.")
  @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "Each row once.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A row was lost or computed twice.")
  @State
  public static class ClaimAndSteal extends Job {
    public ClaimAndSteal() {
      super(1);
    }

    @Actor
    public void owner() {
      claimAll(0);
    }

    @Actor
    public void thief() {
      claimAll(1);
    }

    @Arbiter
    public void check(III_Result result) {
      finish(result);
    }
  }

  @JCStressTest
  @Description("Two thieves make the children of one frozen leaf.")
  @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "Each row once.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A row was lost or computed twice.")
  @State
  public static class VictimAndThiefSplit extends Job {
    public VictimAndThiefSplit() {
      super(1);
      Claim first = new Claim();
      dealer.claim(0, 0, first);
      dealer.handBack(0, first, 0);
    }

    @Actor
    public void thief() {
      claimAll(1);
    }

    @Actor
    public void victim() {
      Claim claim = new Claim();
      if (dealer.claim(0, 0, claim)) {
        for (long row = claim.from(); row < claim.until(); row++) {
          committed.incrementAndGet((int) row);
        }
        dealer.commit(0, claim, claim.until(), 1, 0);
      }
    }

    @Arbiter
    public void check(III_Result result) {
      finish(result);
    }
  }

  @JCStressTest
  @Description("The owner hands a block back while a thief steals.")
  @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "Each row once.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A row was lost or computed twice.")
  @State
  public static class HandBackAndSteal extends Job {
    public HandBackAndSteal() {
      super(2);
    }

    @Actor
    public void owner() {
      handBackOnce(0, true);
    }

    @Actor
    public void thief() {
      claimAll(1);
    }

    @Arbiter
    public void check(III_Result result) {
      finish(result);
    }
  }

  @JCStressTest
  @Description("The owner hands the rear of a block back while a thief steals.")
  @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "Each row once.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A row was lost or computed twice.")
  @State
  public static class RearHandBackAndSteal extends Job {
    public RearHandBackAndSteal() {
      super(2);
    }

    @Actor
    public void owner() {
      handBackOnce(0, false);
    }

    @Actor
    public void thief() {
      claimAll(1);
    }

    @Arbiter
    public void check(III_Result result) {
      finish(result);
    }
  }
}
