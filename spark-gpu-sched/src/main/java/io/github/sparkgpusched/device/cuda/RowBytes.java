package io.github.sparkgpusched.device.cuda;

import org.apache.spark.unsafe.Platform;

/** What is done for each row as its block is staged or published, and so must cost little. */
final class RowBytes {
  /**
   * The bit that {@link StagedCall#FOR_HOST} alone has of a row's states, in each byte of a word.
   */
  private static final long FOR_HOST_BITS = 0x0202020202020202L;

  private RowBytes() {}

  /** Copies bytes; short strings, of which there are many, by two words that may overlap. */
  static void copy(long from, long to, int bytes) {
    if (bytes > 2 * Long.BYTES) {
      Platform.copyMemory(null, from, null, to, bytes);
    } else if (bytes >= Long.BYTES) {
      long last = Platform.getLong(null, from + bytes - Long.BYTES);
      Platform.putLong(null, to, Platform.getLong(null, from));
      Platform.putLong(null, to + bytes - Long.BYTES, last);
    } else {
      for (int i = 0; i < bytes; i++) {
        Platform.putByte(null, to + i, Platform.getByte(null, from + i));
      }
    }
  }

  /** Whether one of so many states is {@link StagedCall#FOR_HOST}; eight are looked at at once. */
  static boolean anyForHost(long states, int count) {
    long bits = 0;
    int i = 0;
    for (; i + 8 <= count; i += 8) {
      bits |= Platform.getLong(null, states + i);
    }
    for (; i < count; i++) {
      bits |= Platform.getByte(null, states + i);
    }
    return (bits & FOR_HOST_BITS) != 0;
  }
}
