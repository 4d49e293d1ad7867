package io.github.sparkgpusched.schedule.strategy.tree;

import io.github.sparkgpusched.schedule.strategy.Pace;

/** How much one worker claims at a time. Used by that worker only, hence on cache lines apart. */
abstract class Step extends Padded {
  /**
   * The worker goes on in another range than the one it has claimed from so far.
   *
   * @param adjacent true if that begins where the last claim ended
   */
  void newLeaf(boolean adjacent) {}

  /**
   * Sizes the next block.
   *
   * @param from first unclaimed row
   * @param until the row after the last, above {@code from}
   * @param backward true if the block is taken from the rear
   * @return rows to claim, from 1 to {@code until - from}
   */
  abstract long rows(long from, long until, boolean backward);

  /**
   * A block of rows {@code [from, until)} has ended.
   *
   * @param reached the first row that was not computed
   */
  void took(long from, long reached, long until, long nanos) {}

  /** True if an average row is known to take longer than a block should. */
  boolean rowsAreBlocks() {
    return false;
  }

  /** Blocks learned from, if what was learned is worth teaching to later jobs; else 0. */
  long blocks() {
    return 0;
  }

  /** Teaches later jobs. */
  void teach(Pace pace) {}
}
