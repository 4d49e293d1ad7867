package io.github.sparkgpusched.bench.rivals.tree;

import io.github.sparkgpusched.bench.rivals.XorShift;

/** How a worker without rows finds a leaf to take rows from. Stateless. */
public enum Victims {
  /** The leaf with most cost left: fewest steals. Looks at all leaves. */
  FIND_MAX {
    @Override
    TreeNode find(Forest forest, XorShift random) {
      TreeNode best = null;
      double most = 0;
      LeafWalk walk = LeafWalk.inOrder(forest);
      for (TreeNode leaf = walk.next(); leaf != null; leaf = walk.next()) {
        long progress = leaf.progress();
        if (leaf.unclaimedRows(progress) > 0) {
          double cost = forest.cost(leaf, progress);
          // Not "cost > most": costs that are not numbers must not hide rows.
          if (best == null || !(cost <= most)) {
            best = leaf;
            most = cost;
          }
        }
      }
      return best;
    }
  },

  /** The first leaf with rows on a random walk from the roots down. */
  RANDOM {
    @Override
    TreeNode find(Forest forest, XorShift random) {
      return first(LeafWalk.random(forest, random));
    }
  },

  /** The first leaf with rows. Here to be compared with: all thieves meet in one place. */
  IN_ORDER {
    @Override
    TreeNode find(Forest forest, XorShift random) {
      return first(LeafWalk.inOrder(forest));
    }
  };

  /** A leaf with unclaimed rows at some moment during the call; null if none was seen. */
  abstract TreeNode find(Forest forest, XorShift random);

  private static TreeNode first(LeafWalk walk) {
    TreeNode leaf = walk.next();
    while (leaf != null && leaf.unclaimedRows(leaf.progress()) == 0) {
      leaf = walk.next();
    }
    return leaf;
  }
}
