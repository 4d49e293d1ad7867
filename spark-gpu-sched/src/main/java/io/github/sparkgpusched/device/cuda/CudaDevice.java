package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.columnar.SlabPool;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.device.TextLanguage;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.DeviceFacts;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import jcuda.driver.CUfunction;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A GPU, or a MIG instance of one, through CUDA's driver API and its primary context. The
 * scheduler's owner thread opens it, uses it and closes it; what says otherwise may be called from
 * any thread.
 */
final class CudaDevice implements CallDevice {
  private static final Logger LOG = LoggerFactory.getLogger(CudaDevice.class);

  /** How long a device that is closed waits for other devices that read its memory. */
  private static final long CLOSE_READ_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Rows that a warp computes at once; fewer than a warp per multiprocessor take as long. */
  private static final int WARP_ROWS = 32;

  private final GpuFacts facts;
  private final CudaSettings settings;
  private final PipelineDepth.Choice depth;
  private final CudaKernels kernels;
  private final RefusedKernels refused = new RefusedKernels();
  private final SlabPool slabs = new SlabPool();

  // Of the owner's thread from here on.
  private final DeviceCounts counts = new DeviceCounts();
  private final ScheduleChoices schedules;
  private final PrimaryContext context;

  /** Null while the device is not open. */
  private OpenGpu gpu;

  /** From a guess to what the owner measures each time that it opens the device. */
  private volatile LinkCosts link = LinkCosts.UNMEASURED;

  /** Of the kernels that were used last; written by the owner. */
  private volatile long waveRows;

  CudaDevice(GpuFacts facts, CudaSettings settings, CudaKernels kernels) {
    this.facts = facts;
    this.kernels = kernels;
    this.settings = settings;
    this.context = new PrimaryContext(facts);
    this.depth =
        PipelineDepth.choose(settings.pipeline(), facts, System.getenv("CUDA_LAUNCH_BLOCKING"));
    this.schedules = new ScheduleChoices(facts.name());
  }

  @Override
  public String name() {
    return facts.name();
  }

  @Override
  public String toString() {
    return facts.describe();
  }

  /** Any thread. */
  GpuFacts gpu() {
    return facts;
  }

  /** Any thread. */
  PipelineDepth.Choice depth() {
    return depth;
  }

  @Override
  public SlabPool slabs() {
    return slabs;
  }

  /** Compiles the call's kernel if need be, which may take a second. */
  @Override
  public Optional<String> whyNot(UdfCall call, GpuUdf udf) {
    CudaKernels.Kernel kernel = kernels.get(call, udf, facts.architecture());
    return kernel.failure() != null ? Optional.of(kernel.failure()) : refused.why(kernel.image());
  }

  /** By name, and how blocks of threads share rows. */
  private record Kernels(List<String> images, List<BlockSettings> settings) {}

  @Override
  public Object kernels(List<CallOnDevice> calls) {
    return new Kernels(
        calls.stream().map(call -> kernel(call.call(), call.udf()).key()).toList(),
        calls.stream().map(call -> blockSettings().forUdf(call.udf())).toList());
  }

  @Override
  public Launcher launcher(List<CallOnDevice> calls, TaskWork work)
      throws DeviceFailedException, JobRefusedException {
    gpu.growIfShort();
    return new CudaLauncher(this, calls);
  }

  /** Looks for NVRTC the first time. */
  @Override
  public Optional<TextLanguage> texts() {
    return Optional.of(
        new TextLanguage("CUDA", kernels.whyNoCompiler(facts.architecture()).orElse("")));
  }

  KernelImage kernel(UdfCall call, GpuUdf udf) {
    return kernels.get(call, udf, facts.architecture()).image();
  }

  /** Its speed is a guess, of which little depends: it is learned as blocks end. */
  @Override
  public WorkerSpec spec() {
    int multiprocessors = Math.max(1, facts.multiprocessors());
    return new WorkerSpec(
        multiprocessors,
        link.blockNanos(),
        0,
        depth.depth().slots,
        true,
        (long) WARP_ROWS * multiprocessors,
        0);
  }

  @Override
  public double transferNanosPerByte() {
    return link.nanosPerByte();
  }

  @Override
  public long waveRows() {
    return waveRows;
  }

  /** A job's kernel runs in so many blocks of threads at once. */
  void countWave(int blocks) {
    waveRows = JobGrid.rowsAtOnce(blocks);
  }

  @Override
  public void open() throws DeviceFailedException {
    context.open();
    gpu = new OpenGpu(facts, settings, depth, kernels, refused, slabs);
    try {
      gpu.open();
      link = gpu.link();
    } catch (DeviceFailedException | RuntimeException | Error e) {
      giveBackAll();
      throw e;
    }
  }

  /**
   * Ends the context, with all that is in it, and makes a new one. Errors such as 700 are of a
   * context, and end with it; those of a GPU that is lost come again. The function whose kernel
   * made the error is refused from then on. Does nothing while a kernel may still run, which a
   * driver would wait for.
   */
  @Override
  public boolean recover() throws DeviceFailedException {
    if (gpu == null || !gpu.isOver(settings.readNanos())) {
      return false;
    }
    gpu.refuseWhatEndedIt();
    counts.add(gpu.residentCounts());
    giveBackAll();
    try {
      open();
    } catch (DeviceFailedException e) {
      throw new DeviceFailedException(
          e.getMessage()
              + ". A new context did not help: the GPU is lost, or another library of this process"
              + " (such as RAPIDS) still holds the context that failed",
          e);
    }
    LOG.info("{} has a new context, and computes again", name());
    return true;
  }

  /** The kernel that stays, or null if there is none. */
  ResidentKernel resident() {
    return gpu.resident();
  }

  @Override
  public boolean rest() throws DeviceFailedException {
    // What blocks that nobody wants any more were lent goes back as they end: others may wait.
    boolean busy = !gpu.pipeline().isQuiet();
    return (gpu.resident() != null && gpu.resident().rest()) || busy;
  }

  @Override
  public DeviceFacts facts() throws DeviceFailedException {
    long[] freeBytes = new long[1];
    long[] totalBytes = new long[1];
    check(JCudaDriver.cuMemGetInfo(freeBytes, totalBytes), "cuMemGetInfo");
    return new DeviceFacts(
        freeBytes[0],
        totalBytes[0],
        Map.of(PlacementHints.COMPUTE_CAPABILITY, facts.architecture()));
  }

  /** Null while the device is not open. */
  CudaPipeline pipeline() {
    return gpu == null ? null : gpu.pipeline();
  }

  /** A kernel of an image; the image is loaded when it is first asked for. */
  CUfunction function(KernelImage image) throws DeviceFailedException, JobRefusedException {
    return gpu.function(image);
  }

  /** How many blocks of threads of a kernel the device has room for. */
  Occupancy occupancy() {
    return gpu.occupancy();
  }

  /** Most bytes of a string result. */
  int stringBytes() {
    return settings.stringBytes();
  }

  BlockSettings blockSettings() {
    return settings.blocks();
  }

  /** Which schedules its launches have, where that is to be chosen. */
  ScheduleChoices schedules() {
    return schedules;
  }

  /** Adds what the blocks of a kernel counted. */
  void count(JobGrid.Counts ofKernel) {
    counts.add(ofKernel);
  }

  @Override
  public InnerLoad inner() {
    return counts.inner(gpu == null ? JobGrid.Counts.NONE : gpu.residentCounts());
  }

  /** The kernels of a block waited for its arguments. */
  void countStall(long nanos) {
    counts.addStall(nanos);
  }

  @Override
  public void close() {
    if (gpu == null) {
      return;
    }
    InnerLoad inner = inner();
    LOG.info(
        "{}: blocks of threads stole {} times, {} in vain, and offered {} times; kernels waited {} us"
            + " for their arguments",
        name(),
        inner.stealRequests(),
        inner.emptySteals(),
        inner.offers(),
        inner.stalledNanos() / 1000);
    if (gpu.isOver(CLOSE_READ_NANOS)) {
      giveBackAll();
    } else {
      // Nothing is given back beside a kernel that does not end: that may wait for it.
      LOG.warn("{} is still computing, so what it holds is left to the end of the process", name());
    }
  }

  /**
   * Gives back all that the device holds, and its share in the context. In a context that an error
   * has ended the driver takes nothing back; all of it goes when the context does.
   */
  private void giveBackAll() {
    OpenGpu closed = gpu;
    gpu = null;
    closed.close();
    context.close();
    closed.returnSlabs();
  }

  private void check(int code, String function) throws DeviceFailedException {
    CudaErrors.check(code, name(), function);
  }
}
