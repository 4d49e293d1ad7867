package io.github.sparkgpusched.device.cuda;

import com.sun.jna.NativeLibrary;

/** What tests ask of the double of the driver while a process runs, and tell it: faults. */
final class DoubleFaults {
  /**
   * What the double has counted.
   *
   * @param allocations of device memory
   * @param loads of modules
   * @param launches of kernels
   * @param heldBytes of device and page-locked memory, now
   * @param hangsSinceNanos when the last kernel since the call before began that does not end, as
   *     by {@link System#nanoTime} on Linux
   */
  record Counted(
      long allocations, long loads, long launches, long heldBytes, long hangsSinceNanos) {}

  private DoubleFaults() {}

  /** How many streams were at work at once, at most, since the process began. */
  static int mostStreamsAtWork() {
    return NativeLibrary.getInstance("libcuda.so.1")
        .getFunction("cudaDoubleMostAtWork")
        .invokeInt(new Object[0]);
  }

  /** How many kernels a device was given since the faults were set. */
  static long kernels(int device) {
    return NativeLibrary.getInstance("libcuda.so.1")
        .getFunction("cudaDoubleKernels")
        .invokeLong(new Object[] {device});
  }

  /**
   * Sets the faults, as in {@code CUDA_DOUBLE_FAULT}, in place of all others, and counts from now
   * on. The driver has been used before.
   *
   * @return what was counted since the last call
   */
  static Counted set(String faults) {
    long[] counted = new long[5];
    NativeLibrary.getInstance("libcuda.so.1")
        .getFunction("cudaDoubleFaults")
        .invokeVoid(new Object[] {faults, counted});
    return new Counted(counted[0], counted[1], counted[2], counted[3], counted[4]);
  }
}
