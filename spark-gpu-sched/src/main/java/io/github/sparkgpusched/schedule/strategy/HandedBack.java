package io.github.sparkgpusched.schedule.strategy;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Ranges of rows that were handed back, for anyone to claim. Thread-safe, lock-free. */
final class HandedBack {
  private record Range(long from, long until) {}

  /** Added by who hands back, removed by who claims. */
  private final ConcurrentLinkedQueue<Range> ranges = new ConcurrentLinkedQueue<>();

  /** Rows in all ranges, or more for a moment. */
  private final AtomicLong rows = new AtomicLong();

  void add(long from, long until) {
    // Counted first: who looks in between sees more than there is and not less.
    rows.addAndGet(until - from);
    ranges.add(new Range(from, until));
  }

  /** Claims a range if there is one. */
  boolean claim(Claim claim) {
    Range range = ranges.poll();
    if (range == null) {
      return false;
    }
    rows.addAndGet(range.from() - range.until());
    return claim.take(range.from(), range.until(), Claim.Source.SHARED);
  }

  long rows() {
    return rows.get();
  }
}
