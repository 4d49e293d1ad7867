package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import java.util.Set;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * What the driver's error codes mean for the scheduler. A call may also return the error of a
 * kernel that was launched before, so it is the code that decides, not the function that gave it.
 */
final class CudaErrors {
  static final int OUT_OF_MEMORY = 2;
  static final int NOT_READY = 600;

  /**
   * Errors of one kernel, which leave the context as it was (by the driver API's list of CUresult):
   * the image or its launch is refused, and all else goes on.
   */
  private static final Set<Integer> OF_ONE_KERNEL =
      Set.of(
          1, // INVALID_VALUE
          OUT_OF_MEMORY,
          200, // INVALID_IMAGE
          209, // NO_BINARY_FOR_GPU
          218, // INVALID_PTX
          221, // JIT_COMPILER_NOT_FOUND
          222, // UNSUPPORTED_PTX_VERSION
          223, // JIT_COMPILATION_DISABLED
          224, // UNSUPPORTED_EXEC_AFFINITY
          225, // UNSUPPORTED_DEVSIDE_SYNC
          300, // INVALID_SOURCE
          301, // FILE_NOT_FOUND
          302, // SHARED_OBJECT_SYMBOL_NOT_FOUND
          303, // SHARED_OBJECT_INIT_FAILED
          500, // NOT_FOUND
          701, // LAUNCH_OUT_OF_RESOURCES
          720, // COOPERATIVE_LAUNCH_TOO_LARGE
          801, // NOT_SUPPORTED
          912); // INVALID_CLUSTER_SIZE

  /**
   * Errors of a kernel that runs, by what its function did. All end the context. (Others that do,
   * such as 214 of a memory cell, or 999, say nothing of a function.)
   */
  private static final Set<Integer> OF_A_FUNCTION =
      Set.of(
          700, // ILLEGAL_ADDRESS
          702, // LAUNCH_TIMEOUT
          710, // ASSERT
          714, // HARDWARE_STACK_ERROR
          715, // ILLEGAL_INSTRUCTION
          716, // MISALIGNED_ADDRESS
          717, // INVALID_ADDRESS_SPACE
          718, // INVALID_PC
          719); // LAUNCH_FAILED

  private CudaErrors() {}

  /** A code as the driver's documentation has it, such as CUDA_ERROR_OUT_OF_MEMORY (2). */
  static String name(int code) {
    return CUresult.stringFor(code) + " (" + code + ")";
  }

  /**
   * True if a call that loads or launches a kernel gave an error of that kernel alone: the device
   * can be used on.
   */
  static boolean isOfOneKernel(int code) {
    return OF_ONE_KERNEL.contains(code);
  }

  /** True if what a kernel's function did has ended the context: it would do so again. */
  static boolean isOfAFunction(int code) {
    return OF_A_FUNCTION.contains(code);
  }

  /**
   * Does nothing if a call succeeded. Any error makes the device's context unusable: most are
   * sticky (the driver answers all later calls with them), and of the others none is expected.
   *
   * @param code what the driver's function returned
   * @param device which device, for the message
   * @param function the driver's function
   */
  static void check(int code, String device, String function) throws DeviceFailedException {
    if (code != 0) {
      throw new DeviceFailedException(message(code, device, function), null);
    }
  }

  /** The same for a call that asks for memory. */
  static void checkMemory(int code, String device, String function, long bytes)
      throws DeviceFailedException, DeviceMemoryException {
    if (code == OUT_OF_MEMORY) {
      throw new DeviceMemoryException(
          device
              + ": "
              + function
              + (bytes > 0 ? " cannot have " + bytes + " bytes" : " finds no memory"),
          bytes);
    }
    check(code, device, function);
  }

  /** Which call of which device gave which error, what the driver says of it, and what to do. */
  static String message(int code, String device, String function) {
    String[] text = new String[1];
    boolean known = JCudaDriver.cuGetErrorString(code, text) == 0 && text[0] != null;
    return device
        + ": "
        + function
        + " gave "
        + name(code)
        + (known ? ", \"" + text[0] + "\": " : ": ")
        + advice(code);
  }

  private static String advice(int code) {
    return switch (code) {
      case 700, 714, 716, 717, 718 ->
          "a CUDA function read or wrote where it must not: check its indexes, and that it agrees"
              + " with the Java form";
      case 702 ->
          "the driver stopped a kernel that ran too long: this GPU drives a display, or its time"
              + " limit is on; make batches smaller (spark.gpusched.batch.rows)";
      case 710, 715, 719 ->
          "a CUDA function trapped or failed an assertion: let it leave rows that it cannot compute to"
              + " the host (bool* for_host, cuda/udf/README.md)";
      case OUT_OF_MEMORY ->
          "the GPU has no room for the kernel itself: leave it more memory, or see whether other"
              + " processes use it (nvidia-smi)";
      case 701, 720, 912 ->
          "the kernel needs more registers, shared memory or blocks of threads at once than the GPU"
              + " has: make the CUDA function smaller, or set spark.gpusched.cuda.cluster=1";
      case 221 ->
          "the driver's compiler (libnvidia-ptxjitcompiler) is missing: install it from the driver's"
              + " packages, or make it visible in the container";
      case 222 ->
          "the compiled function is newer than the driver: update NVIDIA's driver, or set"
              + " spark.gpusched.cuda.nvrtcPath to an NVRTC that is not newer than the driver";
      case 223 ->
          "the driver may not compile PTX: unset CUDA_DISABLE_PTX_JIT, or ship SASS for this GPU";
      case 1, 200, 209, 218, 224, 225, 300, 301, 302, 303, 500, 801 ->
          "the compiled function does not fit this GPU or driver: delete the kernel cache"
              + " (spark.gpusched.cuda.cacheDir), or use an NVRTC that is not newer than the driver";
      case 46, 100, 101, 214, 220, 226, 802, 803, 999 ->
          "the GPU is lost or broken: see nvidia-smi and the kernel's log (Xid)";
      default ->
          "see the CUDA driver's list of errors; leave the device out with spark.gpusched.devices";
    };
  }
}
