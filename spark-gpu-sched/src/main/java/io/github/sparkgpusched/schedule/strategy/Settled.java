package io.github.sparkgpusched.schedule.strategy;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What became of claimed blocks: rows that were committed, and ranges that were handed back, for
 * anyone to claim. What a dealer without a better idea of its own keeps. Thread-safe, lock-free.
 */
public final class Settled {
  private record Range(long from, long until) {}

  /** Added by who hands back, removed by who claims. */
  private final ConcurrentLinkedQueue<Range> ranges = new ConcurrentLinkedQueue<>();

  /** Rows in all ranges, or more for a moment. */
  private final AtomicLong rows = new AtomicLong();

  /** Only grows: by who commits. */
  private final AtomicLong committed = new AtomicLong();

  /** Nothing was committed or handed back. */
  public Settled() {}

  /**
   * A block was computed up to a row; its worker publishes that, and the others are handed back.
   */
  public void commit(Claim claim, long reached) {
    claim.wonAll(reached);
    committed.addAndGet(reached - claim.from());
    if (reached < claim.until()) {
      handBack(reached, claim.until());
    }
  }

  /** A whole block is for anyone to claim again. */
  public void handBack(Claim claim) {
    handBack(claim.from(), claim.until());
  }

  /** The same in pieces of so many rows at most, for several to claim. */
  void handBack(Claim claim, long mostRows) {
    for (long from = claim.from(); from < claim.until(); from += mostRows) {
      handBack(from, Math.min(claim.until(), from + mostRows));
    }
  }

  private void handBack(long from, long until) {
    // Counted first: who looks in between sees more than there is and not less.
    rows.addAndGet(until - from);
    ranges.add(new Range(from, until));
  }

  /** Claims a range that was handed back, if there is one. */
  public boolean claim(Claim claim) {
    Range range = ranges.poll();
    if (range == null) {
      return false;
    }
    rows.addAndGet(range.from() - range.until());
    return claim.take(range.from(), range.until(), Claim.Source.SHARED);
  }

  /** Rows that are handed back. */
  public long handedBackRows() {
    return rows.get();
  }

  /** Rows that were committed. */
  public long committedRows() {
    return committed.get();
  }
}
