package io.github.sparkgpusched.load;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.sparkgpusched.api.Transfers;
import java.io.Serializable;
import java.util.Objects;

/**
 * What devices computed of one UDF, or of several that a batched node computes together. Immutable;
 * merging is associative and commutative.
 *
 * @param udf its name; names with a comma between them if a node computes several together, as a
 *     block's time is then all of theirs
 * @param work what was computed; in JSON its components stand beside the others
 * @param times how long each block took
 * @param transfers what was copied to and from devices for them
 * @param rowsInline those of the rows that tasks computed where they were, not in batches: they are
 *     in no block
 * @param failures blocks that ended in an error, and tasks at a row in no block; they are not among
 *     the blocks of the work
 */
public record UdfLoad(
    String udf, Work work, BlockTimes times, Transfers transfers, long rowsInline, long failures)
    implements Serializable {

  public UdfLoad {
    Objects.requireNonNull(udf, "udf");
    transfers = transfers == null ? Transfers.NONE : transfers; // logs of before it was counted
  }

  @Override
  @JsonUnwrapped
  public Work work() {
    return work;
  }

  /**
   * What {@link #work} is written as. Jackson before 2.19, which Spark has up to 4.0, reads no
   * record with an unwrapped component, so the accessor is annotated and this reads.
   */
  @JsonCreator
  static UdfLoad read(
      @JsonProperty("udf") String udf,
      @JsonProperty("rows") long rows,
      @JsonProperty("blocks") long blocks,
      @JsonProperty("stolenBlocks") long stolenBlocks,
      @JsonProperty("busyNanos") long busyNanos,
      @JsonProperty("times") BlockTimes times,
      @JsonProperty("transfers") Transfers transfers,
      @JsonProperty("rowsInline") long rowsInline,
      @JsonProperty("failures") long failures) {
    return new UdfLoad(
        udf,
        new Work(rows, blocks, stolenBlocks, busyNanos),
        times,
        transfers,
        rowsInline,
        failures);
  }

  /** Nothing was computed. */
  public static UdfLoad none(String udf) {
    return new UdfLoad(udf, Work.NONE, BlockTimes.NONE, Transfers.NONE, 0, 0);
  }

  /** Both together, which are of the same UDF. */
  public UdfLoad plus(UdfLoad other) {
    return new UdfLoad(
        udf,
        work.plus(other.work),
        times.plus(other.times),
        transfers.plus(other.transfers),
        rowsInline + other.rowsInline,
        failures + other.failures);
  }

  /** The same under another name. */
  UdfLoad named(String name) {
    return new UdfLoad(name, work, times, transfers, rowsInline, failures);
  }
}
