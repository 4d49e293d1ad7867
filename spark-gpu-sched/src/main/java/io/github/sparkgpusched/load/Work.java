package io.github.sparkgpusched.load;

import java.io.Serializable;
import java.util.Locale;

/**
 * Work done: rows computed in blocks, and how long that took. Whoever tells what was computed, of a
 * job, a task, a UDF or a stage, tells it by this. Immutable; merging is associative and
 * commutative.
 *
 * @param rows rows computed
 * @param blocks blocks computed
 * @param stolenBlocks those of them that were first dealt to another device
 * @param busyNanos time spent computing them, in nanoseconds
 */
public record Work(long rows, long blocks, long stolenBlocks, long busyNanos)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Nothing was computed. */
  public static final Work NONE = new Work(0, 0, 0, 0);

  /** Both together. */
  public Work plus(Work other) {
    return new Work(
        rows + other.rows,
        blocks + other.blocks,
        stolenBlocks + other.stolenBlocks,
        busyNanos + other.busyNanos);
  }

  /** This without a part of it. */
  public Work minus(Work part) {
    return new Work(
        rows - part.rows,
        blocks - part.blocks,
        stolenBlocks - part.stolenBlocks,
        busyNanos - part.busyNanos);
  }

  /** As Spark shows it in its stage page and writes it to the event log. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d rows in %d blocks (%d stolen), %.3f s",
        rows,
        blocks,
        stolenBlocks,
        busyNanos / 1e9);
  }
}
