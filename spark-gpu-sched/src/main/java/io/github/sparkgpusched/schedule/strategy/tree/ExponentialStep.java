package io.github.sparkgpusched.schedule.strategy.tree;

/**
 * 1, 2, 4... rows up to a maximum, anew in each range, as in the work-stealing tree of Prokopec and
 * Odersky: a range that is about to be stolen from has claimed little, one that is not soon claims
 * enough at a time. Sizes are rows, whatever these cost.
 */
final class ExponentialStep extends Step {
  private final long maxRows;
  private long next = 1;

  ExponentialStep(long maxRows) {
    if (maxRows < 1) {
      throw new IllegalArgumentException("a step is at least 1 row, not " + maxRows);
    }
    this.maxRows = maxRows;
  }

  @Override
  void newLeaf(boolean adjacent) {
    next = 1;
  }

  @Override
  long rows(long from, long until, boolean backward) {
    long rows = Math.min(next, until - from);
    next = next > maxRows / 2 ? maxRows : 2 * next;
    return rows;
  }
}
