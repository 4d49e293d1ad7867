package io.github.sparkgpusched.schedule;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Rows of one job that a launch device claimed and could not compute, and so leaves to the job's
 * threads: a function of the user's is never called on a device's owner thread. The dealer counts
 * them as committed; the job is complete only when they have been computed, too. Thread-safe,
 * lock-free.
 */
final class LeftRows {
  /** Rows {@code [from, until)}. */
  record Range(long from, long until) {}

  /** Added to by owners as they publish, and by threads that computed a part of a range. */
  private final ConcurrentLinkedQueue<Range> ranges = new ConcurrentLinkedQueue<>();

  /** Rows in all ranges, or more for a moment. */
  private final AtomicLong rows = new AtomicLong();

  /**
   * Publications under way, ranges that wait, and ranges that are being computed. A publication is
   * counted before its block is committed, and what it leaves before it ends: so this is not 0
   * while a row of a committed block may still come.
   */
  private final AtomicInteger open = new AtomicInteger();

  /** A block is about to be committed and published. */
  void beginPublishing() {
    open.incrementAndGet();
  }

  void endPublishing() {
    open.decrementAndGet();
  }

  /** Leaves rows to the job's threads. */
  void add(long from, long until) {
    open.incrementAndGet();
    // Counted first: who looks in between sees more than there is and not less.
    rows.addAndGet(until - from);
    ranges.add(new Range(from, until));
  }

  /** Takes a range to compute; null if none waits. {@link #computed} ends it. */
  Range take() {
    Range range = isWaiting() ? ranges.poll() : null;
    if (range != null) {
      rows.addAndGet(range.from - range.until);
    }
    return range;
  }

  /**
   * A range was computed up to a row; the others wait again.
   *
   * @param reached above the range's first row, at most its end
   */
  void computed(Range range, long reached) {
    if (reached < range.until) {
      add(reached, range.until);
    }
    open.decrementAndGet();
  }

  /** True if there are rows to take. */
  boolean isWaiting() {
    return rows.get() > 0;
  }

  /** Rows to take. */
  long rows() {
    return rows.get();
  }

  /** True if all that was left has been computed, and no block is being published. */
  boolean areDone() {
    return open.get() == 0;
  }
}
