package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.JCudaDriver;

/**
 * A device's streams, slots and depth, and the one place where blocks are queued: copy in, kernels,
 * copy out, drain. Which stage waits for which is in {@link Edge}. Owner's thread only.
 */
final class CudaPipeline {
  /** Slots for each block in flight: blocks that nobody wants any more keep theirs for a while. */
  private static final int SLOTS_PER_BLOCK = 2;

  /**
   * For checks of kernels: results are filled with a pattern before each block, so that none of an
   * earlier block can pass for one that a kernel has left out.
   */
  private static final boolean POISON = "1".equals(System.getenv("GPUSCHED_CUDA_POISON"));

  private static final byte PATTERN = (byte) 0xA5;

  private final PipelineDepth depth;
  private final Streams streams;
  private final PinnedMemory pinned;
  private final DeviceMemory memory;
  private final StagingPool staging;
  private final PipelineRules rules;
  private final List<Slot> slots = new ArrayList<>();
  private final ArrayDeque<Slot> free = new ArrayDeque<>();

  /** Functions that were launched: the first launch of one may make room for its stack. */
  private final Set<CUfunction> launched = new HashSet<>();

  private final CudaModules modules;
  private final Quiet quiet;

  CudaPipeline(
      GpuFacts facts,
      PipelineDepth depth,
      long pinnedBytes,
      CudaModules modules,
      Stalls stalls,
      Quiet quiet)
      throws DeviceFailedException {
    this.modules = modules;
    this.quiet = quiet;
    this.depth = depth;
    streams = new Streams(facts.name(), stalls);
    pinned = new PinnedMemory(facts.name(), pinnedBytes, quiet);
    memory = new DeviceMemory(facts, streams, quiet);
    staging = new StagingPool(streams, pinned);
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

  Streams streams() {
    return streams;
  }

  StagingPool staging() {
    return staging;
  }

  /** A buffer for a block's arguments; given back to {@link #staging}. */
  OrderedBuffer takeStaging(long bytes) throws DeviceFailedException, DeviceMemoryException {
    try {
      return staging.take(bytes);
    } catch (DeviceMemoryException e) {
      releaseIdleSlots();
      return staging.take(bytes);
    }
  }

  /** Device memory in use, in bytes. */
  long deviceBytes() {
    return memory.heldBytes();
  }

  /** Slots and staging buffers that blocks hold; 0 once all are closed. */
  int held() {
    return slots.size() - free.size() + staging.lent();
  }

  /**
   * Queues a block whose arguments are staged.
   *
   * @return its slot; given back by {@link #giveBack}
   * @throws JobRefusedException if a kernel cannot be launched. What the device has of the block by
   *     then runs to its end, and those that use the slot next wait for that
   */
  Slot kick(Object block, BlockPlan plan, OrderedBuffer arguments)
      throws DeviceFailedException, DeviceMemoryException, JobRefusedException {
    Slot slot = takeSlot(plan);
    boolean queued = false;
    try {
      rules.kicked(block);
      copyIn(slot, plan, arguments);
      JobRefusedException refused = compute(slot, plan);
      copyOut(slot, plan);
      drain(slot, plan);
      if (refused != null) {
        throw refused;
      }
      if (depth == PipelineDepth.DRAIN_AFTER_KICK) {
        slot.results.join(Stage.HOST_PUBLISH);
      }
      queued = true;
      return slot;
    } finally {
      if (!queued) {
        rules.closed(block);
        giveBack(slot);
      }
    }
  }

  private void copyIn(Slot slot, BlockPlan plan, OrderedBuffer arguments)
      throws DeviceFailedException {
    long from = arguments.acquire(Stage.HOST_TO_DEVICE);
    long to = slot.block.acquire(Stage.HOST_TO_DEVICE);
    plan.addresses().fill(from, to);
    streams.record(slot.begins.get(Stage.HOST_TO_DEVICE), Stage.HOST_TO_DEVICE);
    streams.check(
        JCudaDriver.cuMemcpyHtoDAsync(
            Addresses.device(to),
            Addresses.host(from),
            plan.argumentBytes(),
            streams.of(Stage.HOST_TO_DEVICE)),
        "cuMemcpyHtoDAsync");
    streams.record(slot.ends.get(Stage.HOST_TO_DEVICE), Stage.HOST_TO_DEVICE);
    if (plan.queueBytes() > 0) {
      fill(to + plan.queuesAt(), (byte) 0, plan.queueBytes(), Stage.HOST_TO_DEVICE);
    }
    if (POISON) {
      fill(
          to + plan.argumentBytes(),
          PATTERN,
          plan.tableBytes() + plan.resultBytes(),
          Stage.HOST_TO_DEVICE);
    }
    slot.block.release(Stage.HOST_TO_DEVICE);
    arguments.release(Stage.HOST_TO_DEVICE);
  }

  private void fill(long address, byte value, long bytes, Stage stage)
      throws DeviceFailedException {
    streams.check(
        JCudaDriver.cuMemsetD8Async(Addresses.device(address), value, bytes, streams.of(stage)),
        "cuMemsetD8Async");
  }

  /** Null, or why a kernel was not launched; those behind it are not, either. */
  private JobRefusedException compute(Slot slot, BlockPlan plan) throws DeviceFailedException {
    Map<Stage, List<BlockPlan.Kernel>> stages = new EnumMap<>(Stage.class);
    for (BlockPlan.Kernel kernel : plan.kernels()) {
      Stage stage = stages.isEmpty() ? Stage.COMPUTE : Stage.SECOND_COMPUTE;
      stages.computeIfAbsent(stage, s -> new ArrayList<>()).add(kernel);
    }
    if (stages.isEmpty()) {
      stages.put(Stage.COMPUTE, List.of());
    }
    for (Map.Entry<Stage, List<BlockPlan.Kernel>> kernels : stages.entrySet()) {
      Stage stage = kernels.getKey();
      long address = slot.block.acquire(stage);
      streams.record(slot.begins.get(stage), stage);
      JobRefusedException refused = null;
      try {
        if (kernels.getValue().isEmpty()) {
          fill(address, (byte) 0, 1, stage); // of a block that is only measured
        }
        for (BlockPlan.Kernel kernel : kernels.getValue()) {
          launch(kernel, kernel.parameter().applyAsLong(address), stage);
        }
      } catch (JobRefusedException e) {
        refused = e;
      }
      streams.record(slot.ends.get(stage), stage);
      slot.block.release(stage);
      if (refused != null) {
        return refused;
      }
    }
    return null;
  }

  private void launch(BlockPlan.Kernel kernel, long parameter, Stage stage)
      throws DeviceFailedException, JobRefusedException {
    if (launched.add(kernel.function())) {
      quiet.ensure();
    }
    // The driver copies the structure before it returns.
    modules.check(
        JCudaDriver.cuLaunchKernel(
            kernel.function(),
            kernel.gridBlocks(),
            1,
            1,
            kernel.blockThreads(),
            1,
            1,
            0,
            streams.of(stage),
            Pointer.to(Addresses.host(parameter)),
            null),
        kernel.function(),
        "cuLaunchKernel");
  }

  private void copyOut(Slot slot, BlockPlan plan) throws DeviceFailedException {
    long from = slot.block.acquire(Stage.DEVICE_TO_HOST) + plan.resultsAt();
    long to = slot.results.acquire(Stage.DEVICE_TO_HOST);
    streams.record(slot.begins.get(Stage.DEVICE_TO_HOST), Stage.DEVICE_TO_HOST);
    copyBack(from, to, plan.resultBytes(), Stage.DEVICE_TO_HOST);
    streams.record(slot.ends.get(Stage.DEVICE_TO_HOST), Stage.DEVICE_TO_HOST);
    slot.results.release(Stage.DEVICE_TO_HOST);
  }

  private void drain(Slot slot, BlockPlan plan) throws DeviceFailedException {
    long to = slot.results.acquire(Stage.DRAIN) + plan.resultBytes();
    long from = slot.block.acquire(Stage.DRAIN) + plan.argumentBytes() - plan.statusBytes();
    copyBack(from, to, plan.statusBytes() + plan.tableBytes(), Stage.DRAIN);
    slot.block.release(Stage.DRAIN);
    slot.results.release(Stage.DRAIN);
  }

  private void copyBack(long from, long to, long bytes, Stage stage) throws DeviceFailedException {
    streams.check(
        JCudaDriver.cuMemcpyDtoHAsync(
            Addresses.host(to), Addresses.device(from), bytes, streams.of(stage)),
        "cuMemcpyDtoHAsync");
  }

  /** How long the kernels of a block took that is done, in nanoseconds; counts its stalls too. */
  long computeNanos(Slot slot, BlockPlan plan) throws DeviceFailedException {
    long nanos = elapsed(slot, Stage.COMPUTE);
    if (plan.kernels().size() > 1) {
      nanos = Math.max(nanos, elapsed(slot, Stage.SECOND_COMPUTE));
    }
    slot.block.countStalls();
    slot.results.countStalls();
    return nanos;
  }

  /** How long the copies of a block took that is done, both ways, in nanoseconds. */
  long transferNanos(Slot slot) throws DeviceFailedException {
    return elapsed(slot, Stage.HOST_TO_DEVICE) + elapsed(slot, Stage.DEVICE_TO_HOST);
  }

  private long elapsed(Slot slot, Stage stage) throws DeviceFailedException {
    return streams.nanosBetween(slot.begins.get(stage), slot.ends.get(stage));
  }

  private Slot takeSlot(BlockPlan plan) throws DeviceFailedException, DeviceMemoryException {
    long deviceBytes = plan.deviceBytes();
    long hostBytes = plan.hostBytes();
    for (Slot slot : free) {
      if (slot.fits(deviceBytes, hostBytes)) {
        free.remove(slot);
        return slot;
      }
    }
    Slot slot = quietSlot();
    if (slot == null && slots.size() == SLOTS_PER_BLOCK * depth.slots) {
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

  private void reserve(Slot slot, long deviceBytes, long hostBytes)
      throws DeviceFailedException, DeviceMemoryException {
    try {
      slot.reserve(deviceBytes, hostBytes);
    } catch (DeviceMemoryException e) {
      // What other slots and staging hold for later blocks may be enough for this one.
      releaseIdleSlots();
      staging.releaseIdle();
      slot.reserve(deviceBytes, hostBytes);
    }
  }

  private void releaseIdleSlots() throws DeviceFailedException {
    for (Slot slot : free) {
      if (slot.isQuiet()) {
        slot.free();
      }
    }
  }

  private Slot quietSlot() throws DeviceFailedException {
    for (Slot slot : free) {
      if (slot.isQuiet()) {
        free.remove(slot);
        return slot;
      }
    }
    return null;
  }

  /**
   * Gives a block's slot, whose results are published or not wanted, to later blocks. The device
   * may still be at work in it: it is used again behind that.
   */
  void giveBack(Slot slot) {
    slot.results.releaseOnHost(Stage.HOST_PUBLISH);
    free.add(slot);
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

  /** Gives everything back. Of a device that works no more; it must be quiet or have failed. */
  void close() throws DeviceFailedException {
    try {
      for (Slot slot : slots) {
        slot.free();
      }
      staging.close();
    } finally {
      slots.forEach(Slot::close);
      memory.close();
      streams.close();
    }
  }
}
