package io.github.sparkgpusched.schedule.strategy.tree;

/**
 * What the tree keeps about one worker, on cache lines of its own. Used by that worker only, but
 * for {@link #committed} and what a block took, which others read.
 */
final class TreeWorker extends Padded {
  final int index;
  final TimedStep step;
  final RowCounter committed = new RowCounter();

  /** The leaf that the worker claims from and owns; null if it has none. */
  private TreeNode leaf;

  /** The rows of the last block: {@code [lastFrom, lastUntil)}. */
  private long lastFrom;

  private long lastUntil;

  /**
   * Nanoseconds that each row of the last block took; 0 before the first whose rows are as
   * expensive as blocks should be. Written by the worker as such blocks end; a hint for thieves.
   */
  private volatile double nanosPerRow;

  /** The same of the block before that one, of the same kind; 0 before it. */
  private volatile double nanosPerRowBefore;

  TreeWorker(int index, TimedStep step, TreeNode leaf) {
    this.index = index;
    this.step = step;
    this.leaf = leaf;
  }

  /** A block of rows {@code [from, until)} has ended at {@code reached}. */
  void took(long from, long reached, long until, long nanos, boolean oneCall) {
    step.took(from, reached, until, nanos, oneCall);
    if (reached > from && step.rowsAreBlocks()) {
      nanosPerRowBefore = nanosPerRow;
      nanosPerRow = (double) nanos / (reached - from);
      lastFrom = from;
      lastUntil = reached;
    }
  }

  /**
   * Whether the most expensive rows of a leaf of another worker seem to be those that its owner
   * comes to next. Only where each row is a block; elsewhere false. What is known of the rows
   * tells, in this order: they get cheaper on the owner's way; they are cheaper where this worker
   * has just been, behind the leaf's other end or, after the owner's first row, in the leaf itself;
   * or, while the owner is in its first row, they have become more expensive on this worker's way
   * to the leaf.
   */
  boolean seesDearRowsNext(TreeWorker owner, TreeNode victim) {
    if (!step.rowsAreBlocks()) {
      return false;
    }
    if (owner.nanosPerRowBefore > 0) {
      return owner.nanosPerRow < owner.nanosPerRowBefore;
    }
    boolean behind = victim.backward ? lastUntil == victim.start : lastFrom == victim.until;
    boolean within = victim.start <= lastFrom && lastUntil <= victim.until;
    if (owner.nanosPerRow > 0) {
      return (behind || within) && nanosPerRow > 0 && owner.nanosPerRow > nanosPerRow;
    }
    return behind && nanosPerRowBefore > 0 && nanosPerRow > nanosPerRowBefore;
  }

  TreeNode leaf() {
    return leaf;
  }

  /** Begins in a leaf of rows that are elsewhere, or has none. */
  void moveTo(TreeNode newLeaf) {
    leaf = newLeaf;
    step.beginElsewhere();
  }

  /** Goes on in what a thief has left of the worker's leaf, which is none if it was taken, too. */
  void goOn(TreeNode newLeaf) {
    leaf = newLeaf;
  }
}
