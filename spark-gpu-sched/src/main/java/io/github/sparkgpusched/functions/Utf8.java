package io.github.sparkgpusched.functions;

/**
 * Decodes UTF-8 to code points without making a string. Malformed input gives what {@code new
 * String(bytes, UTF_8)} gives: one U+FFFD for each longest beginning of a character, and one for
 * each three bytes that spell a surrogate.
 */
final class Utf8 {
  private static final int REPLACEMENT = 0xFFFD;

  private Utf8() {}

  /**
   * Decodes the first {@code length} bytes.
   *
   * @param into receives the code points; at least {@code length} long
   * @return the number of code points
   */
  static int decode(byte[] bytes, int length, int[] into) {
    int count = 0;
    int at = 0;
    while (at < length) {
      int first = bytes[at] & 0xFF;
      if (first < 0x80) {
        into[count++] = first;
        at++;
        continue;
      }
      int needed = following(first);
      int got = 0;
      int value = first & (0x3F >> needed);
      while (got < needed && at + 1 + got < length && isNext(first, got, bytes[at + 1 + got])) {
        value = (value << 6) | (bytes[at + 1 + got] & 0x3F);
        got++;
      }
      boolean whole = needed > 0 && got == needed && (value < 0xD800 || value > 0xDFFF);
      into[count++] = whole ? value : REPLACEMENT;
      at += 1 + got;
    }
    return count;
  }

  /** How many bytes follow a first byte of 0x80 or more; 0 if no character begins with it. */
  private static int following(int first) {
    if (first < 0xC2 || first > 0xF4) {
      return 0;
    }
    return first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  }

  /**
   * Whether a byte can be the one after {@code first} and {@code got} more: no longer spelling than
   * needed, in range.
   */
  private static boolean isNext(int first, int got, byte next) {
    int value = next & 0xFF;
    int least = got > 0 ? 0x80 : first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    int most = got == 0 && first == 0xF4 ? 0x8F : 0xBF;
    return value >= least && value <= most;
  }
}
