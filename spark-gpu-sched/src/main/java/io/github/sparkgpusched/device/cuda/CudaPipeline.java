package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.List;
import java.util.Set;
import jcuda.driver.CUfunction;

/**
 * A device's streams, slots and depth, and the one place where blocks are queued: copy in, kernels,
 * copy out, drain ({@link BlockStages}). Owner's thread only.
 */
final class CudaPipeline {
  private final PipelineDepth depth;
  private final Streams streams;
  private final PinnedMemory pinned;
  private final DeviceMemory memory;
  private final StagingPool staging;
  private final SlotPool slots;
  private final BlockStages stages;
  private final PipelineRules rules;
  private final UnderWay underWay = new UnderWay();

  CudaPipeline(
      GpuFacts facts,
      PipelineDepth depth,
      long pinnedBytes,
      CudaModules modules,
      Stalls stalls,
      Quiet quiet)
      throws DeviceFailedException {
    this.depth = depth;
    streams = new Streams(facts.name(), stalls);
    pinned = new PinnedMemory(facts.name(), pinnedBytes, quiet);
    memory = new DeviceMemory(facts, streams, quiet);
    staging = new StagingPool(streams, pinned);
    slots = new SlotPool(depth.slots, streams, memory, pinned, staging);
    stages = new BlockStages(streams, modules, quiet);
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
      slots.releaseIdle();
      return staging.take(bytes);
    }
  }

  /** Slots and staging buffers that blocks hold; 0 once all are closed. */
  int held() {
    return slots.held() + staging.lent();
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
    if (rules.isEmpty() && !underWay.isEmpty() && slots.isQuiet()) {
      underWay.allDone(); // of blocks that nobody wanted any more
    }
    Slot slot = slots.take(plan);
    boolean queued = false;
    try {
      rules.kicked(block);
      stages.copyIn(slot, plan, arguments);
      underWay.launched(block, plan.functions());
      JobRefusedException refused = stages.compute(slot, plan);
      stages.copyOut(slot, plan);
      stages.drain(slot, plan);
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

  /** True if the oldest block's results have been copied back. */
  boolean isDone(Object block, Slot slot) throws DeviceFailedException {
    boolean done = slot.results.isReadyFor(Stage.HOST_PUBLISH);
    if (done) {
      underWay.done(block);
    }
    return done;
  }

  /** The kernels of each block that the device may be at work for. */
  List<Set<CUfunction>> underWay() {
    return underWay.functions();
  }

  /** How long the kernels of a block took that is done, in nanoseconds; counts its stalls too. */
  long computeNanos(Slot slot, BlockPlan plan) throws DeviceFailedException {
    return stages.computeNanos(slot, plan);
  }

  /** How long the copies of a block took that is done, both ways, in nanoseconds. */
  long transferNanos(Slot slot) throws DeviceFailedException {
    return stages.transferNanos(slot);
  }

  /** Gives a block's slot, whose results are published or not wanted, to later blocks. */
  void giveBack(Slot slot) {
    slots.giveBack(slot);
  }

  /** True if nothing is queued or running. */
  boolean isQuiet() throws DeviceFailedException {
    return slots.isQuiet();
  }

  /** Gives everything back. Of a device that works no more; it must be quiet or have failed. */
  void close() throws DeviceFailedException {
    try {
      slots.freeAll();
      staging.close();
    } finally {
      slots.close();
      memory.close();
      streams.close();
    }
  }
}
