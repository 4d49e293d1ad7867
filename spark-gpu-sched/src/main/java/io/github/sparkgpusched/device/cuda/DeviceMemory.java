package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import jcuda.driver.CUmemAllocationType;
import jcuda.driver.CUmemLocation;
import jcuda.driver.CUmemLocationType;
import jcuda.driver.CUmemPoolProps;
import jcuda.driver.CUmemoryPool;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * A device's memory: from a pool in the order of a stream where the device has that, which waits
 * for nobody, else by calls that may wait for the device. Owner's thread only.
 */
final class DeviceMemory {
  private final GpuFacts facts;
  private final Calls calls;

  /** Null if the device has none. */
  private final CUmemoryPool pool;

  private final Quiet quiet;

  DeviceMemory(GpuFacts facts, Calls calls, Quiet quiet) throws DeviceFailedException {
    this.quiet = quiet;
    this.facts = facts;
    this.calls = calls;
    if (facts.memoryPools()) {
      CUmemLocation here = new CUmemLocation();
      here.type = CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE;
      here.id = facts.ordinal();
      CUmemPoolProps properties = new CUmemPoolProps();
      properties.allocType = CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED;
      properties.location = here;
      pool = new CUmemoryPool();
      calls.check(JCudaDriver.cuMemPoolCreate(pool, properties), "cuMemPoolCreate");
    } else {
      pool = null;
    }
  }

  /** Allocates memory that may be used in a stream, behind what is queued there by now. */
  long allocate(long bytes, CUstream stream) throws DeviceFailedException, DeviceMemoryException {
    quiet.ensure();
    Addresses.DevicePointer pointer = new Addresses.DevicePointer();
    if (pool != null) {
      int code = JCudaDriver.cuMemAllocFromPoolAsync(pointer, bytes, pool, stream);
      CudaErrors.checkMemory(code, facts.name(), "cuMemAllocFromPoolAsync", bytes);
    } else {
      int code = JCudaDriver.cuMemAlloc(pointer, bytes);
      CudaErrors.checkMemory(code, facts.name(), "cuMemAlloc", bytes);
    }
    return pointer.address();
  }

  /** Frees memory behind what is queued in the stream by now. */
  void free(long address, CUstream stream) throws DeviceFailedException {
    quiet.ensure();
    if (pool != null) {
      calls.check(JCudaDriver.cuMemFreeAsync(Addresses.device(address), stream), "cuMemFreeAsync");
    } else {
      calls.check(JCudaDriver.cuMemFree(Addresses.device(address)), "cuMemFree");
    }
  }

  /** Allocates memory that may be used in any stream; may wait for the device. */
  long allocateAtOnce(long bytes) throws DeviceFailedException, DeviceMemoryException {
    Addresses.DevicePointer pointer = new Addresses.DevicePointer();
    int code = JCudaDriver.cuMemAlloc(pointer, bytes);
    CudaErrors.checkMemory(code, facts.name(), "cuMemAlloc", bytes);
    return pointer.address();
  }

  /** Frees memory that {@link #allocateAtOnce} gave, and that nothing uses any more. */
  void freeAtOnce(long address) throws DeviceFailedException {
    calls.check(JCudaDriver.cuMemFree(Addresses.device(address)), "cuMemFree");
  }

  /** Gives the pool back; errors are of no use any more. */
  void close() {
    if (pool != null) {
      JCudaDriver.cuMemPoolDestroy(pool);
    }
  }
}
