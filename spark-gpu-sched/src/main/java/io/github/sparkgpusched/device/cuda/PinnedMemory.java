package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import jcuda.driver.JCudaDriver;

/**
 * Page-locked host memory of one device, up to a bound: it takes memory from everybody on the
 * machine. Mapped, so that kernels can write to it. Owner's thread only.
 */
final class PinnedMemory {
  private static final long LEAST_BYTES = 64 << 10;

  /** JCuda makes a ByteBuffer of each, which can have 2 GiB less a byte. */
  private static final long MOST_BYTES = 1 << 30;

  private final String device;
  private final long boundBytes;
  private final Quiet quiet;
  private long heldBytes;

  PinnedMemory(String device, long boundBytes, Quiet quiet) {
    this.quiet = quiet;
    this.device = device;
    this.boundBytes = boundBytes;
  }

  /** The size that is allocated for so many bytes: few sizes, so that buffers can be used again. */
  static long roundUp(long bytes) {
    return bytes <= LEAST_BYTES ? LEAST_BYTES : Long.highestOneBit(bytes - 1) << 1;
  }

  /** More is asked for than may be held, or than can be had at once. */
  static final class FullException extends DeviceMemoryException {
    private static final long serialVersionUID = 1L;

    private final long missingBytes;

    private FullException(String message, long requestedBytes, long missingBytes) {
      super(message, requestedBytes);
      this.missingBytes = missingBytes;
    }

    /** Whether there would be room if so many bytes were freed. */
    boolean endsBy(long freedBytes) {
      return freedBytes >= missingBytes;
    }
  }

  /**
   * Finds out whether so much may be had.
   *
   * @param bytes a size that {@link #roundUp} gives
   * @param freedBytes what would be freed before
   */
  void requireRoom(long bytes, long freedBytes) throws DeviceMemoryException {
    if (bytes > MOST_BYTES) {
      throw new FullException(
          device
              + ": a block needs "
              + bytes
              + " bytes of page-locked memory in one piece, and "
              + MOST_BYTES
              + " are the most",
          bytes,
          Long.MAX_VALUE);
    }
    long missing = heldBytes - freedBytes + bytes - boundBytes;
    if (missing > 0) {
      throw new FullException(
          device
              + ": a block needs "
              + bytes
              + " bytes of page-locked memory, "
              + (heldBytes - freedBytes)
              + " are held, and spark.gpusched.cuda.pinnedBytes is "
              + boundBytes,
          bytes,
          missing);
    }
  }

  /**
   * Allocates.
   *
   * @param bytes a size that {@link #roundUp} gives
   */
  long allocate(long bytes) throws DeviceFailedException, DeviceMemoryException {
    requireRoom(bytes, 0);
    quiet.ensure();
    Addresses.HostPointer pointer = new Addresses.HostPointer();
    int flags = JCudaDriver.CU_MEMHOSTALLOC_PORTABLE | JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP;
    int code = JCudaDriver.cuMemHostAlloc(pointer, bytes, flags);
    CudaErrors.checkMemory(code, device, "cuMemHostAlloc", bytes);
    heldBytes += bytes;
    return pointer.address();
  }

  /** How much is held. */
  long heldBytes() {
    return heldBytes;
  }

  /** How much may be held. */
  long boundBytes() {
    return boundBytes;
  }

  /**
   * Page-locks memory for all devices; it stays where it is when the context ends.
   *
   * @return false if that would be over the bound, or the driver does not
   */
  boolean lock(long address, long bytes) throws DeviceFailedException {
    if (heldBytes + bytes > boundBytes) {
      return false;
    }
    quiet.ensure();
    int flags = JCudaDriver.CU_MEMHOSTREGISTER_PORTABLE;
    if (JCudaDriver.cuMemHostRegister(Addresses.host(address), bytes, flags) != 0) {
      return false;
    }
    heldBytes += bytes;
    return true;
  }

  /**
   * Ends {@link #lock}; the device does not use the memory any more. In a context that an error has
   * ended the driver does nothing: it is unlocked when the context ends.
   */
  void unlock(long address, long bytes) {
    heldBytes -= bytes;
    JCudaDriver.cuMemHostUnregister(Addresses.host(address));
  }

  /** The address by which the device knows what {@link #allocate} gave. */
  long onDevice(long address) throws DeviceFailedException {
    Addresses.DevicePointer pointer = new Addresses.DevicePointer();
    CudaErrors.check(
        JCudaDriver.cuMemHostGetDevicePointer(pointer, Addresses.host(address), 0),
        device,
        "cuMemHostGetDevicePointer");
    return pointer.address();
  }

  /** Frees memory that the device does not use any more. */
  void free(long address, long bytes) throws DeviceFailedException {
    quiet.ensure();
    heldBytes -= bytes;
    CudaErrors.check(JCudaDriver.cuMemFreeHost(Addresses.host(address)), device, "cuMemFreeHost");
  }
}
