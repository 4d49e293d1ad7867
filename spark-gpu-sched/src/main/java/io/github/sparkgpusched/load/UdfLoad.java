package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.Transfers;
import java.io.Serializable;
import java.util.Objects;

/**
 * What devices computed of one UDF, or of several that a batched node computes together. Immutable;
 * merging is associative and commutative.
 *
 * @param udf its name; names with a comma between them if a node computes several together, as a
 *     block's time is then all of theirs
 * @param rows rows computed
 * @param blocks blocks computed
 * @param stolenBlocks those of them that were first dealt to another device
 * @param busyNanos time spent computing them, in nanoseconds
 * @param times how long each took
 * @param transfers what was copied to and from devices for them
 */
public record UdfLoad(
    String udf,
    long rows,
    long blocks,
    long stolenBlocks,
    long busyNanos,
    BlockTimes times,
    Transfers transfers)
    implements Serializable {

  public UdfLoad {
    Objects.requireNonNull(udf, "udf");
    transfers = transfers == null ? Transfers.NONE : transfers; // logs of before it was counted
  }

  /** Nothing was computed. */
  public static UdfLoad none(String udf) {
    return new UdfLoad(udf, 0, 0, 0, 0, BlockTimes.NONE, Transfers.NONE);
  }

  /** Both together, which are of the same UDF. */
  public UdfLoad plus(UdfLoad other) {
    return new UdfLoad(
        udf,
        rows + other.rows,
        blocks + other.blocks,
        stolenBlocks + other.stolenBlocks,
        busyNanos + other.busyNanos,
        times.plus(other.times),
        transfers.plus(other.transfers));
  }
}
