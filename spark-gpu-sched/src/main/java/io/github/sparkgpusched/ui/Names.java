package io.github.sparkgpusched.ui;

import java.util.Comparator;
import java.util.Locale;

/** Names with numbers in them, as people put them in order and look for them. */
final class Names {
  /** {@code host:2} comes before {@code host:10}. */
  static final Comparator<String> ORDER = Names::compare;

  private Names() {}

  private static int compare(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      int order;
      if (isDigit(a.charAt(i)) && isDigit(b.charAt(j))) {
        int iEnd = endOfNumber(a, i);
        int jEnd = endOfNumber(b, j);
        order = compareNumbers(a.substring(i, iEnd), b.substring(j, jEnd));
        i = iEnd;
        j = jEnd;
      } else {
        order = Character.compare(a.charAt(i++), b.charAt(j++));
      }
      if (order != 0) {
        return order;
      }
    }
    int rest = Integer.compare(a.length() - i, b.length() - j);
    return rest != 0 ? rest : a.compareTo(b); // 01 is not 1
  }

  private static int compareNumbers(String a, String b) {
    String x = a.replaceFirst("^0+(?=.)", "");
    String y = b.replaceFirst("^0+(?=.)", "");
    int byLength = Integer.compare(x.length(), y.length());
    return byLength != 0 ? byLength : x.compareTo(y);
  }

  private static int endOfNumber(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /**
   * Whether a name has what somebody looks for in it, in capitals or not. A number is found whole:
   * {@code host:3} is not in {@code host:30}.
   */
  static boolean has(String name, String wanted) {
    String text = name.toLowerCase(Locale.ROOT);
    String part = wanted.strip().toLowerCase(Locale.ROOT);
    for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
      if (part.isEmpty() || (isEdge(text, at) && isEdge(text, at + part.length()))) {
        return true;
      }
    }
    return false;
  }

  /** True if no number goes on from one side of a place to the other. */
  private static boolean isEdge(String text, int at) {
    return at == 0
        || at == text.length()
        || !isDigit(text.charAt(at - 1))
        || !isDigit(text.charAt(at));
  }
}
