package io.github.sparkgpusched.advise.plan;

import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what Spark prints of expressions. That is no language: literals have no quotes, and long
 * lists are cut. So this finds calls, {@code name(…)}, and takes everything else as it comes.
 */
final class Expressions {
  private static final Pattern ATTRIBUTE = Pattern.compile("#(\\d+)");
  private static final Pattern CUT = Pattern.compile("\\.\\.\\. \\d+ more fields");

  private Expressions() {}

  /**
   * Tells of each call of a function that is no name of Spark's.
   *
   * @param found the name, and what stands around it: the names of the calls it is in, with blanks
   *     between them
   */
  static void calls(String text, BiConsumer<String, String> found) {
    calls(text, 0, text.length(), "", found, 0);
  }

  private static void calls(
      String text,
      int from,
      int until,
      String around,
      BiConsumer<String, String> found,
      int depth) {
    int i = from;
    while (i < until) {
      if (text.charAt(i) != '(') {
        i++;
        continue;
      }
      int begin = i;
      while (begin > from && isName(text.charAt(begin - 1))) {
        begin--;
      }
      int end = closing(text, i, until);
      String name = text.substring(begin, i);
      boolean isAttribute = end + 1 < until && text.charAt(end + 1) == '#';
      if (!isAttribute) {
        boolean isHive = begin > 0 && text.charAt(begin - 1) == '#' && !name.isEmpty();
        if (isHive || (isFunction(name) && !SparkNames.has(name))) {
          found.accept(isHive ? "#" + name : name, around);
        }
        if (depth < 200) {
          String inner = name.isEmpty() ? around : around + " " + name;
          calls(text, i + 1, Math.min(end, until), inner, found, depth + 1);
        }
      }
      i = end + 1;
    }
  }

  /** Its closing parenthesis; the end if there is none, as the text is cut. */
  private static int closing(String text, int open, int until) {
    int depth = 0;
    for (int i = open; i < until; i++) {
      if (text.charAt(i) == '(') {
        depth++;
      } else if (text.charAt(i) == ')' && --depth == 0) {
        return i;
      }
    }
    return until;
  }

  private static boolean isName(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '$';
  }

  private static boolean isFunction(String name) {
    return !name.isEmpty() && Character.isJavaIdentifierStart(name.charAt(0));
  }

  /** The columns that it reads, by their numbers. */
  static Set<Long> columns(String text) {
    Set<Long> columns = new HashSet<>();
    Matcher matcher = ATTRIBUTE.matcher(text);
    while (matcher.find()) {
      if (matcher.group(1).length() < 18) {
        columns.add(Long.parseLong(matcher.group(1)));
      }
    }
    return columns;
  }

  /** Whether Spark has left out a part. */
  static boolean isCut(String text) {
    return CUT.matcher(text).find();
  }
}
