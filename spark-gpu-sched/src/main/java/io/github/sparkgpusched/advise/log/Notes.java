package io.github.sparkgpusched.advise.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a reader should know of a log, a line each: the first of a kind, and how many there were.
 */
public final class Notes {
  private static final int MOST_KINDS = 40;

  private record Note(String first, long count) {}

  private final Map<String, Note> notes = new LinkedHashMap<>();

  /**
   * Notes something.
   *
   * @param kind of which only the first is told
   * @param text a sentence without its full stop
   */
  public void add(String kind, String text) {
    if (notes.containsKey(kind) || notes.size() < MOST_KINDS) {
      notes.merge(kind, new Note(text, 1), (old, one) -> new Note(old.first(), old.count() + 1));
    }
  }

  /** A line each. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    notes.forEach(
        (kind, note) -> {
          long more = note.count() - 1;
          lines.add(note.first() + (more == 0 ? "" : " (and " + more + " more like this)"));
        });
    return lines;
  }
}
