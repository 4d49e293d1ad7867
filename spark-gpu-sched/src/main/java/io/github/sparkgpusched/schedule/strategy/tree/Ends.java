package io.github.sparkgpusched.schedule.strategy.tree;

/** From which end a node of the work-stealing tree is claimed. */
public enum Ends {
  /** Always from the front, as in the original. */
  FRONT,

  /** From either end: a coin toss that is the same for all who make the node of this range. */
  RANDOM,

  /**
   * From the outer end: of two neighbours the left one from the front, the right one from the rear.
   * Where costs rise or fall along the rows, somebody begins with the heavy end whichever it is,
   * and the rows left for the end are those in the middle.
   */
  OUTER;

  /**
   * True if a node is claimed from the rear.
   *
   * @param right whether its neighbour, that was cut from the same range, is to the left of it
   */
  boolean backward(long from, long until, boolean right) {
    return switch (this) {
      case FRONT -> false;
      case RANDOM -> (XorShift.mix(from * 31 + until) & 1) == 1;
      case OUTER -> right;
    };
  }
}
