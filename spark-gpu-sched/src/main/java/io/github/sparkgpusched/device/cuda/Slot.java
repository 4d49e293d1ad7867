package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.columnar.Slab;
import io.github.sparkgpusched.columnar.SlabPool;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.apache.spark.unsafe.Platform;

/**
 * A place for one launch on a device: a stream, in which all that the device does for the block
 * follows in the order of the calls; memory there; and page-locked memory for what is staged and
 * what is copied back. Kept from block to block. Owner's thread only.
 *
 * <p>What a stream's order does not keep is a rule, checked at each step: the host writes no
 * arguments while a block is on its way, reads no results before it is done, and gives slabs back
 * that the device reads only once it does not any more.
 */
final class Slot {
  /** Zeros in front of the staged arguments: queues of the blocks of threads of some 150 SMs. */
  static final int ZERO_BYTES = 40 << 10;

  /** Steps, each from the one before, but for giving back, which is from any. */
  private enum State {
    /** Of no block; the device may still be at work for the one that had it. */
    FREE,
    /** Of a block whose arguments the host may write. */
    HELD,
    /** On its way: the device reads arguments and writes results. */
    QUEUED,
    /** The stream has nothing left: the host may read results. */
    DONE
  }

  final CUstream stream;

  /** Of a block that is timed: at its begin, and before and after its kernels. */
  final CUevent begin;

  final CUevent beforeKernels;
  final CUevent afterKernels;

  /** Of a block that a timed one is behind: after all that was queued. */
  final CUevent end;

  private final Calls calls;
  private final DeviceMemory deviceMemory;
  private final PinnedMemory pinnedMemory;
  private final SlabPool slabs;

  /** What the device copies from, or may: held since the block was staged. */
  private final Set<Slab> lent = new HashSet<>();

  private State state = State.FREE;

  /** True from the time that a block is queued until the owner has seen that it is done. */
  private boolean busy;

  /** True if a call into the driver made room for the block, or loaded a kernel of it. */
  private boolean cold;

  /** Kernels of the block that was queued last, as far as they were launched. */
  private final Set<CUfunction> functions = new HashSet<>();

  private long block;
  private long blockBytes;
  private long arguments;
  private long argumentBytes;

  /** Where the block's results come to: in a slab, or in the slot's own page-locked memory. */
  private long results;

  /** What the results are in; null if that is the slot's own memory. */
  private Slab resultSlab;

  private long ownResults;
  private long ownResultBytes;

  Slot(Calls calls, DeviceMemory deviceMemory, PinnedMemory pinnedMemory, SlabPool slabs)
      throws DeviceFailedException, DeviceMemoryException {
    this.calls = calls;
    this.slabs = slabs;
    this.deviceMemory = deviceMemory;
    this.pinnedMemory = pinnedMemory;
    stream = calls.newStream();
    List<CUevent> events = new ArrayList<>();
    try {
      while (events.size() < 4) {
        events.add(calls.newEvent());
      }
    } catch (DeviceFailedException | DeviceMemoryException e) {
      events.forEach(JCudaDriver::cuEventDestroy);
      JCudaDriver.cuStreamDestroy(stream);
      throw e;
    }
    begin = events.get(0);
    beforeKernels = events.get(1);
    afterKernels = events.get(2);
    end = events.get(3);
  }

  private void step(State from, State to, String rule) {
    if (state != from) {
      throw PipelineRules.broken(rule + ": a slot is " + state + " and not " + from);
    }
    state = to;
  }

  /** A quiet slot is a block's from now on. */
  void hold() throws DeviceFailedException {
    if (!isQuiet()) {
      throw PipelineRules.broken("ARGUMENTS_COPIED: the device is at work in a slot that is taken");
    }
    step(State.FREE, State.HELD, "ARGUMENTS_COPIED");
    cold = false;
  }

  /** Whether the block took time that the next one like it does not take. */
  boolean isCold() {
    return cold;
  }

  void markCold() {
    cold = true;
  }

  /** Where the host writes arguments. */
  long argumentsToFill() {
    step(State.HELD, State.HELD, "ARGUMENTS_COPIED");
    return arguments;
  }

  /** The device will copy from slabs that were lent to it, and gives them back then. */
  void lend(Collection<Slab> from) {
    step(State.HELD, State.HELD, "LENT");
    for (Slab slab : from) {
      if (!lent.add(slab)) {
        slab.giveBackFrom(slabs); // of two blocks of one launch: it is held once
      }
    }
  }

  /** What the device is to copy from is held until it has. */
  void requireHeld(Collection<Slab> from) {
    if (!lent.containsAll(from)) {
      throw PipelineRules.broken("LENT: the device is to copy from a slab that was not lent");
    }
  }

  /** The device copies from nothing of it any more. */
  void returnLent() {
    lent.forEach(slab -> slab.giveBackFrom(slabs));
    lent.clear();
  }

  /** From now on all is queued that the device does for the block. */
  void queue() {
    step(State.HELD, State.QUEUED, "FILLED");
    busy = true;
    functions.clear();
  }

  /** The next call launches a kernel: those before it found the context in order. */
  void launches(CUfunction kernel) {
    functions.add(kernel);
  }

  /** Kernels that the device may be at work for in this slot, as far as was seen. */
  Set<CUfunction> underWay() {
    return busy ? Set.copyOf(functions) : Set.of();
  }

  /** Whether the device may be at work in it, as far as was seen. */
  boolean isBusy() {
    return busy;
  }

  /** True if the block is done. */
  boolean isDone() throws DeviceFailedException {
    if (state == State.QUEUED && isQuiet()) {
      state = State.DONE;
    }
    return state == State.DONE;
  }

  /** Blocks the calling thread until the device has done what is queued. */
  void join() throws DeviceFailedException {
    calls.join(stream);
  }

  /** The block on the device, for what is queued in the stream. */
  long block() {
    step(State.QUEUED, State.QUEUED, "QUEUED");
    return block;
  }

  /** Arguments on the host, for the same. */
  long arguments() {
    step(State.QUEUED, State.QUEUED, "QUEUED");
    return arguments;
  }

  /** Results on the host, for the same. */
  long resultsToFill() {
    step(State.QUEUED, State.QUEUED, "QUEUED");
    return results;
  }

  /** Results on the host, for the host to read. */
  long results() {
    step(State.DONE, State.DONE, "DRAINED");
    return results;
  }

  /** Whether results are in a slab. */
  boolean canGiveResults() {
    return resultSlab != null;
  }

  /** Gives the slab away that results are in: the next block gets another. */
  Slab takeResults() {
    step(State.DONE, State.DONE, "DRAINED");
    Slab taken = resultSlab;
    resultSlab = null;
    return taken;
  }

  /** The block needs it no more; the device may still be at work. */
  void giveBack() {
    state = State.FREE;
    if (!busy) {
      returnLent();
    }
  }

  /**
   * True if the device does nothing in this slot any more. What it has done is there though it
   * fails afterwards, so a slot that was seen to be quiet is not asked again.
   */
  boolean isQuiet() throws DeviceFailedException {
    if (busy && calls.isDone(stream)) {
      busy = false;
      returnLent();
    }
    return !busy;
  }

  boolean hasArgumentBytes(long bytes) {
    return argumentBytes >= bytes;
  }

  /** What arguments find room in. */
  long argumentBytes() {
    return argumentBytes;
  }

  /** Makes room for arguments, in a quiet slot. */
  void reserveArguments(long bytes) throws DeviceFailedException, DeviceMemoryException {
    if (argumentBytes < bytes) {
      long size = PinnedMemory.roundUp(ZERO_BYTES + bytes);
      pinnedMemory.requireRoom(size, pinnedArgumentBytes()); // before what is there is freed
      freeArguments();
      long memory = pinnedMemory.allocate(size);
      Platform.setMemory(null, memory, ZERO_BYTES, (byte) 0);
      arguments = memory + ZERO_BYTES;
      argumentBytes = size - ZERO_BYTES;
    }
  }

  /** Makes room for a block, before it is queued. */
  void reserveBlock(long newBlockBytes, long newResultBytes)
      throws DeviceFailedException, DeviceMemoryException {
    if (blockBytes < newBlockBytes) {
      cold = true;
      freeBlock();
      long size = PinnedMemory.roundUp(newBlockBytes);
      block = deviceMemory.allocate(size, stream);
      blockBytes = size;
    }
    reserveResults(newResultBytes);
  }

  /** In a slab if there is one now: the batch can have that, as it is. */
  private void reserveResults(long bytes) throws DeviceFailedException, DeviceMemoryException {
    // A slab that is given away is not to be much larger than what is in it.
    if (resultSlab != null && (resultSlab.bytes() < bytes || resultSlab.bytes() > 2 * bytes)) {
      returnResultSlab();
    }
    if (resultSlab == null) {
      resultSlab = slabs.take(bytes);
    }
    if (resultSlab == null && ownResultBytes < bytes) {
      cold = true;
      long size = PinnedMemory.roundUp(bytes);
      pinnedMemory.requireRoom(size, ownResultBytes); // before what is there is freed
      freeOwnResults();
      ownResults = pinnedMemory.allocate(size);
      ownResultBytes = size;
    }
    results = resultSlab == null ? ownResults : resultSlab.address();
  }

  /** Page-locked memory that {@link #free} would free. */
  long pinnedBytes() {
    return ownResultBytes + pinnedArgumentBytes();
  }

  private long pinnedArgumentBytes() {
    return argumentBytes > 0 ? ZERO_BYTES + argumentBytes : 0;
  }

  /** Frees the memory of a quiet slot. */
  void free() throws DeviceFailedException {
    freeBlock();
    if (!busy) {
      returnResultSlab();
    }
    freeOwnResults();
    freeArguments();
  }

  private void freeBlock() throws DeviceFailedException {
    if (blockBytes > 0) {
      blockBytes = 0;
      deviceMemory.free(block, stream);
    }
  }

  private void returnResultSlab() {
    if (resultSlab != null) {
      resultSlab.giveBack();
      resultSlab = null;
    }
  }

  private void freeOwnResults() throws DeviceFailedException {
    if (ownResultBytes > 0) {
      long bytes = ownResultBytes;
      ownResultBytes = 0;
      pinnedMemory.free(ownResults, bytes);
    }
  }

  private void freeArguments() throws DeviceFailedException {
    if (argumentBytes > 0) {
      long bytes = argumentBytes;
      argumentBytes = 0;
      pinnedMemory.free(arguments - ZERO_BYTES, ZERO_BYTES + bytes);
    }
  }

  /** The context has ended, whatever was queued. */
  void returnSlabs() {
    returnLent();
    returnResultSlab();
  }

  /** Destroys stream and events. */
  void close() {
    JCudaDriver.cuEventDestroy(begin);
    JCudaDriver.cuEventDestroy(beforeKernels);
    JCudaDriver.cuEventDestroy(afterKernels);
    JCudaDriver.cuEventDestroy(end);
    JCudaDriver.cuStreamDestroy(stream);
  }
}
