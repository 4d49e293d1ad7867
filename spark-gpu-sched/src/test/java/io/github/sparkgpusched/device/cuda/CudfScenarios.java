package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.device.cuda.CudaScenarios.check;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * The jar's kernels for cuDF's columns (cuda/cudf), as a driver loads and launches them: their
 * parameters are shorter than those of functions' kernels. What they compute, cuda/check says.
 */
final class CudfScenarios {
  private static final int ROWS = 1000;
  private static final int MASK_BYTES = 128;

  private CudfScenarios() {}

  /** A mask becomes bytes, and these a mask again. */
  static void cudfKernels() throws Exception {
    CUmodule module = load();
    CUstream stream = new CUstream();
    gives(0, JCudaDriver.cuStreamCreate(stream, 1), "a stream");
    Pointer host = new Pointer();
    gives(0, JCudaDriver.cuMemHostAlloc(host, MASK_BYTES, 0), "page-locked memory");
    ByteBuffer words = host.getByteBuffer(0, MASK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < MASK_BYTES; at++) {
      words.put(at, (byte) (at * 37 + 11));
    }
    byte[] before = bytes(words);
    Addresses.DevicePointer mask = allocate(MASK_BYTES);
    Addresses.DevicePointer states = allocate(ROWS);
    Addresses.DevicePointer counts = allocate(16);
    gives(0, JCudaDriver.cuMemcpyHtoDAsync(mask, host, MASK_BYTES, stream), "a copy");
    launch(module, stream, "unpack", mask.address(), states.address(), ROWS);
    gives(0, JCudaDriver.cuMemsetD8Async(mask, (byte) 0xA5, MASK_BYTES, stream), "a memset");
    gives(0, JCudaDriver.cuMemsetD8Async(counts, (byte) 0, 16, stream), "zeros");
    launch(
        module,
        stream,
        "pack",
        states.address(),
        mask.address(),
        counts.address(),
        ROWS,
        MASK_BYTES / Integer.BYTES);
    gives(0, JCudaDriver.cuMemcpyDtoHAsync(host, mask, MASK_BYTES, stream), "a copy back");
    await(stream);
    int valid = 0;
    for (int bit = 0; bit < MASK_BYTES * 8; bit++) {
      int was = bit < ROWS ? before[bit / 8] >> bit % 8 & 1 : 0;
      check((words.get(bit / 8) >> bit % 8 & 1) == was, "bit " + bit + " is not what it was");
      valid += was;
    }
    gives(0, JCudaDriver.cuMemcpyDtoHAsync(host, counts, 16, stream), "a copy of the counts");
    await(stream);
    check(words.getLong(0) == ROWS - valid, "null rows: " + words.getLong(0));
    check(words.getLong(8) == 0, "rows for the host: " + words.getLong(8));
  }

  private static CUmodule load() throws IOException {
    CudaScenarios.devices();
    CUdevice device = new CUdevice();
    gives(0, JCudaDriver.cuDeviceGet(device, 0), "a device");
    CUcontext context = new CUcontext();
    gives(0, JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "a retain");
    gives(0, JCudaDriver.cuCtxSetCurrent(context), "a context");
    byte[] packed =
        NativeFiles.resource(
            CudfScenarios.class, "/io/github/sparkgpusched/device/cudf/columns.compute_75.ptx.gz");
    byte[] text;
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      text = in.readAllBytes();
    }
    // A C string.
    text = Arrays.copyOf(text, text.length + 1);
    CUmodule module = new CUmodule();
    Pointer none = Pointer.to(new Pointer[0]);
    gives(
        0,
        JCudaDriver.cuModuleLoadDataEx(module, Pointer.to(text), 0, new int[0], none),
        "the module");
    return module;
  }

  private static void launch(CUmodule module, CUstream stream, String kernel, long... parameter) {
    CUfunction function = new CUfunction();
    gives(0, JCudaDriver.cuModuleGetFunction(function, module, "gpusched_cudf_" + kernel), kernel);
    Pointer parameters = Pointer.to(Pointer.to(parameter));
    gives(
        0,
        JCudaDriver.cuLaunchKernel(function, 2, 1, 1, 256, 1, 1, 0, stream, parameters, null),
        kernel);
  }

  private static Addresses.DevicePointer allocate(long bytes) {
    Addresses.DevicePointer memory = new Addresses.DevicePointer();
    gives(0, JCudaDriver.cuMemAlloc(memory, bytes), "memory");
    return memory;
  }

  private static void await(CUstream stream) {
    CUevent event = new CUevent();
    gives(0, JCudaDriver.cuEventCreate(event, 0), "an event");
    gives(0, JCudaDriver.cuEventRecord(event, stream), "its record");
    gives(0, JCudaDriver.cuEventSynchronize(event), "its end");
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] copy = new byte[buffer.capacity()];
    buffer.get(0, copy);
    return copy;
  }

  private static void gives(int expected, int code, String what) {
    check(code == expected, what + " gives " + CudaErrors.name(code) + ", not " + expected);
  }
}
