package io.github.sparkgpusched.api;

import java.io.Serializable;
import java.util.Objects;

/**
 * A snapshot of what one device did and has before it. All fields are of one moment: no update is
 * in one of them and not in another. What a kind of device does not measure is null, never 0.
 *
 * @param device the device's name, such as {@code host:0}
 * @param state whether it takes work
 * @param queueDepth rows dealt to the device and not yet begun
 * @param capacity blocks that the device holds at once
 * @param inFlight blocks that it computes now
 * @param rows rows computed
 * @param blocks blocks computed
 * @param stealRequests times that the device looked for rows at another
 * @param steals times that it got some
 * @param failures blocks that ended in an error
 * @param busyNanos time spent computing blocks that have ended, in nanoseconds
 * @param idleNanos time without a block since the device was made, in nanoseconds
 * @param stalledNanos time that blocks in flight waited for transfers or memory, in nanoseconds;
 *     null if not measured
 * @param offers times that a part of the device gave rows to another unasked; null if it has no
 *     parts
 * @param freeBytes free memory of the device; null if it has none of its own
 * @param usedBytes memory in use on the device; null if it has none of its own
 * @param transfers what was copied to and from it for blocks that it computed; null if it has no
 *     memory of its own
 * @param inner what goes on inside of the device; null if it has no parts, or nothing to tell yet
 */
public record DeviceLoad(
    String device,
    DeviceState state,
    long queueDepth,
    int capacity,
    int inFlight,
    long rows,
    long blocks,
    long stealRequests,
    long steals,
    long failures,
    long busyNanos,
    long idleNanos,
    Long stalledNanos,
    Long offers,
    Long freeBytes,
    Long usedBytes,
    Transfers transfers,
    InnerLoad inner)
    implements Serializable {

  public DeviceLoad {
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(state, "state");
  }

  /** Times that the device looked for rows at another and got none. */
  public long emptySteals() {
    return stealRequests - steals;
  }

  /** True if two snapshots of a device differ in nothing but its idle time. */
  public boolean isSameButIdle(DeviceLoad other) {
    return withIdleNanos(0).equals(other.withIdleNanos(0));
  }

  private DeviceLoad withIdleNanos(long nanos) {
    return new DeviceLoad(
        device,
        state,
        queueDepth,
        capacity,
        inFlight,
        rows,
        blocks,
        stealRequests,
        steals,
        failures,
        busyNanos,
        nanos,
        stalledNanos,
        offers,
        freeBytes,
        usedBytes,
        transfers,
        inner);
  }
}
