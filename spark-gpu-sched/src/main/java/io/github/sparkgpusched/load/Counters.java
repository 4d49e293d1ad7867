package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.api.Transfers;

/**
 * One state of a {@link LoadEntry}. Changed by the thread that made it, and by nobody once it is
 * published.
 */
final class Counters implements Cloneable {
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

  /** {@link System#nanoTime} when the last block in flight ended; of no meaning while one is. */
  long idleSince;

  Counters(long now) {
    idleSince = now;
  }

  /** A copy of every field, of those that will be added too. */
  Counters copy() {
    try {
      return (Counters) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
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

  DeviceLoad load(String device, int capacity, long now) {
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
        .build();
  }
}
