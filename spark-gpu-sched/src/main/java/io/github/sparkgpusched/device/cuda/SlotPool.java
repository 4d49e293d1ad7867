package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A device's slots. Each is held by one block, from {@link #take} to {@link #giveBack}, or free; of
 * a free one the device may still be at work for the block that had it. What free slots and staging
 * buffers keep for later blocks is released where one finds no memory. Owner's thread only.
 */
final class SlotPool {
  /** Slots for each block in flight: blocks that nobody wants any more keep theirs for a while. */
  private static final int SLOTS_PER_BLOCK = 2;

  private final int most;
  private final Streams streams;
  private final DeviceMemory memory;
  private final PinnedMemory pinned;
  private final StagingPool staging;
  private final List<Slot> slots = new ArrayList<>();
  private final ArrayDeque<Slot> free = new ArrayDeque<>();

  SlotPool(
      int blocksInFlight,
      Streams streams,
      DeviceMemory memory,
      PinnedMemory pinned,
      StagingPool staging) {
    this.most = SLOTS_PER_BLOCK * blocksInFlight;
    this.streams = streams;
    this.memory = memory;
    this.pinned = pinned;
    this.staging = staging;
  }

  /** A slot with room for a block. */
  Slot take(BlockPlan plan) throws DeviceFailedException, DeviceMemoryException {
    long deviceBytes = plan.deviceBytes();
    long hostBytes = plan.hostBytes();
    for (Slot slot : free) {
      if (slot.fits(deviceBytes, hostBytes)) {
        free.remove(slot);
        return slot;
      }
    }
    Slot slot = takeQuiet();
    if (slot == null && slots.size() == most) {
      throw new DeviceMemoryException(
          streams.device() + " is still busy with blocks that are not wanted any more",
          deviceBytes);
    }
    if (slot == null) {
      slot = new Slot(streams, memory, pinned);
      slots.add(slot);
    }
    try {
      reserve(slot, deviceBytes, hostBytes);
      return slot;
    } catch (DeviceFailedException | DeviceMemoryException e) {
      free.add(slot);
      throw e;
    }
  }

  private Slot takeQuiet() throws DeviceFailedException {
    for (Slot slot : free) {
      if (slot.isQuiet()) {
        free.remove(slot);
        return slot;
      }
    }
    return null;
  }

  private void reserve(Slot slot, long deviceBytes, long hostBytes)
      throws DeviceFailedException, DeviceMemoryException {
    try {
      slot.reserve(deviceBytes, hostBytes);
    } catch (DeviceMemoryException e) {
      // What other slots and staging hold for later blocks may be enough for this one.
      releaseIdle();
      staging.releaseIdle();
      slot.reserve(deviceBytes, hostBytes);
    }
  }

  /** Frees the memory of slots that neither a block nor the device uses. */
  void releaseIdle() throws DeviceFailedException {
    for (Slot slot : free) {
      if (slot.isQuiet()) {
        slot.free();
      }
    }
  }

  /**
   * Gives a block's slot, whose results are published or not wanted, to later blocks. The device
   * may still be at work in it: it is used again behind that.
   */
  void giveBack(Slot slot) {
    slot.results.releaseOnHost(Stage.HOST_PUBLISH);
    free.add(slot);
  }

  /** Slots that blocks hold. */
  int held() {
    return slots.size() - free.size();
  }

  /** True if nothing is queued or running. */
  boolean isQuiet() throws DeviceFailedException {
    for (Slot slot : slots) {
      if (!slot.isQuiet()) {
        return false;
      }
    }
    return true;
  }

  /** Frees the memory of all slots, which must be quiet or of a device that has failed. */
  void freeAll() throws DeviceFailedException {
    for (Slot slot : slots) {
      slot.free();
    }
  }

  /** Destroys the events of all slots. */
  void close() {
    slots.forEach(Slot::close);
  }
}
