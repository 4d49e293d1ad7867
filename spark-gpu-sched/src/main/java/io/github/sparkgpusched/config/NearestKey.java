package io.github.sparkgpusched.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds the key that a mistyped one probably meant. */
final class NearestKey {
  private static final int MOST_CHARS = 100;

  private NearestKey() {}

  /**
   * Of the known keys that go on where the given one ends, the first; else that with the fewest
   * edits, case aside, and the first of them if several are as near.
   */
  static String of(String given, Collection<String> known) {
    // Whatever comes after so many characters is no mistyped key's, and takes time to compare.
    String begin = given.substring(0, Math.min(given.length(), MOST_CHARS));
    String lower = begin.toLowerCase(Locale.ROOT);
    return known.stream()
        .filter(key -> key.toLowerCase(Locale.ROOT).startsWith(lower + "."))
        .findFirst()
        .orElseGet(() -> fewestEdits(lower, known));
  }

  private static String fewestEdits(String lower, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(key -> edits(lower, key.toLowerCase(Locale.ROOT))))
        .orElseThrow();
  }

  /** Letters to insert, delete or replace to make one text of the other. */
  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
