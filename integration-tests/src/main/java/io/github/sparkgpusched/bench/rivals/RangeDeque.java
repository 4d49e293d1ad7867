package io.github.sparkgpusched.bench.rivals;

import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.util.ArrayDeque;

/**
 * One worker's unclaimed ranges: the worker pushes and pops small ones at the bottom, thieves take
 * large ones from the top. A lock, which only thieves contend for, guards it: the worker comes by
 * once a block of many rows, so an uncontended lock costs it little. Thread-safe.
 */
final class RangeDeque extends Padded {
  /**
   * Rows that nobody has claimed.
   *
   * @param dealtTo the worker whose deque they were in when the job began
   */
  record Range(long from, long until, int dealtTo) {
    long rows() {
      return until - from;
    }
  }

  /** Bottom is first. Guarded by this; no two ranges overlap. */
  private final ArrayDeque<Range> ranges = new ArrayDeque<>();

  /** Rows in all ranges. Written under the lock, read without. */
  private volatile long rows;

  long rows() {
    return rows;
  }

  /** Pushes a range, of at least one row, at the bottom. */
  synchronized void push(Range range) {
    rows += range.rows();
    ranges.addFirst(range);
  }

  /** Takes the largest range; null if there is none. */
  synchronized Range takeTop() {
    Range range = ranges.pollLast();
    if (range != null) {
      rows -= range.rows();
    }
    return range;
  }

  /** Pops the smallest range, which may be larger than the grain; null if there is none. */
  synchronized Range pop() {
    Range range = ranges.pollFirst();
    if (range != null) {
      rows -= range.rows();
    }
    return range;
  }

  /**
   * Halves a range until at most the grain is left of it, and pushes the upper halves.
   *
   * @return what is left, at least one row
   */
  synchronized Range halve(Range range, long grainRows) {
    Range lower = range;
    while (lower.rows() > grainRows) {
      long cut = lower.from() + lower.rows() / 2;
      push(new Range(cut, lower.until(), lower.dealtTo()));
      lower = new Range(lower.from(), cut, lower.dealtTo());
    }
    return lower;
  }

  /** Cost of all ranges. */
  synchronized double cost(RangeCosts costs) {
    double cost = 0;
    for (Range range : ranges) {
      cost += costs.between(range.from(), range.until());
    }
    return cost;
  }
}
