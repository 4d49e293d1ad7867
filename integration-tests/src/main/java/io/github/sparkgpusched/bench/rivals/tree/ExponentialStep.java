package io.github.sparkgpusched.bench.rivals.tree;

import io.github.sparkgpusched.bench.rivals.Padded;

/**
 * 1, 2, 4... rows up to a maximum, anew in each range: a range that is about to be stolen from has
 * claimed little, one that is not soon claims enough at a time. Sizes are rows, whatever these
 * cost. Used by one worker only, hence on cache lines apart.
 */
final class ExponentialStep extends Padded {
  private final long maxRows;
  private long next = 1;

  ExponentialStep(long maxRows) {
    if (maxRows < 1) {
      throw new IllegalArgumentException("a step is at least 1 row, not " + maxRows);
    }
    this.maxRows = maxRows;
  }

  /** The worker goes on in another range. */
  void newLeaf() {
    next = 1;
  }

  /** Rows to claim of those that are left, at least 1. */
  long rows(long left) {
    long rows = Math.min(next, left);
    next = next > maxRows / 2 ? maxRows : 2 * next;
    return rows;
  }
}
