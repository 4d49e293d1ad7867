package io.github.sparkgpusched.schedule.strategy.tree;

import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The trees of one job: one for each starter, and one for each range that was handed back and fits
 * into no node. Keeps what has not finished: memory grows with steals and goes as ranges end.
 * Thread-safe, lock-free.
 */
final class Forest {
  final RangeCosts costs;

  /**
   * The starters' trees. Set before the job is published; a root to null: by whoever sees that all
   * its rows were claimed for good, once or more.
   */
  private final AtomicReferenceArray<TreeNode> dealt;

  /** Added by who hands rows back, removed by whoever sees that they were claimed for good. */
  private final ConcurrentLinkedQueue<TreeNode> extra = new ConcurrentLinkedQueue<>();

  /**
   * Plants a tree for each starter. Of two neighbours the left one is claimed from the front, the
   * right one from the rear, and so are the two parts of a leaf that is split: where costs rise or
   * fall along the rows, somebody begins with the heavy end whichever it is, and the rows left for
   * the end are those in the middle.
   *
   * @param bounds where the starters' ranges begin and, last, end; a range may be empty
   */
  Forest(RangeCosts costs, long[] bounds) {
    this.costs = costs;
    this.dealt = new AtomicReferenceArray<>(bounds.length - 1);
    for (int i = 0; i < dealt.length(); i++) {
      if (bounds[i] < bounds[i + 1]) {
        boolean backward = i % 2 == 1;
        dealt.set(i, TreeNode.root(bounds[i], bounds[i + 1], backward, i, i));
      }
    }
  }

  /** A starter's tree; null if it has finished. */
  TreeNode dealt(int starter) {
    return dealt.get(starter);
  }

  int starters() {
    return dealt.length();
  }

  /** Trees of rows that were handed back. */
  Iterator<TreeNode> extra() {
    return extra.iterator();
  }

  /** Takes rows back that nobody has claimed any more; at least one. Anyone may own them. */
  void add(long from, long until, int dealtTo) {
    extra.add(TreeNode.root(from, until, false, dealtTo, TreeNode.AVAILABLE));
  }

  /**
   * The children of a frozen node with rows left, made now if nobody has yet. The node's owner owns
   * the near one, which begins where the owner has stopped.
   *
   * @param thief who is to own the far one if it is made now, or {@link TreeNode#AVAILABLE}
   */
  TreeFork fork(TreeNode node, int thief) {
    TreeFork fork = node.fork();
    if (fork != null) {
      return fork;
    }
    long progress = node.progress();
    long from = node.unclaimedFrom(progress);
    long until = node.unclaimedUntil(progress);
    long cut = CostCuts.half(costs, from, until);
    int victim = node.owner();
    TreeNode left = node.left(from, cut, node.backward ? thief : victim);
    TreeNode right = node.right(cut, until, node.backward ? victim : thief);
    fork = new TreeFork(left, right);
    return node.trySetFork(fork) ? fork : node.fork();
  }

  /**
   * Lets go of a leaf whose rows have all been claimed, and of the trees that end with it.
   *
   * @return false if rows have been handed back to it meanwhile
   */
  boolean finish(TreeNode leaf) {
    long progress = leaf.progress();
    if (leaf.unclaimedRows(progress) > 0) {
      return false;
    }
    if (!TreeNode.isFrozen(progress)
        && !leaf.compareAndSetProgress(progress, TreeNode.frozen(progress))) {
      return false;
    }
    drop(leaf);
    return true;
  }

  private void drop(TreeNode finished) {
    TreeNode node = finished;
    while (node.parent != null) {
      TreeFork fork = node.parent.fork();
      fork.drop(node);
      if (!fork.isFinished()) {
        return;
      }
      node = node.parent;
    }
    if (!dealt.compareAndSet(node.dealtTo, node, null)) {
      extra.remove(node);
    }
  }

  /**
   * The leaf with most cost left: from there fewest steals are needed. Looks at all leaves.
   *
   * @return a leaf with unclaimed rows at some moment during the call; null if none was seen
   */
  TreeNode heaviestLeaf() {
    TreeNode best = null;
    double most = 0;
    LeafWalk walk = new LeafWalk(this);
    for (TreeNode leaf = walk.next(); leaf != null; leaf = walk.next()) {
      long progress = leaf.progress();
      if (leaf.unclaimedRows(progress) > 0) {
        double cost = cost(leaf, progress);
        // Not "cost > most": costs that are not numbers must not hide rows.
        if (best == null || !(cost <= most)) {
          best = leaf;
          most = cost;
        }
      }
    }
    return best;
  }

  /** Cost of the rows of a node that are unclaimed at this progress. */
  double cost(TreeNode node, long progress) {
    long from = node.unclaimedFrom(progress);
    long until = node.unclaimedUntil(progress);
    return from < until ? costs.between(from, until) : 0;
  }
}
