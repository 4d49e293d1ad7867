package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.columnar.SlabPool;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.NoRoomYetException;
import java.util.List;
import java.util.Set;
import jcuda.driver.CUfunction;

/**
 * A device's slots and depth, and the one place where blocks are queued ({@link BlockQueue}). Each
 * slot has a stream of its own, so the copies of one block overlap with the kernels of another, and
 * so do the ends of its kernels. Owner's thread only.
 */
final class CudaPipeline {
  /** One of so many blocks is timed by events: they are calls into the driver, each block's. */
  private static final int TIMED = 32;

  /** Then one is timed that is not alone. */
  private static final int LONGEST_UNTIMED = 4 * TIMED;

  /** After a launch that found no room for several blocks so many do not look for it. */
  static final int SHORT_LAUNCHES = 64;

  private final PipelineDepth depth;
  private final Calls calls;
  private final PinnedMemory pinned;
  private final DeviceMemory memory;
  private final SlotPool slots;
  private final BlockQueue queue;
  private final PipelineRules rules;
  private final Quiet quiet;

  /** Launches that do not look for room for several blocks. */
  private int shortFor;

  /** Blocks since the last that was timed. */
  private int untimed = -1;

  /**
   * What a block takes besides its kernels and its copies, in nanoseconds: the least of what timed
   * blocks that were alone took, which follows slowly where they take longer.
   */
  private long addedNanos;

  CudaPipeline(
      GpuFacts facts,
      PipelineDepth depth,
      PinnedMemory pinned,
      SlabPool slabs,
      CudaModules modules,
      Quiet quiet)
      throws DeviceFailedException {
    this.depth = depth;
    this.quiet = quiet;
    calls = new Calls(facts.name());
    this.pinned = pinned;
    memory = new DeviceMemory(facts, calls, quiet);
    slots = new SlotPool(depth.slots, calls, memory, pinned, slabs);
    queue = new BlockQueue(calls, modules, quiet);
    rules = new PipelineRules(depth.slots);
  }

  PinnedMemory pinned() {
    return pinned;
  }

  DeviceMemory memory() {
    return memory;
  }

  PipelineRules rules() {
    return rules;
  }

  String device() {
    return calls.device();
  }

  /** A slot for a block with so many bytes of arguments; given back by {@link #giveBack}. */
  Slot take(long argumentBytes) throws DeviceFailedException, DeviceMemoryException {
    Slot slot = slots.take(argumentBytes);
    if (slot == null) {
      slots.makeRoom(argumentBytes);
      slot = slots.take(argumentBytes);
    }
    return slot;
  }

  /**
   * The same, as far as a slot has the room, with room for more if there is memory. To look for it
   * in vain costs others what their idle slots keep, so it is not done for each launch.
   *
   * @param roomyBytes at least {@code argumentBytes}
   * @throws NoRoomYetException if no slot has it: page-locked memory is given and taken by calls
   *     that a driver may not answer before kernels end
   */
  Slot take(long argumentBytes, long roomyBytes) throws DeviceFailedException, NoRoomYetException {
    boolean isShort = shortFor > 0 && roomyBytes > argumentBytes;
    Slot slot = slots.take(isShort ? argumentBytes : roomyBytes);
    if (slot == null) {
      throw new NoRoomYetException(() -> makeRoom(argumentBytes, roomyBytes));
    }
    if (isShort) {
      shortFor--;
    }
    return slot;
  }

  private void makeRoom(long argumentBytes, long roomyBytes)
      throws DeviceFailedException, DeviceMemoryException {
    if (shortFor > 0 || roomyBytes == argumentBytes) {
      slots.makeRoom(argumentBytes);
      return;
    }
    try {
      slots.makeRoom(roomyBytes);
    } catch (DeviceMemoryException e) {
      slots.makeRoom(argumentBytes);
      shortFor = 1 + SHORT_LAUNCHES; // this one and others: it is memory that is short, not slots
    }
  }

  /** False where it is to be seen at which block an error comes. */
  boolean sharesLaunches() {
    return depth != PipelineDepth.DRAIN_AFTER_KICK;
  }

  /** Slots that blocks hold; 0 once all are closed. */
  int held() {
    return slots.held();
  }

  /** A timed block that was alone took so long besides its kernels and copies, in nanoseconds. */
  void learnAdded(long nanos) {
    // An owner without a core comes late, and says nothing of the device.
    long seen = Math.max(0, nanos);
    addedNanos = addedNanos == 0 ? seen : Math.min(seen, 2 * addedNanos);
  }

  /** What {@link #learnAdded} was told. */
  long addedNanos() {
    return addedNanos;
  }

  /** The last timed block said nothing: the next one is timed, too. */
  void timeNext() {
    untimed = -1;
  }

  /**
   * Whether the block that is queued next is to be timed: one in {@value #TIMED}, and rather one
   * that is alone, as that says more.
   */
  boolean timesNext() {
    return untimed < 0 || (untimed >= TIMED - 1 && rules.isEmpty()) || untimed >= LONGEST_UNTIMED;
  }

  /** How many blocks the one that is queued next stands for, if it is timed. */
  int weightOfNext() {
    return untimed + 1;
  }

  /**
   * Queues a block whose arguments are in its slot.
   *
   * @param timed whether events say what took how long
   * @throws JobRefusedException if a kernel cannot be launched. What the device has of the block by
   *     then runs to its end, and nobody gets the slot before that
   */
  void kick(Object block, BlockPlan plan, Slot slot, boolean timed)
      throws DeviceFailedException, DeviceMemoryException, JobRefusedException {
    slots.reserveBlock(slot, plan);
    List<Slot> before = timed ? slots.busy() : List.of();
    boolean kicked = false;
    try {
      rules.kicked(block);
      untimed = timed ? 0 : untimed + 1;
      queue.queue(slot, plan, timed, before);
      if (depth == PipelineDepth.DRAIN_AFTER_KICK) {
        slot.join();
      }
      kicked = true;
    } finally {
      if (!kicked) {
        rules.closed(block);
      }
    }
  }

  /** The kernels of each block that the device may be at work for. */
  List<Set<CUfunction>> underWay() {
    return slots.underWay();
  }

  /** How long the kernels of a timed block took that is done, in nanoseconds. */
  long computeNanos(Slot slot) throws DeviceFailedException {
    return queue.computeNanos(slot);
  }

  /** How long the kernels of a timed block waited for its copy in, in nanoseconds. */
  long copyInNanos(Slot slot) throws DeviceFailedException {
    return queue.copyInNanos(slot);
  }

  /** Gives a block's slot, whose results are published or not wanted, to later blocks. */
  void giveBack(Slot slot) {
    slots.giveBack(slot);
  }

  /**
   * A block takes very long. It may wait for a kernel that stays, as where streams share a queue;
   * and others may wait for what earlier blocks were lent, which nobody wants any more.
   */
  void helpALongBlock() throws DeviceFailedException {
    quiet.ensure();
    slots.isQuiet();
  }

  /** True if nothing is queued or running. */
  boolean isQuiet() throws DeviceFailedException {
    return slots.isQuiet();
  }

  /** Gives back what blocks were lent. Nothing runs on the device any more. */
  void returnLent() {
    slots.returnLent();
  }

  /** Gives back the slabs that blocks had. The context has ended. */
  void returnSlabs() {
    slots.returnSlabs();
  }

  /**
   * Gives everything else back. Of a device that works no more; it must be quiet or have failed.
   */
  void close() throws DeviceFailedException {
    try {
      slots.freeAll();
    } finally {
      slots.close();
      memory.close();
    }
  }
}
