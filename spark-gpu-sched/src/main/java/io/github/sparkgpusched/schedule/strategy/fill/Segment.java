package io.github.sparkgpusched.schedule.strategy.fill;

/**
 * Consecutive rows that nobody has claimed, or that are in flight and were opened again. Blocks are
 * claimed at either end. Guarded by the dealer's lock.
 */
final class Segment {
  static final int NOBODY = -1;

  /** First row. */
  long from;

  /** The row after the last. */
  long until;

  /** Cost of the rows. */
  double cost;

  Border left;
  Border right;

  /** The device that takes its blocks here, or {@link #NOBODY}. */
  int owner = NOBODY;

  /** The device to which these rows were dealt first. */
  final int origin;

  /** The block in flight that these rows are of; null if they are in no block. */
  final Flight reopened;

  Segment(
      long from, long until, double cost, Border left, Border right, int origin, Flight reopened) {
    this.from = from;
    this.until = until;
    this.cost = cost;
    this.left = left;
    this.right = right;
    this.origin = origin;
    this.reopened = reopened;
  }

  long rows() {
    return until - from;
  }
}
