package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.InnerLoad;
import java.util.Map;

/**
 * What the blocks of threads of all kernels of a device have counted, but for a kernel that stays,
 * and how that is shown. Kept when the device is opened anew. Owner's thread only.
 */
final class DeviceCounts {
  /** What kernels wait for. */
  static final String ARGUMENTS = "ARGUMENTS";

  private long rows;
  private int blocks;
  private long capacity;
  private long steals;
  private long stealsWon;
  private long offers;
  private long stalledNanos;

  /**
   * Adds what the blocks of a kernel counted, which has ended; {@link JobGrid.Counts#NONE} changes
   * nothing.
   */
  void add(JobGrid.Counts counts) {
    rows += counts.rows();
    if (counts.blocks() > 0) {
      blocks = counts.blocks();
      capacity = counts.capacity();
    }
    steals += counts.steals();
    stealsWon += counts.stealsWon();
    offers += counts.offers();
  }

  /** Kernels waited for their arguments; of blocks that were timed, for all that were not. */
  void addStall(long nanos) {
    stalledNanos += nanos;
  }

  /**
   * All that was counted.
   *
   * @param stays what a kernel that stays has counted
   */
  InnerLoad inner(JobGrid.Counts stays) {
    boolean resides = stays.blocks() > 0;
    return InnerLoad.builder()
        .parts(resides ? stays.blocks() : blocks)
        .queueDepth(stays.queued())
        .capacity(resides ? stays.capacity() : capacity)
        .rows(rows + stays.rows())
        .stealRequests(steals + stays.steals())
        .steals(stealsWon + stays.stealsWon())
        .offers(offers + stays.offers())
        .stalledNanos(stalledNanos)
        .stalledNanosByEdge(stalledNanos > 0 ? Map.of(ARGUMENTS, stalledNanos) : Map.of())
        .build();
  }
}
