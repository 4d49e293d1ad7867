package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.device.cuda.CudaScenarios.check;

import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import java.util.Arrays;
import java.util.List;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmemAllocationType;
import jcuda.driver.CUmemLocation;
import jcuda.driver.CUmemLocationType;
import jcuda.driver.CUmemPoolProps;
import jcuda.driver.CUmemoryPool;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.apache.spark.unsafe.Platform;

/**
 * Calls that a driver refuses, and so must its test double, or tests on it would pass that a GPU
 * would not. See {@link CudaScenarios}.
 */
final class DriverScenarios {
  private static final int INVALID_VALUE = 1;
  private static final int INVALID_CONTEXT = 201;
  private static final int INVALID_HANDLE = 400;
  private static final int ALREADY_REGISTERED = 712;
  private static final int NOT_REGISTERED = 713;
  private static final int INVALID_CLUSTER_SIZE = 912;

  private DriverScenarios() {}

  private static void gives(int expected, int code, String what) {
    check(code == expected, what + " gives " + CudaErrors.name(code) + ", not " + expected);
  }

  static void misuse() throws Exception {
    List<CudaDevice> devices = CudaScenarios.devices();
    CUcontext[] contexts = {retain(0), retain(1)};
    JCudaDriver.cuCtxSetCurrent(contexts[0]);
    flagsAndSizes();
    pools();
    memory();
    handles(contexts);
    defaultStreams();
    anyMemory();
    clusters(devices.get(0), contexts[0]);
    contexts(contexts);
  }

  private static CUcontext retain(int ordinal) {
    CUcontext context = new CUcontext();
    gives(0, JCudaDriver.cuDevicePrimaryCtxRetain(context, device(ordinal)), "a retain");
    return context;
  }

  private static CUdevice device(int ordinal) {
    CUdevice device = new CUdevice();
    gives(0, JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet");
    return device;
  }

  private static void flagsAndSizes() {
    gives(INVALID_VALUE, JCudaDriver.cuStreamCreate(new CUstream(), 2), "a flag of streams");
    gives(INVALID_VALUE, JCudaDriver.cuEventCreate(new CUevent(), 8), "a flag of events");
    gives(INVALID_VALUE, JCudaDriver.cuEventCreate(new CUevent(), 4), "INTERPROCESS, timed");
    gives(INVALID_VALUE, JCudaDriver.cuMemHostAlloc(new Pointer(), 64, 8), "a flag of host memory");
    gives(INVALID_VALUE, JCudaDriver.cuMemHostAlloc(new Pointer(), 0, 0), "0 bytes of the host");
    gives(INVALID_VALUE, JCudaDriver.cuMemAlloc(new CUdeviceptr(), 0), "0 bytes");
  }

  private static void pools() {
    int pinned = CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED;
    int device = CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE;
    gives(0, pool(pinned, device, 0), "a pool");
    gives(INVALID_VALUE, pool(0, device, 0), "a pool of no type");
    gives(INVALID_VALUE, pool(pinned, 0, 0), "a pool of no place");
    gives(INVALID_VALUE, pool(pinned, device, 5), "a pool of a GPU that is not there");
  }

  private static int pool(int type, int locationType, int id) {
    CUmemLocation location = new CUmemLocation();
    location.type = locationType;
    location.id = id;
    CUmemPoolProps properties = new CUmemPoolProps();
    properties.allocType = type;
    properties.location = location;
    return JCudaDriver.cuMemPoolCreate(new CUmemoryPool(), properties);
  }

  private static void memory() {
    CUstream stream = new CUstream();
    gives(0, JCudaDriver.cuStreamCreate(stream, 1), "a stream");
    CUdeviceptr memory = new CUdeviceptr();
    gives(0, JCudaDriver.cuMemAlloc(memory, 64), "memory");
    Pointer host = new Pointer();
    gives(0, JCudaDriver.cuMemHostAlloc(host, 64, 0), "page-locked memory");
    gives(
        INVALID_VALUE,
        JCudaDriver.cuMemHostGetDevicePointer(new CUdeviceptr(), host, 0),
        "not mapped");
    gives(0, JCudaDriver.cuMemcpyHtoDAsync(memory, host, 64, stream), "a copy");
    gives(
        INVALID_VALUE, JCudaDriver.cuMemcpyHtoDAsync(memory, host, 65, stream), "a copy too long");
    gives(INVALID_VALUE, JCudaDriver.cuMemFreeAsync(memory, stream), "a free into no pool");
    gives(0, JCudaDriver.cuMemFree(memory), "a free");
    gives(INVALID_VALUE, JCudaDriver.cuMemFree(memory), "a second free");
    gives(
        INVALID_VALUE,
        JCudaDriver.cuMemcpyHtoDAsync(memory, host, 8, stream),
        "a use after a free");
    gives(
        INVALID_VALUE,
        JCudaDriver.cuMemsetD8Async(memory, (byte) 0, 8, stream),
        "a memset after it");
    gives(0, JCudaDriver.cuStreamSynchronize(stream), "the copy's end");
    gives(0, JCudaDriver.cuMemFreeHost(host), "a free on the host");
    gives(INVALID_VALUE, JCudaDriver.cuMemFreeHost(host), "a second one");
    registered(stream);
  }

  /** Memory of the process that is page-locked. */
  private static void registered(CUstream stream) {
    long address = Platform.allocateMemory(3 * 4096L);
    Pointer page = Addresses.host((address + 4095) & -4096L);
    CUdeviceptr memory = new CUdeviceptr();
    gives(0, JCudaDriver.cuMemAlloc(memory, 4096), "memory");
    gives(INVALID_VALUE, JCudaDriver.cuMemHostRegister(page, 0, 0), "0 bytes to lock");
    gives(0, JCudaDriver.cuMemHostRegister(page, 4096, 0), "memory that is locked");
    gives(ALREADY_REGISTERED, JCudaDriver.cuMemHostRegister(page, 4096, 0), "a second time");
    gives(INVALID_VALUE, JCudaDriver.cuMemFreeHost(page), "a free of what was locked");
    gives(0, JCudaDriver.cuMemcpyHtoDAsync(memory, page, 4096, stream), "a copy of it");
    gives(0, JCudaDriver.cuStreamSynchronize(stream), "its end");
    gives(0, JCudaDriver.cuMemHostUnregister(page), "memory that is unlocked");
    gives(NOT_REGISTERED, JCudaDriver.cuMemHostUnregister(page), "a second time");
    gives(0, JCudaDriver.cuMemFree(memory), "a free");
    Platform.freeMemory(address);
  }

  /** With demand, where nothing is copied before it is waited for. The double is stricter here. */
  static void freedUnderACopy() throws Exception {
    CudaScenarios.devices();
    JCudaDriver.cuCtxSetCurrent(retain(0));
    CUstream stream = new CUstream();
    gives(0, JCudaDriver.cuStreamCreate(stream, 1), "a stream");
    CUdeviceptr memory = new CUdeviceptr();
    gives(0, JCudaDriver.cuMemAlloc(memory, 4096), "memory");
    long address = Platform.allocateMemory(2 * 4096L);
    Pointer page = Addresses.host((address + 4095) & -4096L);
    Pointer host = new Pointer();
    gives(0, JCudaDriver.cuMemHostRegister(page, 4096, 0), "memory that is locked");
    gives(0, JCudaDriver.cuMemHostAlloc(host, 64, 0), "page-locked memory");
    gives(0, JCudaDriver.cuMemcpyHtoDAsync(memory, page, 64, stream), "a copy in");
    gives(0, JCudaDriver.cuMemcpyDtoHAsync(host, memory, 64, stream), "a copy back");
    gives(INVALID_VALUE, JCudaDriver.cuMemHostUnregister(page), "unlocked under a copy");
    gives(INVALID_VALUE, JCudaDriver.cuMemFreeHost(host), "freed under a copy");
    gives(CudaErrors.NOT_READY, JCudaDriver.cuStreamQuery(stream), "copies that have not run");
    gives(0, JCudaDriver.cuStreamSynchronize(stream), "their end");
    gives(0, JCudaDriver.cuStreamQuery(stream), "copies that have run");
    gives(0, JCudaDriver.cuMemHostUnregister(page), "unlocked behind it");
    gives(0, JCudaDriver.cuMemFreeHost(host), "freed behind it");
    gives(INVALID_VALUE, JCudaDriver.cuMemcpyHtoDAsync(memory, page, 64, stream), "not locked");
    Platform.freeMemory(address);
  }

  private static void handles(CUcontext... contexts) {
    CUstream stream = new CUstream();
    gives(0, JCudaDriver.cuStreamCreate(stream, 1), "a stream");
    CUevent event = new CUevent();
    gives(0, JCudaDriver.cuEventCreate(event, 0), "an event");
    float[] millis = new float[1];
    gives(INVALID_HANDLE, JCudaDriver.cuEventElapsedTime(millis, event, event), "never recorded");
    JCudaDriver.cuCtxSetCurrent(contexts[1]);
    CUstream other = new CUstream();
    gives(0, JCudaDriver.cuStreamCreate(other, 1), "a stream of the other context");
    gives(INVALID_HANDLE, JCudaDriver.cuEventRecord(event, other), "an event of another context");
    JCudaDriver.cuCtxSetCurrent(contexts[0]);
    gives(INVALID_HANDLE, JCudaDriver.cuEventRecord(event, other), "a stream of another context");
    gives(0, JCudaDriver.cuEventRecord(event, stream), "an event");
    gives(0, JCudaDriver.cuEventDestroy(event), "the end of an event");
    gives(INVALID_HANDLE, JCudaDriver.cuEventRecord(event, stream), "an event that is gone");
    gives(INVALID_HANDLE, JCudaDriver.cuEventDestroy(event), "its second end");
    gives(0, JCudaDriver.cuStreamDestroy(stream), "the end of a stream");
    gives(INVALID_HANDLE, JCudaDriver.cuStreamDestroy(stream), "its second end");
    gives(INVALID_HANDLE, JCudaDriver.cuStreamQuery(stream), "a stream that is gone");
  }

  /** Those that nobody made are there, are waited for, and cannot be destroyed. */
  private static void defaultStreams() {
    CUdeviceptr memory = new CUdeviceptr();
    gives(0, JCudaDriver.cuMemAlloc(memory, 8), "memory");
    byte[] bytes = new byte[8];
    for (CUstream stream :
        List.of(new CUstream(), JCudaDriver.CU_STREAM_LEGACY, JCudaDriver.CU_STREAM_PER_THREAD)) {
      byte value = (byte) (bytes[0] + 1);
      gives(0, JCudaDriver.cuMemsetD8Async(memory, value, 8, stream), "a memset");
      gives(0, JCudaDriver.cuStreamSynchronize(stream), "a wait for a default stream");
      gives(0, JCudaDriver.cuMemcpyDtoH(Pointer.to(bytes), memory, 8), "a copy");
      check(bytes[7] == value, "the default stream has not run when it was waited for");
      gives(INVALID_HANDLE, JCudaDriver.cuStreamDestroy(stream), "the end of a default stream");
    }
    gives(0, JCudaDriver.cuCtxSynchronize(), "a wait for the context");
    gives(0, JCudaDriver.cuMemFree(memory), "a free");
  }

  /** Copies that are not asynchronous, or find by addresses where memory is. */
  private static void anyMemory() {
    CUstream stream = JCudaDriver.CU_STREAM_PER_THREAD;
    CUdeviceptr memory = new CUdeviceptr();
    CUdeviceptr other = new CUdeviceptr();
    gives(0, JCudaDriver.cuMemAlloc(memory, 8), "memory");
    gives(0, JCudaDriver.cuMemAlloc(other, 8), "memory");
    byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8};
    gives(0, JCudaDriver.cuMemcpyHtoD(memory, Pointer.to(bytes), 8), "a copy");
    gives(0, JCudaDriver.cuMemcpyDtoDAsync(other, memory, 8, stream), "a copy on the device");
    gives(0, JCudaDriver.cuStreamSynchronize(stream), "a wait");
    byte[] back = new byte[8];
    gives(0, JCudaDriver.cuMemcpyDtoH(Pointer.to(back), other, 8), "a copy");
    check(Arrays.equals(bytes, back), "other bytes come back");
    gives(INVALID_VALUE, JCudaDriver.cuMemcpyDtoD(other, memory, 9), "a copy too long");
    gives(0, JCudaDriver.cuMemFree(other), "a free");
    gives(INVALID_VALUE, JCudaDriver.cuMemcpyDtoD(memory, other, 8), "a use after a free");
    gives(INVALID_VALUE, JCudaDriver.cuMemcpyAsync(memory, other, 8, stream), "another one");
    gives(INVALID_VALUE, JCudaDriver.cuMemcpyHtoD(other, Pointer.to(bytes), 8), "a third");
    gives(0, JCudaDriver.cuMemFree(memory), "a free");
  }

  /** A grid that is no multiple of the kernel's cluster; a kernel of a context that has ended. */
  private static void clusters(CudaDevice device, CUcontext context) throws Exception {
    device.open();
    CUfunction function;
    try (Batch batch = Batches.identity(10, 1)) {
      function = device.function(device.kernel(batch.call(), batch.udf()));
      CUstream stream = new Calls(device.name()).newStream();
      gives(INVALID_CLUSTER_SIZE, launch(function, 3, stream), "a grid of 3 in clusters of 2");
      gives(INVALID_VALUE, launch(function, 0, stream), "a grid of nothing");
    }
    device.close();
    gives(0, JCudaDriver.cuCtxSetCurrent(context), "the context is still held");
    CUstream stream = new CUstream();
    gives(0, JCudaDriver.cuStreamCreate(stream, 1), "a stream");
    gives(INVALID_HANDLE, launch(function, 2, stream), "a kernel of a module that is unloaded");
  }

  private static int launch(CUfunction function, int blocks, CUstream stream) {
    Pointer parameters = Pointer.to(Pointer.to(new byte[JobGrid.PARAMETER_BYTES]));
    return JCudaDriver.cuLaunchKernel(
        function, blocks, 1, 1, KernelSource.BLOCK_THREADS, 1, 1, 0, stream, parameters, null);
  }

  private static void contexts(CUcontext... contexts) throws InterruptedException {
    int[] code = new int[1];
    Thread without =
        new Thread(() -> code[0] = JCudaDriver.cuStreamCreate(new CUstream(), 1), "no context");
    without.start();
    without.join();
    gives(INVALID_CONTEXT, code[0], "a thread without a context");
    gives(0, JCudaDriver.cuDevicePrimaryCtxRelease(device(0)), "a release");
    gives(INVALID_CONTEXT, JCudaDriver.cuDevicePrimaryCtxRelease(device(0)), "one too many");
    gives(INVALID_CONTEXT, JCudaDriver.cuCtxSetCurrent(contexts[0]), "a context that was released");
    check(JCudaDriver.cuStreamCreate(new CUstream(), 1) != 0, "a call in it succeeds");
    gives(0, JCudaDriver.cuCtxSetCurrent(contexts[1]), "the other context");
    gives(0, JCudaDriver.cuStreamCreate(new CUstream(), 1), "a call in the other context");
  }
}
