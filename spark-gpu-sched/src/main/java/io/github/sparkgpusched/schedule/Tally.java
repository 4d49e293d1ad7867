package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.load.Work;
import java.util.Arrays;

/**
 * Counts of blocks that were computed to their end, without an object for each block as {@link
 * Work} would be. Not thread-safe.
 */
final class Tally {
  long rows;
  long blocks;
  long stolenBlocks;
  long busyNanos;

  /** Of {@link #busyNanos}, and of what passes between blocks: when the threads had a core. */
  long coreNanos;

  Transfers transfers = Transfers.NONE;

  static Tally[] array(int length) {
    Tally[] tallies = new Tally[length];
    Arrays.setAll(tallies, i -> new Tally());
    return tallies;
  }

  void addBlock(long blockRows, boolean stolen, long nanos) {
    rows += blockRows;
    blocks++;
    stolenBlocks += stolen ? 1 : 0;
    busyNanos += nanos;
  }

  /** What was computed so far. */
  Work work() {
    return blocks == 0 ? Work.NONE : new Work(rows, blocks, stolenBlocks, busyNanos);
  }

  void add(Tally other) {
    rows += other.rows;
    blocks += other.blocks;
    stolenBlocks += other.stolenBlocks;
    busyNanos += other.busyNanos;
    coreNanos += other.coreNanos;
    transfers = transfers.plus(other.transfers);
  }
}
