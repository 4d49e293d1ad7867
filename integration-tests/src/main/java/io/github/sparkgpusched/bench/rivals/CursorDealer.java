package io.github.sparkgpusched.bench.rivals;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.Settled;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Deals rows from one shared cursor, in order: the loop schedules of OpenMP and its predecessors.
 * They differ only in the size of the next block, which is a function of where the cursor is. Costs
 * and speeds are not looked at, as in the originals. Lock-free.
 */
final class CursorDealer implements Dealer {
  /** Rows of the next block. */
  @FunctionalInterface
  interface BlockRows {
    /**
     * Sizes a block.
     *
     * @param index number of blocks claimed before, exact only where the size does not depend on it
     * @param left rows from the cursor to the end, at least 1
     * @return rows to claim, at least 1; more than are left means all
     */
    long next(long index, long left);
  }

  private final long rows;
  private final BlockRows blockRows;

  /** Next row that was never claimed. Up only, by compare-and-set, by any claimer. */
  private final AtomicLong cursor = new AtomicLong();

  /** Blocks claimed from the cursor. Up by 1 after the claim, by the claimer. */
  private final AtomicLong index = new AtomicLong();

  private final Settled settled = new Settled();
  private final RangeCosts costs;

  CursorDealer(Deal deal, BlockRows blockRows) {
    this.rows = deal.rows();
    this.costs = deal.costs();
    this.blockRows = blockRows;
  }

  @Override
  public boolean claim(int worker, long nowNanos, Claim claim) {
    claim.begin();
    while (true) {
      long from = cursor.get();
      if (from >= rows) {
        return settled.claim(claim) || claim.none(Claim.NEVER);
      }
      long size = Math.min(rows - from, Math.max(1, blockRows.next(index.get(), rows - from)));
      if (cursor.compareAndSet(from, from + size)) {
        index.incrementAndGet();
        return claim.take(from, from + size, Claim.Source.SHARED);
      }
    }
  }

  @Override
  public void commit(int worker, Claim claim, long reached, long nanos, long nowNanos) {
    settled.commit(claim, reached);
  }

  @Override
  public void handBack(int worker, Claim claim, long nowNanos) {
    settled.handBack(claim);
  }

  @Override
  public long queuedRows(int worker) {
    return 0;
  }

  @Override
  public long rowsLeft() {
    return Math.max(0, rows - cursor.get()) + settled.handedBackRows();
  }

  @Override
  public double costLeft() {
    if (rows == 0) {
      return 0;
    }
    // Rows that were handed back are counted at the mean: which ones they are is not kept in order.
    double mean = costs.between(0, rows) / rows;
    return costs.between(Math.min(rows, cursor.get()), rows) + mean * settled.handedBackRows();
  }

  @Override
  public long rowsCommitted() {
    return settled.committedRows();
  }

  /**
   * {@code guided}: what is left, divided among the workers (Polychronopoulos and Kuck, 1987;
   * OpenMP's {@code schedule(guided)}).
   */
  static BlockRows guided(int workers) {
    return (index, left) -> (left + workers - 1) / workers;
  }

  /**
   * {@code factoring}: rounds of one block a worker, each round half of what was left (Hummel,
   * Schonberg and Flynn, 1992). The k-th round's block is rows / (2^k * workers).
   */
  static BlockRows factoring(long rows, int workers) {
    return (index, left) -> {
      long round = index / workers + 1;
      return round >= Long.SIZE - 1 ? 1 : Math.max(1, (rows >>> round) / workers);
    };
  }

  /**
   * {@code trapezoid}: from rows / (2 * workers) down to one, by the same number of rows each time
   * (Tzen and Ni, 1993).
   */
  static BlockRows trapezoid(long rows, int workers) {
    long first = Math.max(1, rows / (2L * workers));
    long blocks = Math.max(1, (2 * rows + first) / (first + 1));
    double decrement = blocks > 1 ? (first - 1.0) / (blocks - 1) : 0;
    return (index, left) -> Math.max(1, Math.round(first - index * decrement));
  }

  /**
   * {@code units}: at least four units a worker, of equal size (the claim cursor of vyre-runtime).
   */
  static BlockRows units(long rows, int workers) {
    long size = Math.max(1, rows / (4L * workers));
    return (index, left) -> size;
  }
}
