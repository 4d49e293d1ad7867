package io.github.sparkgpusched.schedule;

/**
 * A range of rows {@code [from, until)} packed into one long, so that one compare-and-set changes
 * both ends and a block is handed about without an object. Both ends are non-negative ints.
 */
final class Block {
  /** No rows. Other empty ranges exist: test with {@link #isEmpty}. */
  static final long NONE = 0;

  private Block() {}

  static long of(int from, int until) {
    return (long) until << Integer.SIZE | from;
  }

  static int from(long block) {
    return (int) block;
  }

  static int until(long block) {
    return (int) (block >>> Integer.SIZE);
  }

  static int rows(long block) {
    return Math.max(0, until(block) - from(block));
  }

  static boolean isEmpty(long block) {
    return from(block) >= until(block);
  }
}
