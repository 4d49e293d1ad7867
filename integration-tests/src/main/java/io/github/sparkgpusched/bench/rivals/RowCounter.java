package io.github.sparkgpusched.bench.rivals;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Rows that one worker has committed, on cache lines of its own. */
public final class RowCounter extends Padded {
  private static final AtomicLongFieldUpdater<RowCounter> ROWS =
      AtomicLongFieldUpdater.newUpdater(RowCounter.class, "rows");

  /**
   * Up only, by the worker, one thread at a time; read by all. The release write orders what the
   * worker has done with its rows before the read of who finds all rows committed.
   */
  private volatile long rows;

  /** No rows. */
  public RowCounter() {}

  /** Counts more rows; by the worker alone. */
  public void add(long more) {
    ROWS.lazySet(this, rows + more);
  }

  /** Rows so far. */
  public long rows() {
    return rows;
  }
}
