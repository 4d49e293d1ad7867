package io.github.sparkgpusched.device.cuda;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.config.DeviceKeys;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.device.DeviceRequest;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUfunction;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * A GPU that another library of this process owns: kernels of calls are launched there on the
 * calling thread, in that library's context (the primary one) and stream, over columns in its
 * memory. Nothing is allocated here but the modules of kernels, and nothing is waited for.
 * Thread-safe; stays open to the process's end, as the other library does.
 */
public final class ForeignGpu {
  private final GpuFacts facts;
  private final CudaSettings settings;
  private final CudaKernels kernels;
  private final CUcontext context;
  private final CUstream stream;
  private final RefusedKernels refused = new RefusedKernels();

  @GuardedBy("this")
  private final CudaModules modules;

  @GuardedBy("this")
  private final Occupancy occupancy;

  /** Kernels that convert columns, by name; made at first use. */
  @GuardedBy("this")
  private final Map<String, KernelImage> converters = new HashMap<>();

  @GuardedBy("this")
  private final DeviceCounts counts = new DeviceCounts();

  private ForeignGpu(
      GpuFacts facts,
      CudaSettings settings,
      CudaKernels kernels,
      CUcontext context,
      CUstream stream) {
    this.facts = facts;
    this.settings = settings;
    this.kernels = kernels;
    this.context = context;
    this.stream = stream;
    modules = new CudaModules(name(), refused, () -> {});
    occupancy = new Occupancy(facts, modules, kernels.driver());
  }

  /**
   * The GPU with the driver's number in this process.
   *
   * @param perThread whether the other library's default stream is one for each thread
   * @throws IllegalStateException if it cannot be used; says why
   */
  public static ForeignGpu open(GpuSchedConfig config, int ordinal, boolean perThread) {
    CudaSettings settings =
        CudaSettings.of(
            new DeviceRequest(
                config.get(DeviceKeys.DEVICES), List.of(), config, Map.of(), Map.of()));
    try {
      DriverLibrary driver = DriverLibrary.open();
      GpuFacts facts =
          CudaDevices.all(driver).stream()
              .filter(gpu -> gpu.ordinal() == ordinal)
              .findFirst()
              .orElseThrow(
                  () -> new IllegalStateException("the driver has no CUDA device " + ordinal));
      CUdevice device = new CUdevice();
      CUcontext context = new CUcontext();
      CudaErrors.check(JCudaDriver.cuDeviceGet(device, ordinal), facts.name(), "cuDeviceGet");
      CudaErrors.check(
          JCudaDriver.cuDevicePrimaryCtxRetain(context, device),
          facts.name(),
          "cuDevicePrimaryCtxRetain");
      return new ForeignGpu(
          facts,
          settings,
          new CudaKernels(settings, driver),
          context,
          perThread ? JCudaDriver.CU_STREAM_PER_THREAD : JCudaDriver.CU_STREAM_LEGACY);
    } catch (DriverLibrary.AbsentException | DeviceFailedException | IOException | LinkageError e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** As {@code nvidia-smi} numbers it. */
  String name() {
    return "GPU " + facts.index();
  }

  /** Its product, memory and so on, for a log. */
  @Override
  public String toString() {
    return facts.describe();
  }

  /** Most bytes of a string result. */
  public int stringBytes() {
    return settings.stringBytes();
  }

  /**
   * Why a call cannot be computed here, or empty if it can. The first time it may take long, as a
   * kernel is compiled.
   */
  public Optional<String> whyNot(UdfCall call, GpuUdf udf) {
    CudaKernels.Kernel kernel = kernels.get(call, udf, facts.architecture());
    return kernel.failure() != null ? Optional.of(kernel.failure()) : refused.why(kernel.image());
  }

  /**
   * A launch of a call's kernel.
   *
   * @param call of which {@link #whyNot} was empty
   * @param rows at least 1
   * @throws JobRefusedException if its kernel cannot be loaded, which {@link #whyNot} says from now
   *     on; or not now, for want of memory
   * @throws DeviceFailedException if the GPU has failed
   */
  public ForeignJob job(UdfCall call, GpuUdf udf, int rows)
      throws DeviceFailedException, JobRefusedException {
    KernelImage image = kernels.get(call, udf, facts.architecture()).image();
    CUfunction function;
    int most;
    synchronized (this) {
      makeCurrent();
      function = modules.function(image);
      most = occupancy.mostBlocks(function, image);
    }
    int wanted = JobGrid.wholeClusters(JobGrid.blocksOfThreads(rows), image.cluster());
    return new ForeignJob(
        this,
        call.name(),
        function,
        settings.blocks().forUdf(udf).fixed(),
        Math.min(most, wanted),
        rows,
        call.argumentTypes().size());
  }

  /**
   * Launches one of the kernels that convert columns.
   *
   * @param name of the kernel
   * @param resource of this package that has it, as compressed PTX
   * @param items one a thread, if there is room
   * @param parameter its one parameter, in host memory
   */
  public void convert(String name, String resource, long items, long parameter)
      throws DeviceFailedException, JobRefusedException {
    CUfunction function;
    synchronized (this) {
      makeCurrent();
      KernelImage image = converters.get(name);
      if (image == null) {
        String ptx = new String(ShippedKernels.unpack(resource), StandardCharsets.US_ASCII);
        image = KernelImage.ofPtx(resource, name, ptx, 1);
        converters.put(name, image);
      }
      function = modules.function(image);
    }
    long blocks = (items + KernelSource.BLOCK_THREADS - 1) / KernelSource.BLOCK_THREADS;
    long room = 32L * Math.max(1, facts.multiprocessors());
    launch(function, (int) Math.max(1, Math.min(room, blocks)), parameter);
  }

  /** Launches a kernel behind what is in the stream. */
  void launch(CUfunction function, int blocks, long parameter)
      throws DeviceFailedException, JobRefusedException {
    makeCurrent();
    int code =
        JCudaDriver.cuLaunchKernel(
            function,
            blocks,
            1,
            1,
            KernelSource.BLOCK_THREADS,
            1,
            1,
            0,
            stream,
            Pointer.to(Addresses.host(parameter)),
            null);
    if (code != 0) {
      synchronized (this) {
        modules.check(code, function, "cuLaunchKernel");
      }
    }
  }

  /** Adds what the blocks of threads of a kernel counted, and gives all that was counted. */
  synchronized InnerLoad counted(JobGrid.Counts ofKernel) {
    counts.add(ofKernel);
    return counts.inner(JobGrid.Counts.NONE);
  }

  /** The other library makes it the thread's too, at its first call there. */
  private void makeCurrent() throws DeviceFailedException {
    CudaErrors.check(JCudaDriver.cuCtxSetCurrent(context), name(), "cuCtxSetCurrent");
  }
}
