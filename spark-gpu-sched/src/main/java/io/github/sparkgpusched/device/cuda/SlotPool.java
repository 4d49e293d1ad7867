package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.columnar.SlabPool;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import jcuda.driver.CUfunction;

/**
 * A device's slots. Each is held by one launch, from {@link #take} to {@link #giveBack}, or free;
 * of a free one the device may still be at work for the launch that had it, and then it is not
 * taken. What free slots keep for later blocks is released where one finds no memory. Owner's
 * thread only.
 */
final class SlotPool {
  /**
   * Slots for each launch in flight: those that nobody wants any more keep theirs until their
   * kernels end. What their memory may be, {@code cuda.pinnedBytes} says.
   */
  private static final int SLOTS_PER_LAUNCH = 32;

  private final int most;
  private final Calls calls;
  private final DeviceMemory memory;
  private final PinnedMemory pinned;
  private final SlabPool slabs;
  private final List<Slot> slots = new ArrayList<>();
  private final ArrayDeque<Slot> free = new ArrayDeque<>();

  SlotPool(
      int launchesInFlight, Calls calls, DeviceMemory memory, PinnedMemory pinned, SlabPool slabs) {
    this.slabs = slabs;
    this.most = SLOTS_PER_LAUNCH * launchesInFlight + 1;
    this.calls = calls;
    this.memory = memory;
    this.pinned = pinned;
  }

  /**
   * A slot that has room for so many bytes of arguments, which can be filled at once; null if there
   * is none. Waits for nothing.
   */
  Slot take(long argumentBytes) throws DeviceFailedException {
    Slot slot = quiet(argumentBytes);
    if (slot == null || !slot.hasArgumentBytes(argumentBytes)) {
      return null;
    }
    free.remove(slot);
    slot.hold();
    return slot;
  }

  /** Makes room for so many bytes of arguments in a slot, which is taken next. */
  void makeRoom(long argumentBytes) throws DeviceFailedException, DeviceMemoryException {
    Slot slot = quiet(argumentBytes);
    if (slot == null && slots.size() == most) {
      throw new DeviceMemoryException(
          calls.device() + " is still busy with blocks that are not wanted any more",
          argumentBytes);
    }
    if (slot == null) {
      slot = new Slot(calls, memory, pinned, slabs);
      slots.add(slot);
    }
    free.remove(slot); // what it has is not freed to make room in it
    try {
      reserve(slot::reserveArguments, argumentBytes);
    } finally {
      free.addFirst(slot);
    }
  }

  /**
   * The one that was used last of those that have the room already, if there is one. Looks at all,
   * so that none seems busy long after.
   */
  private Slot quiet(long argumentBytes) throws DeviceFailedException {
    Slot quiet = null;
    for (Slot slot : free) {
      if (slot.isQuiet()
          && (quiet == null
              || (!quiet.hasArgumentBytes(argumentBytes)
                  && slot.hasArgumentBytes(argumentBytes)))) {
        quiet = slot;
      }
    }
    return quiet;
  }

  /** Makes room for a block in a slot that was taken. */
  void reserveBlock(Slot slot, BlockPlan plan) throws DeviceFailedException, DeviceMemoryException {
    reserve(bytes -> slot.reserveBlock(bytes, plan.hostBytes()), plan.deviceBytes());
  }

  private interface Reservation {
    void of(long bytes) throws DeviceFailedException, DeviceMemoryException;
  }

  private void reserve(Reservation reservation, long bytes)
      throws DeviceFailedException, DeviceMemoryException {
    try {
      reservation.of(bytes);
    } catch (DeviceMemoryException e) {
      if (e instanceof PinnedMemory.FullException full && !full.endsBy(idlePinnedBytes())) {
        throw e; // and the next blocks find what they need
      }
      // What other slots hold for later blocks may be enough for this one.
      releaseIdle();
      reservation.of(bytes);
    }
  }

  /** What {@link #releaseIdle} would free of page-locked memory. */
  private long idlePinnedBytes() throws DeviceFailedException {
    long bytes = 0;
    for (Slot slot : free) {
      bytes += slot.isQuiet() ? slot.pinnedBytes() : 0;
    }
    return bytes;
  }

  /** Frees the memory of slots that neither a block nor the device uses. */
  private void releaseIdle() throws DeviceFailedException {
    for (Slot slot : free) {
      if (slot.isQuiet()) {
        slot.free();
      }
    }
  }

  /**
   * Gives a block's slot, whose results are published or not wanted, to later blocks. The device
   * may still be at work in it: then it is used again after that.
   */
  void giveBack(Slot slot) {
    slot.giveBack();
    // The one that was used last is taken first: its memory is in the caches.
    free.addFirst(slot);
  }

  /** The kernels of each block that the device may be at work for. */
  List<Set<CUfunction>> underWay() {
    return slots.stream().map(Slot::underWay).filter(kernels -> !kernels.isEmpty()).toList();
  }

  /** Those whose blocks the device may be at work for, as far as was seen. */
  List<Slot> busy() {
    return slots.stream().filter(Slot::isBusy).toList();
  }

  /** Slots that blocks hold. */
  int held() {
    return slots.size() - free.size();
  }

  /**
   * True if nothing is queued or running. Looks at all slots: what one that is quiet was lent goes
   * back, though another is still busy.
   */
  boolean isQuiet() throws DeviceFailedException {
    boolean quiet = true;
    for (Slot slot : slots) {
      quiet &= slot.isQuiet();
    }
    return quiet;
  }

  /** Frees the memory of all slots, which must be quiet or of a device that has failed. */
  void freeAll() throws DeviceFailedException {
    for (Slot slot : slots) {
      slot.free();
    }
  }

  /** Gives back what the slots were lent; the device does nothing any more. */
  void returnLent() {
    slots.forEach(Slot::returnLent);
  }

  /** Gives the slabs of all slots back; the context has ended. */
  void returnSlabs() {
    slots.forEach(Slot::returnSlabs);
  }

  /** Destroys the streams and events of all slots. */
  void close() {
    slots.forEach(Slot::close);
  }
}
