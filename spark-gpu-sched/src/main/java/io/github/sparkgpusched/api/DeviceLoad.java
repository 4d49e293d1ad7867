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
 * @param capacity blocks that the device holds at once; of a GPU launches, each of which may be of
 *     blocks of several jobs
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
 * @param lentRows rows that it computed for other executors, which are no rows of its own; null if
 *     there were none
 * @param lentNanos time spent on them, which is a part of its busy time, in nanoseconds; null
 *     likewise
 * @param borrowed true if it belongs to another executor, which lends it now and then
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
    InnerLoad inner,
    Long lentRows,
    Long lentNanos,
    boolean borrowed)
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
    return toBuilder().idleNanos(0).build().equals(other.toBuilder().idleNanos(0).build());
  }

  /** A snapshot by name: an active device that has done nothing, but for what is then said. */
  public static Builder builder(String device) {
    return new Builder(device);
  }

  /** This with changes. */
  public Builder toBuilder() {
    return new Builder(device)
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
        .idleNanos(idleNanos)
        .stalledNanos(stalledNanos)
        .offers(offers)
        .freeBytes(freeBytes)
        .usedBytes(usedBytes)
        .transfers(transfers)
        .inner(inner)
        .lentRows(lentRows)
        .lentNanos(lentNanos)
        .borrowed(borrowed);
  }

  /** Makes a {@link DeviceLoad}; each method sets the component of its name. Not thread-safe. */
  public static final class Builder {
    private final String device;
    private DeviceState state = DeviceState.ACTIVE;
    private long queueDepth;
    private int capacity = 1;
    private int inFlight;
    private long rows;
    private long blocks;
    private long stealRequests;
    private long steals;
    private long failures;
    private long busyNanos;
    private long idleNanos;
    private Long stalledNanos;
    private Long offers;
    private Long freeBytes;
    private Long usedBytes;
    private Transfers transfers;
    private InnerLoad inner;
    private Long lentRows;
    private Long lentNanos;
    private boolean borrowed;

    private Builder(String device) {
      this.device = device;
    }

    /** See {@link DeviceLoad#state()}. */
    public Builder state(DeviceState value) {
      state = value;
      return this;
    }

    /** See {@link DeviceLoad#queueDepth()}. */
    public Builder queueDepth(long value) {
      queueDepth = value;
      return this;
    }

    /** See {@link DeviceLoad#capacity()}. */
    public Builder capacity(int value) {
      capacity = value;
      return this;
    }

    /** See {@link DeviceLoad#inFlight()}. */
    public Builder inFlight(int value) {
      inFlight = value;
      return this;
    }

    /** See {@link DeviceLoad#rows()}. */
    public Builder rows(long value) {
      rows = value;
      return this;
    }

    /** See {@link DeviceLoad#blocks()}. */
    public Builder blocks(long value) {
      blocks = value;
      return this;
    }

    /** See {@link DeviceLoad#stealRequests()}. */
    public Builder stealRequests(long value) {
      stealRequests = value;
      return this;
    }

    /** See {@link DeviceLoad#steals()}. */
    public Builder steals(long value) {
      steals = value;
      return this;
    }

    /** See {@link DeviceLoad#failures()}. */
    public Builder failures(long value) {
      failures = value;
      return this;
    }

    /** See {@link DeviceLoad#busyNanos()}. */
    public Builder busyNanos(long value) {
      busyNanos = value;
      return this;
    }

    /** See {@link DeviceLoad#idleNanos()}. */
    public Builder idleNanos(long value) {
      idleNanos = value;
      return this;
    }

    /** See {@link DeviceLoad#stalledNanos()}. */
    public Builder stalledNanos(Long value) {
      stalledNanos = value;
      return this;
    }

    /** See {@link DeviceLoad#offers()}. */
    public Builder offers(Long value) {
      offers = value;
      return this;
    }

    /** See {@link DeviceLoad#freeBytes()}. */
    public Builder freeBytes(Long value) {
      freeBytes = value;
      return this;
    }

    /** See {@link DeviceLoad#usedBytes()}. */
    public Builder usedBytes(Long value) {
      usedBytes = value;
      return this;
    }

    /** See {@link DeviceLoad#transfers()}. */
    public Builder transfers(Transfers value) {
      transfers = value;
      return this;
    }

    /** See {@link DeviceLoad#inner()}. */
    public Builder inner(InnerLoad value) {
      inner = value;
      return this;
    }

    /** See {@link DeviceLoad#lentRows()}. */
    public Builder lentRows(Long value) {
      lentRows = value;
      return this;
    }

    /** See {@link DeviceLoad#lentNanos()}. */
    public Builder lentNanos(Long value) {
      lentNanos = value;
      return this;
    }

    /** See {@link DeviceLoad#borrowed()}. */
    public Builder borrowed(boolean value) {
      borrowed = value;
      return this;
    }

    /** The snapshot. */
    public DeviceLoad build() {
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
          idleNanos,
          stalledNanos,
          offers,
          freeBytes,
          usedBytes,
          transfers,
          inner,
          lentRows,
          lentNanos,
          borrowed);
    }
  }
}
