package io.github.sparkgpusched.device.cuda;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUfunction;

/**
 * Looks whether the CUDA driver can be used, in a way that may be repeated and harms nothing where
 * it cannot: JCuda's driver class is touched only after this has found every function that this
 * package calls. (JCuda would find a missing driver out by an error that makes its class unusable
 * for ever, and a missing function by the end of the process.)
 */
final class DriverLibrary {
  static final String NAME = "libcuda.so.1";

  /** CUDA 12.0, the first whose drivers run what JCuda 12 was made for. */
  static final int LEAST_VERSION = 12000;

  /**
   * The driver's functions that this package calls, as JCuda's native library links them; {@code
   * cuOccupancyMaxActiveClusters} and {@code cuDeviceGetUuid_v2} are called from here.
   */
  static final List<String> FUNCTIONS =
      List.of(
          "cuInit",
          "cuDriverGetVersion",
          "cuDeviceGetCount",
          "cuDeviceGet",
          "cuDeviceGetName",
          "cuDeviceGetUuid_v2",
          "cuDeviceGetAttribute",
          "cuDeviceTotalMem_v2",
          "cuDeviceGetPCIBusId",
          "cuDevicePrimaryCtxRetain",
          "cuDevicePrimaryCtxRelease_v2",
          "cuCtxSetCurrent",
          "cuMemGetInfo_v2",
          "cuMemAlloc_v2",
          "cuMemFree_v2",
          "cuMemPoolCreate",
          "cuMemPoolDestroy",
          "cuMemAllocFromPoolAsync",
          "cuMemFreeAsync",
          "cuMemHostAlloc",
          "cuMemHostGetDevicePointer_v2",
          "cuMemFreeHost",
          "cuMemHostRegister_v2",
          "cuMemHostUnregister",
          "cuMemcpyHtoDAsync_v2",
          "cuMemcpyDtoHAsync_v2",
          "cuMemsetD8Async",
          "cuStreamCreate",
          "cuStreamDestroy_v2",
          "cuStreamQuery",
          "cuStreamSynchronize",
          "cuStreamWaitEvent",
          "cuEventCreate",
          "cuEventRecord",
          "cuEventElapsedTime",
          "cuEventDestroy_v2",
          "cuModuleLoadDataEx",
          "cuModuleUnload",
          "cuModuleGetFunction",
          "cuOccupancyMaxActiveBlocksPerMultiprocessor",
          "cuOccupancyMaxActiveClusters",
          "cuLaunchKernel",
          "cuGetErrorString");

  private static final int NO_DEVICE = 100;

  /**
   * Bytes of {@code CUlaunchConfig}: six ints for grid and block, an int of shared memory, the
   * stream at 32, attributes at 40, their number at 48.
   */
  private static final int LAUNCH_CONFIG_BYTES = 56;

  /** Bytes of {@code CUlaunchAttribute}: what it is, then at 8 its value, of 64 bytes. */
  private static final int LAUNCH_ATTRIBUTE_BYTES = 72;

  /** {@code CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION}. */
  private static final int CLUSTER_DIMENSION = 4;

  private final NativeLibrary library;
  private final int version;
  private final int devices;

  /** There is no driver that can be used; the message says why and what to do. */
  static final class AbsentException extends Exception {
    private static final long serialVersionUID = 1L;

    AbsentException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private DriverLibrary(NativeLibrary library, int version, int devices) {
    this.library = library;
    this.version = version;
    this.devices = devices;
  }

  /**
   * Loads and initialises the driver.
   *
   * @throws AbsentException if there is none, or none that can be used; may be tried again
   */
  static DriverLibrary open() throws AbsentException {
    NativeLibrary library;
    try {
      library = NativeLibrary.getInstance(NAME);
    } catch (UnsatisfiedLinkError e) {
      throw new AbsentException(
          "there is no CUDA driver here ("
              + NAME
              + " cannot be loaded: "
              + loaderSays(String.valueOf(e.getMessage()))
              + "): install NVIDIA's driver, or make its library visible in the container",
          e);
    }
    List<String> missing = new ArrayList<>();
    for (String function : FUNCTIONS) {
      try {
        library.getFunction(function);
      } catch (UnsatisfiedLinkError e) {
        missing.add(function);
      }
    }
    int version = missing.contains("cuDriverGetVersion") ? 0 : version(library);
    if (version < LEAST_VERSION || !missing.isEmpty()) {
      throw new AbsentException(
          "the CUDA driver here is for CUDA "
              + text(version)
              + (missing.isEmpty() ? "" : " and lacks " + String.join(", ", missing))
              + ": at least CUDA "
              + text(LEAST_VERSION)
              + " is needed, so update NVIDIA's driver",
          null);
    }
    int status = library.getFunction("cuInit").invokeInt(new Object[] {0});
    if (status != 0 && status != NO_DEVICE) {
      throw new AbsentException(
          "the CUDA driver cannot be initialised: cuInit gives "
              + CudaErrors.name(status)
              + ": see whether nvidia-smi works here",
          null);
    }
    IntByReference count = new IntByReference();
    if (status == 0) {
      library.getFunction("cuDeviceGetCount").invokeInt(new Object[] {count});
    }
    return new DriverLibrary(library, version, count.getValue());
  }

  private static int version(NativeLibrary library) {
    IntByReference version = new IntByReference();
    library.getFunction("cuDriverGetVersion").invokeInt(new Object[] {version});
    return version.getValue();
  }

  /** Number of devices that this process sees; may be 0. */
  int devices() {
    return devices;
  }

  /** Version of CUDA that the driver is for, such as 12040 for 12.4. */
  int version() {
    return version;
  }

  /**
   * The 16 bytes of a device's UUID; of a MIG instance its own, which the function that JCuda has
   * does not give.
   */
  byte[] uuid(int device) throws AbsentException {
    byte[] uuid = new byte[16];
    Function function = library.getFunction("cuDeviceGetUuid_v2");
    int status = function.invokeInt(new Object[] {uuid, device});
    if (status != 0) {
      throw new AbsentException(
          "cuDeviceGetUuid_v2 gives " + CudaErrors.name(status) + " for device " + device, null);
    }
    return uuid;
  }

  /**
   * Clusters that the current device can run at once of a kernel.
   *
   * @param clusters gets their number; 0 if not even one
   * @param cluster blocks of a cluster
   * @return the driver's error code
   */
  int mostClusters(int[] clusters, CUfunction function, int cluster) {
    try (Memory config = new Memory(LAUNCH_CONFIG_BYTES);
        Memory attribute = new Memory(LAUNCH_ATTRIBUTE_BYTES)) {
      attribute.clear();
      attribute.setInt(0, CLUSTER_DIMENSION);
      attribute.setInt(8, cluster);
      attribute.setInt(12, 1);
      attribute.setInt(16, 1);
      config.clear();
      int[] gridAndBlock = {cluster, 1, 1, KernelSource.BLOCK_THREADS, 1, 1};
      config.write(0, gridAndBlock, 0, gridAndBlock.length);
      config.setPointer(40, attribute);
      config.setInt(48, 1);
      return library
          .getFunction("cuOccupancyMaxActiveClusters")
          .invokeInt(new Object[] {clusters, new Pointer(Addresses.handle(function)), config});
    }
  }

  private static String text(int version) {
    return version / 1000 + "." + version % 1000 / 10;
  }

  /**
   * What the system's loader said. JNA puts it below a line of its own that ends in a colon, once
   * for each way that it tried, and with the library's name in front.
   */
  static String loaderSays(String message) {
    return message
        .lines()
        .filter(line -> !line.isBlank() && !line.endsWith(":"))
        .findFirst()
        .map(line -> line.startsWith(NAME + ": ") ? line.substring(NAME.length() + 2) : line)
        .orElse("the system does not say why");
  }
}
