package io.github.sparkgpusched.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes as Spark's users write them: a whole number and a unit of 1024s ({@code 64k}, {@code
 * 64MB}), or plain bytes.
 */
final class ByteSize {
  private static final Pattern SIZE = Pattern.compile("([0-9]+)(?:([kmgtp])b?|b)?");

  private ByteSize() {}

  /**
   * The size in bytes.
   *
   * @throws IllegalArgumentException if the text is not a size
   * @throws ArithmeticException if it does not fit a long
   */
  static long parse(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a size");
    }
    String unit = matcher.group(2);
    int exponent = unit == null ? 0 : 1 + "kmgtp".indexOf(unit);
    return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * exponent));
  }
}
