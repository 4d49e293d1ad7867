package io.github.sparkgpusched.bench.rivals.tree;

import io.github.sparkgpusched.bench.rivals.Padded;
import io.github.sparkgpusched.bench.rivals.RowCounter;
import io.github.sparkgpusched.bench.rivals.XorShift;

/**
 * What the tree keeps about one worker, on cache lines of its own. Used by that worker only, but
 * for {@link #committed}, which others read.
 */
final class TreeWorker extends Padded {
  final int index;
  final ExponentialStep step;
  final XorShift random;
  final RowCounter committed = new RowCounter();

  /** The leaf that the worker claims from and owns; null if it has none. */
  private TreeNode leaf;

  TreeWorker(int index, ExponentialStep step, TreeNode leaf) {
    this.index = index;
    this.step = step;
    this.random = new XorShift(index);
    this.leaf = leaf;
  }

  TreeNode leaf() {
    return leaf;
  }

  /** Begins in another leaf, or has none. */
  void moveTo(TreeNode newLeaf) {
    leaf = newLeaf;
    step.newLeaf();
  }
}
