package io.github.sparkgpusched.schedule.strategy.tree;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;

/**
 * The work-stealing tree (Prokopec and Odersky, "Near optimal work-stealing tree scheduler for
 * highly irregular data-parallel workloads", 2013). A worker claims blocks from the end of its own
 * leaf by one compare-and-set each. A thief freezes a leaf by one compare-and-set, which gives it
 * two children that split the unclaimed rows; the victim goes on in the near one without looking
 * for work, the thief in the far one. Thread-safe and lock-free; allocates only when it steals or
 * takes rows back that fit nowhere.
 *
 * <p>Differences from the paper:
 *
 * <ul>
 *   <li>A last row, which cannot be split, is claimed by the thief with the compare-and-set that
 *       the owner would use. So no row waits behind another worker's long block, and thieves do not
 *       take a row from each other without anyone computing it.
 *   <li>Where each row takes as long as a block should, and the next one seems to be the most
 *       expensive, a thief claims that in the same way: heavy rows first.
 *   <li>A leaf is split at half its cost, not at half its rows.
 *   <li>Each starter has a tree of its own, of a cost in proportion to its speed: no steals are
 *       needed to begin. Other workers come without a leaf and steal.
 *   <li>A worker that leaves makes its leaf available; the first that comes by owns it, whole.
 *   <li>Rows may be handed back. If they are the ones that its node has claimed last, the node
 *       claims them again; else they become a tree of their own, that anyone may own.
 *   <li>Leaves that have finished are frozen, and dropped with the subtrees that finish by that: a
 *       search looks at no finished node, and none is kept.
 *   <li>Blocks take about the deal's target time, whatever their rows cost ({@link TimedStep}). In
 *       the paper their number of rows doubles.
 *   <li>Of two neighbouring leaves the left one is claimed from the front, the right one from the
 *       rear. A leaf still has one moving end, so that one word, with whole long rows, says all
 *       about it.
 * </ul>
 *
 * <p>A search that finds nothing has seen each place empty once; rows handed back behind it are
 * found by asking again when a block ends.
 */
public final class TreeDealer implements Dealer {
  private final Forest forest;
  private final TreeWorker[] workers;
  private final Pace pace;

  /**
   * Blocks of the worker that has taught the pace. Up, by a worker that has done as many. Two at
   * once may lose the better of two estimates, no more.
   */
  private volatile long taughtBlocks = 1;

  /** A dealer of one job; nothing is claimed. */
  public TreeDealer(Deal deal) {
    this.pace = deal.pace();
    RangeCosts costs = deal.costs();
    this.forest =
        new Forest(costs, CostCuts.bySpeed(costs, deal.rows(), deal.workers(), deal.starters()));
    RangeCosts usable = RangeCosts.usable(costs, deal.rows());
    double cost = usable.between(0, deal.rows());
    this.workers = new TreeWorker[deal.workers().size()];
    for (int i = 0; i < workers.length; i++) {
      TreeNode leaf = i < deal.starters() ? forest.dealt(i) : null;
      TimedStep step =
          new TimedStep(
              pace, usable, cost / deal.rows(), cost, deal.targetNanos(), deal.together());
      workers[i] = new TreeWorker(i, step, leaf);
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
      TreeNode victim = forest.heaviestLeaf();
      if (victim == null) {
        teach(me);
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
        me.goOn(near != null && near.tryOwn(me.index) ? near : null);
      } else {
        long from = leaf.unclaimedFrom(progress);
        long until = leaf.unclaimedUntil(progress);
        if (claimRows(me, leaf, progress, me.step.rows(from, until, leaf.backward), claim)) {
          claim.setOneCall(me.step.isOneCall());
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
   * Where each row is a block, a thief takes the row that the victim would take next if that is the
   * most expensive: what is left for the end of the job is cheap then. Else it begins at the far
   * end.
   */
  private boolean takesNextRow(TreeWorker me, TreeNode victim) {
    int owner = victim.owner();
    return owner != TreeNode.AVAILABLE && me.seesDearRowsNext(workers[owner], victim);
  }

  /**
   * Takes rows of a leaf: the last one or the next one, or all if nobody owns it, or about half.
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
      if (rows == 1 || takesNextRow(me, victim)) {
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
    teach(me);
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
    me.took(claim.from(), reached, claim.until(), nanos, claim.oneCall());
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

  private void teach(TreeWorker me) {
    if (me.step.blocks() >= taughtBlocks) {
      taughtBlocks = me.step.blocks();
      me.step.teach(pace);
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
    LeafWalk walk = new LeafWalk(forest);
    for (TreeNode leaf = walk.next(); leaf != null; leaf = walk.next()) {
      rows += leaf.unclaimedRows(leaf.progress());
    }
    return rows;
  }

  @Override
  public double costLeft() {
    double cost = 0;
    LeafWalk walk = new LeafWalk(forest);
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
