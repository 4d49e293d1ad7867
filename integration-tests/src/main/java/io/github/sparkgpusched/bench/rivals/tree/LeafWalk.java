package io.github.sparkgpusched.bench.rivals.tree;

import io.github.sparkgpusched.bench.rivals.XorShift;
import java.util.Iterator;

/**
 * Visits the leaves of a forest that have not finished, one after the other, while others change
 * it. Steps from node to node by their parents: no stack, whatever the depth. Rows that are
 * unclaimed from the walk's start to its end are in a leaf that it visits: a split moves them to
 * where the walk still comes by, or has visited already. Used by one thread.
 */
final class LeafWalk {
  private final Forest forest;

  /** Bit d says whether the right child comes first at depth d, modulo 64. */
  private final long rightFirst;

  /** The starter whose tree comes first; the others follow in order, then rows handed back. */
  private final int first;

  /** Trees of starters begun. */
  private int begun;

  private Iterator<TreeNode> extra;

  /** The leaf visited last; null before the first. */
  private TreeNode at;

  private LeafWalk(Forest forest, int first, long rightFirst) {
    this.forest = forest;
    this.first = first;
    this.rightFirst = rightFirst;
  }

  /** In the order of rows, but for those handed back, which come last. */
  static LeafWalk inOrder(Forest forest) {
    return new LeafWalk(forest, 0, 0);
  }

  /** From a random tree on, into a random child first. */
  static LeafWalk random(Forest forest, XorShift random) {
    int first = (int) Long.remainderUnsigned(random.next(), forest.starters());
    return new LeafWalk(forest, first, random.next());
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
        TreeNode first = fork.child(rightFirst(node));
        TreeNode child = first != null ? first : fork.child(!rightFirst(node));
        if (child != null) {
          node = child;
          continue;
        }
      }
      TreeNode parent = node.parent;
      if (parent == null) {
        return null;
      }
      boolean cameFirst = node.right == rightFirst(parent);
      TreeNode second = cameFirst ? parent.fork().child(!node.right) : null;
      down = second != null;
      node = down ? second : parent;
    }
  }

  private boolean rightFirst(TreeNode node) {
    return ((rightFirst >>> node.depth) & 1) == 1;
  }

  private TreeNode nextRoot() {
    while (begun < forest.starters()) {
      int starter = first + begun++;
      TreeNode root =
          forest.dealt(starter < forest.starters() ? starter : starter - forest.starters());
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
