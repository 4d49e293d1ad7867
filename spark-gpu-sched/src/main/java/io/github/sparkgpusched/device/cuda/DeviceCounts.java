package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.InnerLoad;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the blocks of threads of all kernels of a device have counted, but for a kernel that stays,
 * and how that is shown. Kept when the device is opened anew. Owner's thread only.
 */
final class DeviceCounts {
  private final Stalls stalls;
  private long rows;
  private int blocks;
  private long capacity;
  private long steals;
  private long stealsWon;
  private long offers;

  DeviceCounts(Stalls stalls) {
    this.stalls = stalls;
  }

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

  /**
   * All that was counted.
   *
   * @param stays what a kernel that stays has counted
   */
  InnerLoad inner(JobGrid.Counts stays) {
    Map<String, Long> stallNanos = new TreeMap<>();
    long delays = 0;
    for (Edge edge : Edge.values()) {
      long nanos = stalls.nanos(edge);
      if (nanos > 0) {
        stallNanos.put(edge.name(), nanos);
        delays += edge.delaysKernels() ? nanos : 0;
      }
    }
    boolean resides = stays.blocks() > 0;
    return InnerLoad.builder()
        .parts(resides ? stays.blocks() : blocks)
        .queueDepth(stays.queued())
        .capacity(resides ? stays.capacity() : capacity)
        .rows(rows + stays.rows())
        .stealRequests(steals + stays.steals())
        .steals(stealsWon + stays.stealsWon())
        .offers(offers + stays.offers())
        .stalledNanos(delays)
        .stalledNanosByEdge(stallNanos)
        .build();
  }
}
