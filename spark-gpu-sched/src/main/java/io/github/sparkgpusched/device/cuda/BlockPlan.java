package io.github.sparkgpusched.device.cuda;

import java.util.List;
import java.util.function.LongUnaryOperator;
import jcuda.driver.CUfunction;

/**
 * What is to be done for one block. Device memory of a block is its arguments, the last of which is
 * its status, and then its results. Results, and then the status, are copied back.
 *
 * @param argumentBytes bytes that are copied to the device, a multiple of 16
 * @param statusBytes bytes of status, those at the end of the arguments
 * @param resultBytes bytes of results, a multiple of 16
 * @param addresses completes staged arguments by what depends on where they will be
 * @param kernels in the order of the calls
 */
record BlockPlan(
    long argumentBytes,
    long statusBytes,
    long resultBytes,
    Addressing addresses,
    List<Kernel> kernels) {
  /** Given where the arguments are in host memory, and where they will be on the device. */
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
   * @param parameter given the address of the block in device memory, the address in host memory of
   *     the kernel's only parameter, a structure
   */
  record Kernel(
      CUfunction function, int gridBlocks, int blockThreads, LongUnaryOperator parameter) {}

  BlockPlan {
    kernels = List.copyOf(kernels);
  }

  long deviceBytes() {
    return argumentBytes + resultBytes;
  }

  long hostBytes() {
    return resultBytes + statusBytes;
  }
}
