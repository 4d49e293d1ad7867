package io.github.sparkgpusched.bench.rivals.tree;

/**
 * The two children of a node that was stolen from: the one at the end that it was claimed from goes
 * on with the victim, the other one with the thief. Thread-safe.
 */
final class TreeFork {
  /**
   * A child; null once all its rows were claimed for good, so that what has finished is neither
   * looked at nor kept. A node to null: by whoever sees that the child has finished, once or more.
   */
  private volatile TreeNode left;

  /** As {@link #left}. */
  private volatile TreeNode right;

  TreeFork(TreeNode left, TreeNode right) {
    this.left = left;
    this.right = right;
  }

  /** A child that has not finished, or null. */
  TreeNode child(boolean ofRight) {
    return ofRight ? right : left;
  }

  /**
   * The child that begins where the parent's owner has stopped, if it has not finished; or null.
   */
  TreeNode near(TreeNode parent) {
    return child(parent.backward);
  }

  /** The other child, if it has not finished, or null. */
  TreeNode far(TreeNode parent) {
    return child(!parent.backward);
  }

  boolean isFinished() {
    return left == null && right == null;
  }

  /**
   * Drops a child that has finished. Of two threads that drop one child each, at least one sees
   * both gone afterwards, because both fields are volatile.
   */
  void drop(TreeNode child) {
    if (child.right) {
      right = null;
    } else {
      left = null;
    }
  }
}
