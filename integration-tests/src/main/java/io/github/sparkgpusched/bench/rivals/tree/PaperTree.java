package io.github.sparkgpusched.bench.rivals.tree;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;

/**
 * The work-stealing tree (Prokopec and Odersky, "Near optimal work-stealing tree scheduler for
 * highly irregular data-parallel workloads", 2013) with blocks as its authors size them. The
 * plugin's own {@link io.github.sparkgpusched.schedule.strategy.tree.TreeDealer} has grown out of
 * this; its javadoc says why the words below are enough, and what both do otherwise than the paper.
 * A copy, so that the rival stays as it is when ours changes. Thread-safe and lock-free.
 */
public final class PaperTree implements Dealer {
  private final RangeCosts costs;
  private final Victims victims;
  private final Forest forest;
  private final TreeWorker[] workers;

  /**
   * A dealer of one job; nothing is claimed.
   *
   * @param maxStepRows most rows of a block
   */
  public PaperTree(Deal deal, Victims victims, Ends ends, long maxStepRows) {
    this.costs = deal.costs();
    this.victims = victims;
    this.forest =
        new Forest(
            costs, ends, CostCuts.bySpeed(costs, deal.rows(), deal.workers(), deal.starters()));
    this.workers = new TreeWorker[deal.workers().size()];
    for (int i = 0; i < workers.length; i++) {
      TreeNode leaf = i < deal.starters() ? forest.dealt(i) : null;
      workers[i] = new TreeWorker(i, new ExponentialStep(maxStepRows), leaf);
    }
  }

  @Override
  public boolean claim(int worker, long nowNanos, Claim claim) {
    TreeWorker me = workers[worker];
    claim.begin();
    while (true) {
      if (claimOwn(me, claim)) {
        return true;
      }
      claim.triesToSteal();
      TreeNode victim = victims.find(forest, me.random);
      if (victim == null) {
        return claim.none(Claim.NEVER);
      }
      if (steal(me, victim, claim)) {
        return true;
      }
    }
  }

  /** Claims from the worker's leaf, or from what thieves have left of it. */
  private boolean claimOwn(TreeWorker me, Claim claim) {
    for (TreeNode leaf = me.leaf(); leaf != null; leaf = me.leaf()) {
      long progress = leaf.progress();
      if (leaf.unclaimedRows(progress) == 0) {
        if (forest.finish(leaf)) {
          me.moveTo(null);
        }
      } else if (TreeNode.isFrozen(progress)) {
        TreeNode near = forest.fork(leaf, TreeNode.AVAILABLE).near(leaf);
        me.moveTo(near != null && near.tryOwn(me.index) ? near : null);
      } else {
        long from = leaf.unclaimedFrom(progress);
        long until = leaf.unclaimedUntil(progress);
        if (claimRows(me, leaf, progress, me.step.rows(until - from), claim)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean claimRows(
      TreeWorker me, TreeNode leaf, long progress, long rows, Claim claim) {
    long next = leaf.backward ? progress - rows : progress + rows;
    if (!leaf.compareAndSetProgress(progress, next)) {
      return false;
    }
    claim.setFlight(leaf);
    claim.setForeign(leaf.dealtTo != me.index);
    return claim.take(
        Math.min(progress, next),
        Math.max(progress, next),
        claim.stealsTried() == 0 ? Claim.Source.OWN : Claim.Source.STOLEN);
  }

  /**
   * Takes rows of a leaf: the last one, or all if nobody owns it, or about half.
   *
   * @return true if a block was claimed, too; else the worker may have got a leaf, or was too late
   */
  private boolean steal(TreeWorker me, TreeNode victim, Claim claim) {
    long progress = victim.progress();
    long rows = victim.unclaimedRows(progress);
    if (rows == 0) {
      return false;
    }
    if (!TreeNode.isFrozen(progress)) {
      if (rows == 1) {
        return claimRows(me, victim, progress, 1, claim);
      }
      if (victim.owner() == TreeNode.AVAILABLE) {
        if (victim.tryOwn(me.index)) {
          me.moveTo(victim);
        }
        return false;
      }
      if (!victim.compareAndSetProgress(progress, TreeNode.frozen(progress))) {
        return false;
      }
    }
    TreeNode far = forest.fork(victim, me.index).far(victim);
    if (far != null && far.tryOwn(me.index)) {
      me.moveTo(far);
    }
    return false;
  }

  @Override
  public void leave(int worker) {
    TreeWorker me = workers[worker];
    TreeNode leaf = me.leaf();
    me.moveTo(null);
    while (leaf != null) {
      leaf.disown();
      // A thief that has frozen the leaf before has made this worker the owner of what is left.
      long progress = leaf.progress();
      if (leaf.unclaimedRows(progress) == 0) {
        forest.finish(leaf);
        return;
      }
      if (!TreeNode.isFrozen(progress)) {
        return;
      }
      TreeNode near = forest.fork(leaf, TreeNode.AVAILABLE).near(leaf);
      leaf = near != null && near.owner() == worker ? near : null;
    }
  }

  @Override
  public void commit(int worker, Claim claim, long reached, long nanos, long nowNanos) {
    TreeWorker me = workers[worker];
    claim.wonAll(reached);
    if (reached < claim.until()) {
      takeBack(claim, reached);
    }
    claim.setFlight(null);
    me.committed.add(reached - claim.from());
  }

  @Override
  public void handBack(int worker, Claim claim, long nowNanos) {
    takeBack(claim, claim.from());
    claim.setFlight(null);
  }

  /** Makes the rows of a block from {@code reached} on unclaimed again. */
  private void takeBack(Claim claim, long reached) {
    TreeNode node = (TreeNode) claim.flight();
    // Only the block that the node's progress has come to last can be undone there.
    long last = node.backward ? claim.from() : claim.until();
    long undone = node.backward ? claim.until() : reached;
    boolean adjacent = !node.backward || reached == claim.from();
    if (!adjacent || !node.compareAndSetProgress(last, undone)) {
      forest.add(reached, claim.until(), node.dealtTo);
    }
  }

  @Override
  public long queuedRows(int worker) {
    TreeNode leaf = workers[worker].leaf();
    return leaf == null ? 0 : leaf.unclaimedRows(leaf.progress());
  }

  @Override
  public long rowsLeft() {
    long rows = 0;
    LeafWalk walk = LeafWalk.inOrder(forest);
    for (TreeNode leaf = walk.next(); leaf != null; leaf = walk.next()) {
      rows += leaf.unclaimedRows(leaf.progress());
    }
    return rows;
  }

  @Override
  public double costLeft() {
    double cost = 0;
    LeafWalk walk = LeafWalk.inOrder(forest);
    for (TreeNode leaf = walk.next(); leaf != null; leaf = walk.next()) {
      cost += forest.cost(leaf, leaf.progress());
    }
    return cost;
  }

  @Override
  public long rowsCommitted() {
    long rows = 0;
    for (TreeWorker worker : workers) {
      rows += worker.committed.rows();
    }
    return rows;
  }
}
