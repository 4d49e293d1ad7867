package io.github.sparkgpusched.device.cuda;

import java.util.List;
import java.util.function.LongUnaryOperator;
import jcuda.driver.CUfunction;

/**
 * What is to be done for one launch. Its device memory is what the device copies from slabs, block
 * by block; the queues of its kernels, which begin as zeros; its staged arguments, the last of
 * which is its status; the table of what its kernels' blocks of threads count; its results. Status,
 * table and results are copied back, in one piece.
 *
 * @param copies what the device copies from slabs by itself, of each block, in their order
 * @param argumentBytes bytes that are staged, a multiple of 16
 * @param statusBytes bytes of status, those at the end of the staged arguments
 * @param resultBytes bytes of results, a multiple of 16
 * @param queueBytes bytes of queues, a multiple of 16; 0 if the kernels have none
 * @param tableBytes bytes of the table, a multiple of 16
 * @param addresses completes staged arguments by what depends on where they will be
 * @param kernels in the order of the calls; none for a block that is only measured: a memset is
 *     queued in the place of its kernel
 */
record BlockPlan(
    List<SlabCopies> copies,
    long argumentBytes,
    long statusBytes,
    long resultBytes,
    long queueBytes,
    long tableBytes,
    Addressing addresses,
    List<Kernel> kernels) {
  /**
   * Given where staged arguments are in host memory, and where the launch will be on the device.
   */
  @FunctionalInterface
  interface Addressing {
    void fill(long staging, long device);
  }

  /**
   * One launch.
   *
   * @param function the kernel
   * @param gridBlocks blocks of threads
   * @param blockThreads threads a block
   * @param parameter given the address of the launch in device memory, the address in host memory
   *     of the kernel's only parameter, a structure
   */
  record Kernel(
      CUfunction function, int gridBlocks, int blockThreads, LongUnaryOperator parameter) {}

  BlockPlan {
    copies = List.copyOf(copies);
    kernels = List.copyOf(kernels);
  }

  long deviceBytes() {
    return resultsAt() + resultBytes;
  }

  /** Where queues begin in device memory. */
  long queuesAt() {
    return copies.isEmpty() ? 0 : copies.get(copies.size() - 1).end();
  }

  /** Where staged arguments begin there. */
  long argumentsAt() {
    return queuesAt() + queueBytes;
  }

  /** Where the table begins there. */
  long tableAt() {
    return argumentsAt() + argumentBytes;
  }

  /** Where results begin there. */
  long resultsAt() {
    return tableAt() + tableBytes;
  }

  /** Bytes that are copied to the device. */
  long copiedBytes() {
    return copies.stream().mapToLong(SlabCopies::copiedBytes).sum() + argumentBytes;
  }

  /** Where what is copied back begins in device memory: its status. */
  long statusAt() {
    return tableAt() - statusBytes;
  }

  /** Where the table begins in host memory, to which status, table and results are copied. */
  long tableAtHost() {
    return statusBytes;
  }

  /** Where results begin there. */
  long resultsAtHost() {
    return statusBytes + tableBytes;
  }

  long hostBytes() {
    return resultsAtHost() + resultBytes;
  }
}
