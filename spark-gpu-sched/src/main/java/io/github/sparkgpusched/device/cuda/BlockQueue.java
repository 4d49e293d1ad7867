package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.JCudaDriver;

/**
 * Queues a block in its slot's stream: copies in, from slabs and of what is staged, kernels, and
 * one copy back. Zeros for its queues come with what is staged, unless they are many. Four calls
 * for a block of one call with one copy from slabs, and one that asks whether the stream has done
 * them; a block that is timed needs three more, and two for each that is before it: its kernels
 * begin when those have ended, or what it takes would be their time, too. Owner's thread only.
 */
final class BlockQueue {
  /**
   * For checks of kernels: results are filled with a pattern before each block, so that none of an
   * earlier block can pass for one that a kernel has left out.
   */
  private static final boolean POISON = "1".equals(System.getenv("GPUSCHED_CUDA_POISON"));

  private static final byte PATTERN = (byte) 0xA5;

  /** Functions that were launched: the first launch of one may make room for its stack. */
  private final Set<CUfunction> launched = new HashSet<>();

  private final Calls calls;
  private final CudaModules modules;
  private final Quiet quiet;

  BlockQueue(Calls calls, CudaModules modules, Quiet quiet) {
    this.calls = calls;
    this.modules = modules;
    this.quiet = quiet;
  }

  /**
   * Queues a block whose arguments are filled.
   *
   * @param timed whether events say what took how long
   * @param before slots whose blocks the device may be at work for
   * @throws JobRefusedException if a kernel cannot be launched: those behind it are not, either
   */
  void queue(Slot slot, BlockPlan plan, boolean timed, List<Slot> before)
      throws DeviceFailedException, JobRefusedException {
    slot.queue();
    copyIn(slot, plan, timed);
    if (timed) {
      for (Slot earlier : before) {
        calls.record(earlier.end, earlier.stream);
        calls.await(slot.stream, earlier.end);
      }
      calls.record(slot.beforeKernels, slot.stream);
    }
    for (BlockPlan.Kernel kernel : plan.kernels()) {
      launch(slot, kernel);
    }
    if (plan.kernels().isEmpty()) {
      fill(slot, slot.block(), (byte) 0, 1); // of a block that is only measured
    }
    if (timed) {
      calls.record(slot.afterKernels, slot.stream);
    }
    calls.check(
        JCudaDriver.cuMemcpyDtoHAsync(
            Addresses.host(slot.resultsToFill()),
            Addresses.device(slot.block() + plan.statusAt()),
            plan.hostBytes(),
            slot.stream),
        "cuMemcpyDtoHAsync");
  }

  /** Copies the arguments to the device; queues begin as zeros. */
  private void copyIn(Slot slot, BlockPlan plan, boolean timed) throws DeviceFailedException {
    long block = slot.block();
    plan.addresses().fill(slot.arguments(), block);
    plan.copies().forEach(copies -> slot.requireHeld(copies.slabs()));
    if (timed) {
      calls.record(slot.begin, slot.stream);
    }
    for (SlabCopies copies : plan.copies()) {
      for (SlabCopies.Copy copy : copies.copies()) {
        copyIn(slot, block + copy.at(), copy.host(), copy.bytes());
      }
    }
    long zeros = plan.queueBytes() <= Slot.ZERO_BYTES ? plan.queueBytes() : 0;
    copyIn(
        slot,
        block + plan.argumentsAt() - zeros,
        slot.arguments() - zeros,
        plan.argumentBytes() + zeros);
    if (plan.queueBytes() > zeros) {
      fill(slot, block + plan.queuesAt(), (byte) 0, plan.queueBytes());
    }
    if (POISON) {
      fill(slot, block + plan.tableAt(), PATTERN, plan.tableBytes() + plan.resultBytes());
    }
  }

  private void copyIn(Slot slot, long to, long from, long bytes) throws DeviceFailedException {
    calls.check(
        JCudaDriver.cuMemcpyHtoDAsync(
            Addresses.device(to), Addresses.host(from), bytes, slot.stream),
        "cuMemcpyHtoDAsync");
  }

  private void fill(Slot slot, long address, byte value, long bytes) throws DeviceFailedException {
    calls.check(
        JCudaDriver.cuMemsetD8Async(Addresses.device(address), value, bytes, slot.stream),
        "cuMemsetD8Async");
  }

  private void launch(Slot slot, BlockPlan.Kernel kernel)
      throws DeviceFailedException, JobRefusedException {
    if (!launched.contains(kernel.function())) {
      slot.markCold();
      quiet.ensure();
    }
    slot.launches(kernel.function());
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
            slot.stream,
            Pointer.to(Addresses.host(kernel.parameter().applyAsLong(slot.block()))),
            null),
        kernel.function(),
        "cuLaunchKernel");
    launched.add(kernel.function()); // one that found no memory may look for it again
  }

  /** How long the kernels of a timed block took that is done, in nanoseconds. */
  long computeNanos(Slot slot) throws DeviceFailedException {
    return calls.nanosBetween(slot.beforeKernels, slot.afterKernels);
  }

  /** How long the kernels of a timed block waited for its copy in, in nanoseconds. */
  long copyInNanos(Slot slot) throws DeviceFailedException {
    return calls.nanosBetween(slot.begin, slot.beforeKernels);
  }
}
