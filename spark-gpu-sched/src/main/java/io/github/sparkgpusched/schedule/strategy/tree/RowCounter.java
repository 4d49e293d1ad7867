package io.github.sparkgpusched.schedule.strategy.tree;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Rows that one worker has committed, on cache lines of its own. */
final class RowCounter extends Padded {
  private static final AtomicLongFieldUpdater<RowCounter> ROWS =
      AtomicLongFieldUpdater.newUpdater(RowCounter.class, "rows");

  /**
   * Up only, by the worker, one thread at a time; read by all. The release write orders what the
   * worker has done with its rows before the read of who finds all rows committed.
   */
  private volatile long rows;

  void add(long more) {
    ROWS.lazySet(this, rows + more);
  }

  long rows() {
    return rows;
  }
}
