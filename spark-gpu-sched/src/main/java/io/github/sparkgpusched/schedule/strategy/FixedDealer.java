package io.github.sparkgpusched.schedule.strategy;

import java.util.concurrent.atomic.AtomicLong;

/**
 * {@code fixed}: blocks of so many rows from one shared cursor, in order (OpenMP's {@code
 * schedule(dynamic, size)}). Costs and speeds are not looked at. Lock-free.
 */
public final class FixedDealer implements Dealer {
  private final long rows;
  private final long blockRows;
  private final long pieceRows;
  private final RangeCosts costs;

  /** Next row that was never claimed. Up only, by compare-and-set, by any claimer. */
  private final AtomicLong cursor = new AtomicLong();

  private final Settled settled = new Settled();

  /**
   * A dealer of one job; nothing is claimed.
   *
   * @param blockRows rows of a block, at least 1
   */
  public FixedDealer(Deal deal, long blockRows) {
    this(deal, blockRows, blockRows);
  }

  /**
   * The same with blocks that may be too large for who claims them next.
   *
   * @param pieceRows rows, at most, of what a block that is handed back is claimed in, at least 1
   */
  public FixedDealer(Deal deal, long blockRows, long pieceRows) {
    if (blockRows < 1) {
      throw new IllegalArgumentException("a block has at least 1 row, not " + blockRows);
    }
    if (pieceRows < 1) {
      throw new IllegalArgumentException("a piece has at least 1 row, not " + pieceRows);
    }
    this.rows = deal.rows();
    this.blockRows = blockRows;
    this.pieceRows = pieceRows;
    this.costs = deal.costs();
  }

  @Override
  public boolean claim(int worker, long nowNanos, Claim claim) {
    claim.begin();
    while (true) {
      long from = cursor.get();
      if (from >= rows) {
        return settled.claim(claim) || claim.none(Claim.NEVER);
      }
      long until = from + Math.min(rows - from, blockRows);
      if (cursor.compareAndSet(from, until)) {
        return claim.take(from, until, Claim.Source.SHARED);
      }
    }
  }

  @Override
  public void commit(int worker, Claim claim, long reached, long nanos, long nowNanos) {
    settled.commit(claim, reached);
  }

  @Override
  public void handBack(int worker, Claim claim, long nowNanos) {
    settled.handBack(claim, pieceRows);
  }

  @Override
  public long queuedRows(int worker) {
    return 0;
  }

  @Override
  public long rowsLeft() {
    return rows - cursor.get() + settled.handedBackRows();
  }

  @Override
  public double costLeft() {
    if (rows == 0) {
      return 0;
    }
    // Rows that were handed back are counted at the mean: which ones they are is not kept in order.
    double mean = costs.between(0, rows) / rows;
    return costs.between(cursor.get(), rows) + mean * settled.handedBackRows();
  }

  @Override
  public long rowsCommitted() {
    return settled.committedRows();
  }
}
