package io.github.sparkgpusched.device.cuda;

import java.util.Map;
import java.util.TreeMap;

/** Which rows of a block were published: each once, and none of another block. */
final class PublishedRows {
  private final long first;
  private final long end;

  /** Ends of published ranges by their first row; no two overlap. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  PublishedRows(long first, long end) {
    this.first = first;
    this.end = end;
  }

  void add(long from, long until) {
    Map.Entry<Long, Long> before = ranges.lowerEntry(until);
    if (from < first || until > end || (before != null && before.getValue() > from)) {
      throw PipelineRules.broken(
          "rows " + from + " to " + (until - 1) + " are published twice, or not of this block");
    }
    if (until > from) {
      ranges.put(from, until);
    }
  }
}
