package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.Transfers;
import java.util.Arrays;

/** Counts of blocks that were computed to their end. Not thread-safe. */
final class Tally {
  long rows;
  long blocks;
  long stolenBlocks;
  long busyNanos;
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

  void add(Tally other) {
    rows += other.rows;
    blocks += other.blocks;
    stolenBlocks += other.stolenBlocks;
    busyNanos += other.busyNanos;
    transfers = transfers.plus(other.transfers);
  }
}
