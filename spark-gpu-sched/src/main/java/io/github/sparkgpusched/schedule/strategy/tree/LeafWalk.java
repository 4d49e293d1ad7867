package io.github.sparkgpusched.schedule.strategy.tree;

import java.util.Iterator;

/**
 * Visits the leaves of a forest that have not finished, in the order of rows but for those handed
 * back, which come last, while others change it. Steps from node to node by their parents: no
 * stack, whatever the depth. Rows that are unclaimed from the walk's start to its end are in a leaf
 * that it visits: a split moves them to where the walk still comes by, or has visited already. Used
 * by one thread.
 */
final class LeafWalk {
  private final Forest forest;

  /** Trees of starters begun. */
  private int begun;

  private Iterator<TreeNode> extra;

  /** The leaf visited last; null before the first. */
  private TreeNode at;

  LeafWalk(Forest forest) {
    this.forest = forest;
  }

  /** The next leaf, or null at the end. It may have been stolen from since. */
  TreeNode next() {
    TreeNode leaf = at == null ? null : leaf(at, false);
    while (leaf == null) {
      TreeNode root = nextRoot();
      if (root == null) {
        return null;
      }
      leaf = leaf(root, true);
    }
    at = leaf;
    return leaf;
  }

  /**
   * The first leaf of the same tree that is below a node, or else after it; null if there is none.
   *
   * @param below false to look only after the node
   */
  private TreeNode leaf(TreeNode from, boolean below) {
    TreeNode node = from;
    boolean down = below;
    while (true) {
      if (down) {
        TreeFork fork = node.fork();
        if (fork == null) {
          return node;
        }
        TreeNode left = fork.child(false);
        TreeNode child = left != null ? left : fork.child(true);
        if (child != null) {
          node = child;
          continue;
        }
      }
      TreeNode parent = node.parent;
      if (parent == null) {
        return null;
      }
      TreeNode right = node.right ? null : parent.fork().child(true);
      down = right != null;
      node = down ? right : parent;
    }
  }

  private TreeNode nextRoot() {
    while (begun < forest.starters()) {
      TreeNode root = forest.dealt(begun++);
      if (root != null) {
        return root;
      }
    }
    if (extra == null) {
      extra = forest.extra();
    }
    return extra.hasNext() ? extra.next() : null;
  }
}
