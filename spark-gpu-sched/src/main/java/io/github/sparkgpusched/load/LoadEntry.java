package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.DeviceLoad;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * The counters of one device. Safe for use by several threads, and lock-free: a device is as a rule
 * one thread at a time, so an add is an uncontended one, and several threads that share a device
 * for a moment lose no count. Writers add once a block, never once a row.
 */
public final class LoadEntry {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  /** Longs before and after the counters: 128 bytes, two cache lines, as the prefetcher takes. */
  private static final int PAD = 16;

  private static final int ROWS = PAD;
  private static final int BLOCKS = PAD + 1;
  private static final int STEAL_REQUESTS = PAD + 2;
  private static final int STEALS = PAD + 3;
  private static final int FAILURES = PAD + 4;
  private static final int BUSY_NANOS = PAD + 5;
  private static final int QUEUE_DEPTH = PAD + 6;
  private static final int LENGTH = PAD + 7 + PAD;

  private final String device;
  private final int capacity;

  /**
   * The counters, each beside the others of its device and away from other devices' ones. Whoever
   * works for the device adds to any of them; all but the queue depth only grow.
   */
  private final long[] cells = new long[LENGTH];

  /**
   * An entry with all counters 0.
   *
   * @param device the device's name
   * @param capacity blocks that the device holds at once, at least 1
   */
  public LoadEntry(String device, int capacity) {
    this.device = Objects.requireNonNull(device, "device");
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "the device " + device + " must hold at least 1 block, not " + capacity);
    }
    this.capacity = capacity;
  }

  /** The device's name. */
  public String device() {
    return device;
  }

  /** Counts one block that was computed to its end. */
  public void addBlock(long rows, long busyNanos) {
    add(ROWS, rows);
    add(BLOCKS, 1);
    add(BUSY_NANOS, busyNanos);
  }

  /** Counts one block that ended in an error. */
  public void addFailure(long busyNanos) {
    add(FAILURES, 1);
    add(BUSY_NANOS, busyNanos);
  }

  /**
   * Counts searches for rows at other devices, in a row and by one claim.
   *
   * @param found true if the last of them found some
   */
  public void addSteals(int tried, boolean found) {
    if (tried > 0) {
      add(STEAL_REQUESTS, tried);
      if (found) {
        add(STEALS, 1);
      }
    }
  }

  /** Changes the number of rows that the device was dealt and has not begun; may be negative. */
  public void addQueueDepth(long rows) {
    add(QUEUE_DEPTH, rows);
  }

  /** The counters now. Each is exact; they are read one after the other. */
  public DeviceLoad snapshot() {
    return new DeviceLoad(
        device,
        get(QUEUE_DEPTH),
        capacity,
        get(ROWS),
        get(BLOCKS),
        get(STEAL_REQUESTS),
        get(STEALS),
        get(FAILURES),
        get(BUSY_NANOS));
  }

  private void add(int cell, long delta) {
    CELL.getAndAdd(cells, cell, delta);
  }

  private long get(int cell) {
    return (long) CELL.getOpaque(cells, cell);
  }
}
