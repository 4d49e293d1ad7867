package io.github.sparkgpusched.device.cudf;

/**
 * How many bytes the strings of a column take that cuDF's builder makes. When they are more than it
 * has room for, it doubles the room, and refuses if that is more than an int counts, though the
 * strings were not. So the room at first is one that doubles to just below that. One thread's.
 */
final class StringRoom {
  /** Of each row. */
  private static final int BYTES = 16;

  private static final int LEAST = 1 << 12;

  private final int first;
  private final long most;
  private long taken;

  StringRoom(int rows) {
    long wanted = Math.max(LEAST, (long) BYTES * rows);
    int halvings = 0;
    while (Integer.MAX_VALUE >> (halvings + 1) >= wanted) {
      halvings++;
    }
    first = Integer.MAX_VALUE >> halvings;
    most = (long) first << halvings;
  }

  /** The room that the builder begins with. */
  int first() {
    return first;
  }

  /** To be asked before a string is added: whether it fits. */
  boolean take(int bytes) {
    taken += bytes;
    return taken <= most;
  }

  /** Bytes of all strings so far. */
  long taken() {
    return taken;
  }
}
