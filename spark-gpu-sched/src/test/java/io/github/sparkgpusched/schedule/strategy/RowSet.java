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

  public synchronized void remove(long from, long until) {
    Map.Entry<Long, Long> range = ranges.floorEntry(from);
    assertTrue(
        range != null && range.getValue() >= until, () -> from + " to " + until + " not here");
    ranges.remove(range.getKey());
    if (range.getKey() < from) {
      ranges.put(range.getKey(), from);
    }
    if (until < range.getValue()) {
      ranges.put(until, range.getValue());
    }
    size -= until - from;
  }

  public synchronized long size() {
    return size;
  }
}
