package io.github.sparkgpusched.schedule.strategy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;

/** Rows seen so far, as ranges, so that a job may have more rows than memory. Thread-safe. */
public final class RowSet {
  private final TreeMap<Long, Long> ranges = new TreeMap<>();
  private long size;

  /** Adds rows, none of which may be here yet. */
  public synchronized void add(long from, long until) {
    assertTrue(from < until, "no rows: " + from + " to " + until);
    Map.Entry<Long, Long> before = ranges.lowerEntry(until);
    assertTrue(
        before == null || before.getValue() <= from,
        () -> "rows " + from + " to " + until + " again, after " + before);
    long start = from;
    long end = until;
    if (before != null && before.getValue() == from) {
      start = before.getKey();
    }
    Long after = ranges.remove(until);
    if (after != null) {
      end = after;
    }
    ranges.put(start, end);
    size += until - from;
  }

  /** Adds those of the rows that are not here yet. */
  public synchronized void addMissing(long from, long until) {
    long at = from;
    while (at < until) {
      Map.Entry<Long, Long> before = ranges.floorEntry(at);
      if (before != null && before.getValue() > at) {
        at = before.getValue();
        continue;
      }
      Long next = ranges.higherKey(at);
      long end = next == null ? until : Math.min(next, until);
      add(at, end);
      at = end;
    }
  }

  public synchronized void addAll(RowSet other) {
    other.ranges.forEach(this::add);
  }

  /** How many of the rows are here. */
  public synchronized long count(long from, long until) {
    long count = 0;
    Map.Entry<Long, Long> range = ranges.lowerEntry(until);
    while (range != null && range.getValue() > from) {
      count += Math.min(until, range.getValue()) - Math.max(from, range.getKey());
      range = ranges.lowerEntry(range.getKey());
    }
    return count;
  }

  public synchronized long size() {
    return size;
  }
}
