package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;

/** What the driver's error codes mean for the scheduler. */
final class CudaErrors {
  static final int OUT_OF_MEMORY = 2;
  static final int NOT_READY = 600;

  private CudaErrors() {}

  /** A code as the driver's documentation has it, such as CUDA_ERROR_OUT_OF_MEMORY (2). */
  static String name(int code) {
    return jcuda.driver.CUresult.stringFor(code) + " (" + code + ")";
  }

  /**
   * Does nothing if a call succeeded. Any error makes the device unusable: most are sticky (the
   * driver answers all later calls with them), and of the others none is expected.
   *
   * @param code what the driver's function returned
   * @param device which device, for the message
   * @param function the driver's function
   */
  static void check(int code, String device, String function) throws DeviceFailedException {
    if (code != 0) {
      throw new DeviceFailedException(
          device + ": " + function + " gave " + name(code) + ": " + advice(code), null);
    }
  }

  /** The same for a call that asks for memory. */
  static void checkMemory(int code, String device, String function, long bytes)
      throws DeviceFailedException, DeviceMemoryException {
    if (code == OUT_OF_MEMORY) {
      throw new DeviceMemoryException(
          device + ": " + function + " cannot have " + bytes + " bytes", bytes);
    }
    check(code, device, function);
  }

  private static String advice(int code) {
    return switch (code) {
      case 700, 716, 717, 718 ->
          "a CUDA function read or wrote where it must not: check its indexes, and that it agrees"
              + " with the Java form";
      case 702 ->
          "the driver stopped a kernel that ran too long: this GPU drives a display, or its time"
              + " limit is on; make batches smaller (spark.gpusched.batch.rows)";
      case 710, 715, 719 ->
          "a CUDA function trapped or failed an assertion: a row has input that its Java form"
              + " refuses too, or the function has a bug";
      case 701 ->
          "the kernel needs more registers or shared memory than the GPU has for a block of threads";
      case 200, 209, 218, 222, 223 ->
          "the compiled function does not fit this GPU or driver: delete the kernel cache"
              + " (spark.gpusched.cuda.cacheDir), or use an NVRTC that is not newer than the driver";
      case 214, 46, 100, 101, 802, 803, 999 ->
          "the GPU is lost or broken: see nvidia-smi and the kernel's log (Xid)";
      default ->
          "see the CUDA driver's list of errors; leave the device out with spark.gpusched.devices";
    };
  }
}
