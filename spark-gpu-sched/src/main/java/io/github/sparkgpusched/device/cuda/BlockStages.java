package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
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
 * Queues the stages of a block on a device's streams, each behind what {@link Edge} says it waits
 * for, and says how long they took. Owner's thread only.
 */
final class BlockStages {
  /**
   * For checks of kernels: results are filled with a pattern before each block, so that none of an
   * earlier block can pass for one that a kernel has left out.
   */
  private static final boolean POISON = "1".equals(System.getenv("GPUSCHED_CUDA_POISON"));

  private static final byte PATTERN = (byte) 0xA5;

  private final Streams streams;

  /** Functions that were launched: the first launch of one may make room for its stack. */
  private final Set<CUfunction> launched = new HashSet<>();

  private final CudaModules modules;
  private final Quiet quiet;

  BlockStages(Streams streams, CudaModules modules, Quiet quiet) {
    this.streams = streams;
    this.modules = modules;
    this.quiet = quiet;
  }

  /** Copies the arguments to the device; queues begin as zeros. */
  void copyIn(Slot slot, BlockPlan plan, OrderedBuffer arguments) throws DeviceFailedException {
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
  JobRefusedException compute(Slot slot, BlockPlan plan) throws DeviceFailedException {
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

  /** Copies the results back. */
  void copyOut(Slot slot, BlockPlan plan) throws DeviceFailedException {
    long from = slot.block.acquire(Stage.DEVICE_TO_HOST) + plan.resultsAt();
    long to = slot.results.acquire(Stage.DEVICE_TO_HOST);
    streams.record(slot.begins.get(Stage.DEVICE_TO_HOST), Stage.DEVICE_TO_HOST);
    copyBack(from, to, plan.resultBytes(), Stage.DEVICE_TO_HOST);
    streams.record(slot.ends.get(Stage.DEVICE_TO_HOST), Stage.DEVICE_TO_HOST);
    slot.results.release(Stage.DEVICE_TO_HOST);
  }

  /** Copies back what the kernels say of themselves: status and counts. */
  void drain(Slot slot, BlockPlan plan) throws DeviceFailedException {
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
}
