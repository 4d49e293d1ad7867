package io.github.sparkgpusched.schedule.strategy;

/**
 * What the tree keeps about one worker, on cache lines of its own. Used by that worker only, but
 * for {@link #committed}, which others read.
 */
final class TreeWorker extends Padded {
  final int index;
  final Step step;
  final XorShift random;
  final RowCounter committed = new RowCounter();

  /** The leaf that the worker claims from and owns; null if it has none. */
  private TreeNode leaf;

  TreeWorker(int index, Step step, TreeNode leaf) {
    this.index = index;
    this.step = step;
    this.random = new XorShift(index);
    this.leaf = leaf;
  }

  TreeNode leaf() {
    return leaf;
  }

  /** Begins in a leaf of rows that are elsewhere, or has none. */
  void moveTo(TreeNode newLeaf) {
    leaf = newLeaf;
    step.newLeaf(false);
  }

  /** Goes on in what a thief has left of the worker's leaf, which is none if it was taken, too. */
  void goOn(TreeNode newLeaf) {
    leaf = newLeaf;
    step.newLeaf(true);
  }
}
