package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.api.Transfers;

/**
 * One state of a {@link LoadEntry}. Changed by the thread that made it, and by nobody once it is
 * published.
 */
final class Counters {
  DeviceState state = DeviceState.ACTIVE;
  long queueDepth;
  int inFlight;
  long rows;
  long blocks;
  long stealRequests;
  long steals;
  long failures;
  long busyNanos;

  /** Idle time up to {@link #idleSince}. */
  long idleNanos;

  /** Null for a device without memory of its own. */
  Long freeBytes;

  Long usedBytes;

  /** Null for the same. */
  Transfers transfers;

  /** Null for a device without parts that share rows. */
  InnerLoad inner;

  /** Null for a device that has computed nothing for other executors. */
  Long lentRows;

  Long lentNanos;

  /** {@link System#nanoTime} when the last block in flight ended; of no meaning while one is. */
  long idleSince;

  Counters(long now) {
    idleSince = now;
  }

  /** A copy, field by field: {@code clone} takes twice as long. */
  Counters(Counters other) {
    state = other.state;
    queueDepth = other.queueDepth;
    inFlight = other.inFlight;
    rows = other.rows;
    blocks = other.blocks;
    stealRequests = other.stealRequests;
    steals = other.steals;
    failures = other.failures;
    busyNanos = other.busyNanos;
    idleNanos = other.idleNanos;
    idleSince = other.idleSince;
    freeBytes = other.freeBytes;
    usedBytes = other.usedBytes;
    transfers = other.transfers;
    inner = other.inner;
    lentRows = other.lentRows;
    lentNanos = other.lentNanos;
  }

  void begin(long now) {
    if (inFlight++ == 0) {
      idleNanos += Math.max(0, now - idleSince);
    }
  }

  void end(long start, long now) {
    busyNanos += now - start;
    if (--inFlight == 0) {
      idleSince = now;
    }
  }

  /** Rows of another executor were computed. */
  void addLent(long moreRows, long moreNanos) {
    lentRows = moreRows + (lentRows == null ? 0 : lentRows);
    lentNanos = moreNanos + (lentNanos == null ? 0 : lentNanos);
  }

  /** Whether a block was ever begun. */
  boolean hasBegun() {
    return inFlight > 0 || busyNanos > 0;
  }

  DeviceLoad load(String device, int capacity, boolean borrowed, long now) {
    long idle = inFlight > 0 ? idleNanos : idleNanos + Math.max(0, now - idleSince);
    return DeviceLoad.builder(device)
        .state(state)
        .queueDepth(queueDepth)
        .capacity(capacity)
        .inFlight(inFlight)
        .rows(rows)
        .blocks(blocks)
        .stealRequests(stealRequests)
        .steals(steals)
        .failures(failures)
        .busyNanos(busyNanos)
        .idleNanos(idle)
        .stalledNanos(inner == null ? null : inner.stalledNanos())
        .offers(inner == null ? null : inner.offers())
        .freeBytes(freeBytes)
        .usedBytes(usedBytes)
        .transfers(transfers)
        .inner(inner)
        .lentRows(lentRows)
        .lentNanos(lentNanos)
        .borrowed(borrowed)
        .build();
  }
}
