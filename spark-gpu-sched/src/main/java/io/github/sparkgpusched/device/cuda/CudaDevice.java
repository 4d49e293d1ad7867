package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.device.TextLanguage;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.schedule.DeviceFacts;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
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

  /** Rows that a warp computes at once; fewer than a warp a multiprocessor take as long. */
  private static final int WARP_ROWS = 32;

  /** How long {@link #close} waits for blocks in flight. */
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final GpuFacts facts;
  private final CudaSettings settings;
  private final PipelineDepth.Choice depth;
  private final CudaKernels kernels;
  private final RefusedKernels refused = new RefusedKernels();
  private final Stalls stalls = new Stalls();

  // Of the owner's thread from here on.
  private long rows;
  private int parts;
  private long capacity;
  private long steals;
  private long stealsWon;
  private long offers;
  private final CUdevice handle = new CUdevice();
  private final CUcontext context = new CUcontext();

  /** True while the device has a share in the primary context. */
  private boolean retained;

  private CudaPipeline pipeline;
  private CudaModules modules;

  /** Null if there is none. */
  private ResidentKernel resident;

  /** From a guess to what was measured, once, by the owner as it opens the device. */
  private volatile LinkCosts link = LinkCosts.UNMEASURED;

  CudaDevice(GpuFacts facts, CudaSettings settings, CudaKernels kernels) {
    this.facts = facts;
    this.kernels = kernels;
    this.settings = settings;
    this.depth =
        PipelineDepth.choose(settings.pipeline(), facts, System.getenv("CUDA_LAUNCH_BLOCKING"));
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

  /** Compiles the call's kernel if need be, which may take a second. */
  @Override
  public Optional<String> whyNot(UdfCall call, GpuUdf udf) {
    CudaKernels.Kernel kernel = kernels.get(call, udf, architecture());
    return kernel.failure() != null ? Optional.of(kernel.failure()) : refused.why(kernel.image());
  }

  @Override
  public Launcher launcher(List<CallOnDevice> calls)
      throws DeviceFailedException, JobRefusedException {
    return new CudaLauncher(this, calls);
  }

  /** Looks for NVRTC the first time. */
  @Override
  public Optional<TextLanguage> texts() {
    return Optional.of(new TextLanguage("CUDA", kernels.whyNoCompiler().orElse("")));
  }

  KernelImage kernel(UdfCall call, GpuUdf udf) {
    return kernels.get(call, udf, architecture()).image();
  }

  private int architecture() {
    return facts.major() * 10 + facts.minor();
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
        (long) WARP_ROWS * multiprocessors);
  }

  @Override
  public double transferNanosPerByte() {
    return link.nanosPerByte();
  }

  @Override
  public void open() throws DeviceFailedException {
    check(JCudaDriver.cuDeviceGet(handle, facts.ordinal()), "cuDeviceGet");
    check(JCudaDriver.cuDevicePrimaryCtxRetain(context, handle), "cuDevicePrimaryCtxRetain");
    retained = true;
    try {
      check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
      openInContext();
    } catch (DeviceFailedException | RuntimeException e) {
      giveBackAll();
      throw e;
    }
  }

  private void openInContext() throws DeviceFailedException {
    modules = new CudaModules(facts.name(), refused, this::stopResident);
    link = measureLink();
    pipeline =
        new CudaPipeline(
            facts, depth.depth(), settings.pinnedBytes(), modules, stalls, this::stopResident);
    LOG.info(
        "{}: a block takes {} us to be launched and copied, and 1 us more for each {} bytes",
        name(),
        link.blockNanos() / 1000,
        Math.round(1000 / Math.max(1e-3, link.nanosPerByte())));
    if (settings.resident().isOn() && depth.depth() == PipelineDepth.DRAIN_AFTER_KICK) {
      LOG.warn(
          "{} has no resident kernel: each launch is waited for, as {}", name(), depth.reason());
    } else if (settings.resident().isOn() && kernels.cluster(architecture()) > 1) {
      // The blocks of a cluster start together or not at all: beside one that stays, perhaps never.
      LOG.warn("{} has no resident kernel: spark.gpusched.cuda.cluster is not 1", name());
    } else if (settings.resident().isOn()) {
      resident = newResident();
    }
  }

  /** In a pipeline of its own, of which nothing stays. */
  private LinkCosts measureLink() throws DeviceFailedException {
    CudaPipeline measured =
        new CudaPipeline(
            facts,
            depth.depth(),
            settings.pinnedBytes(),
            modules,
            new Stalls(),
            this::stopResident);
    LinkCosts costs = LinkCosts.measure(measured);
    measured.close();
    return costs;
  }

  /**
   * Ends the context, with all that is in it, and makes a new one. Errors such as 700 are of a
   * context, and end with it; those of a GPU that is lost come again. Does nothing while a kernel
   * may still run, which a driver would wait for.
   */
  @Override
  public boolean recover() throws DeviceFailedException {
    if (!retained || !isOver()) {
      return false;
    }
    if (resident != null) {
      count(resident.counts());
    }
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

  /** Null, and a line in the log, if there is no room for it. */
  private ResidentKernel newResident() throws DeviceFailedException {
    try {
      return new ResidentKernel(
          name(),
          facts.multiprocessors(),
          settings.resident(),
          settings.blocks(),
          pipeline.pinned(),
          pipeline.memory(),
          modules);
    } catch (DeviceMemoryException e) {
      LOG.warn("{} has no resident kernel: {}", name(), e.getMessage());
      return null;
    }
  }

  private void stopResident() throws DeviceFailedException {
    if (resident != null) {
      resident.stop();
    }
  }

  /** The kernel that stays, or null if there is none. */
  ResidentKernel resident() {
    return resident;
  }

  @Override
  public boolean rest() throws DeviceFailedException {
    return resident != null && resident.rest();
  }

  @Override
  public DeviceFacts facts() throws DeviceFailedException {
    long[] freeBytes = new long[1];
    long[] totalBytes = new long[1];
    check(JCudaDriver.cuMemGetInfo(freeBytes, totalBytes), "cuMemGetInfo");
    return new DeviceFacts(
        freeBytes[0], totalBytes[0], Map.of(PlacementHints.COMPUTE_CAPABILITY, architecture()));
  }

  CudaPipeline pipeline() {
    return pipeline;
  }

  /** A kernel of an image; the image is loaded when it is first asked for. */
  CUfunction function(KernelImage image) throws DeviceFailedException, JobRefusedException {
    return modules.function(image);
  }

  /**
   * Blocks of threads of a kernel that the device can run at once, if it runs nothing else: more
   * would only start after others of them have ended. Where fewer find room, those that have
   * started compute the rows of the others.
   *
   * @param cluster blocks of a cluster
   * @return a multiple of the cluster's
   */
  int mostBlocks(CUfunction function, int cluster)
      throws DeviceFailedException, JobRefusedException {
    if (cluster > 1) {
      return clusters(function, cluster) * cluster;
    }
    int[] blocks = new int[1];
    modules.check(
        JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
            blocks, function, KernelSource.BLOCK_THREADS, 0),
        function,
        "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    if (blocks[0] == 0) {
      throw modules.refuse(
          function,
          "a kernel needs more registers or shared memory than the GPU has for a block of "
              + KernelSource.BLOCK_THREADS
              + " threads: make the CUDA function smaller");
    }
    return blocks[0] * Math.max(1, facts.multiprocessors());
  }

  /** Clusters that the device can run at once: the blocks of one are on neighbouring processors. */
  private int clusters(CUfunction function, int cluster)
      throws DeviceFailedException, JobRefusedException {
    int[] clusters = new int[1];
    modules.check(
        kernels.driver().mostClusters(clusters, function, cluster),
        function,
        "cuOccupancyMaxActiveClusters");
    if (clusters[0] == 0) {
      throw modules.refuse(
          function,
          "the GPU cannot run a cluster of "
              + cluster
              + " blocks of threads: set spark.gpusched.cuda.cluster to less");
    }
    return clusters[0];
  }

  /** Most bytes of a string result. */
  int stringBytes() {
    return settings.stringBytes();
  }

  BlockSettings blockSettings() {
    return settings.blocks();
  }

  /** Adds what the blocks of a kernel counted. */
  void count(JobGrid.Counts counts) {
    rows += counts.rows();
    parts = counts.blocks();
    capacity = counts.capacity();
    steals += counts.steals();
    stealsWon += counts.stealsWon();
    offers += counts.offers();
  }

  @Override
  public InnerLoad inner() {
    Map<String, Long> stalls = new TreeMap<>();
    long delays = 0;
    for (Edge edge : Edge.values()) {
      long nanos = stallNanos(edge);
      if (nanos > 0) {
        stalls.put(edge.name(), nanos);
        delays += edge.delaysKernels() ? nanos : 0;
      }
    }
    JobGrid.Counts stays = resident != null ? resident.counts() : JobGrid.Counts.NONE;
    boolean resides = stays.blocks() > 0;
    return new InnerLoad(
        resides ? stays.blocks() : parts,
        stays.queued(),
        resides ? stays.capacity() : capacity,
        rows + stays.rows(),
        steals + stays.steals(),
        stealsWon + stays.stealsWon(),
        offers + stays.offers(),
        delays,
        stalls);
  }

  /** How long stages waited for an edge so far, in nanoseconds. */
  long stallNanos(Edge edge) {
    return stalls.nanos(edge);
  }

  @Override
  public void close() {
    if (pipeline == null) {
      return;
    }
    InnerLoad inner = inner();
    LOG.info(
        "{}: blocks of threads stole {} times, {} in vain, and offered {} times; waits in the pipeline,"
            + " in microseconds: {}",
        name(),
        inner.stealRequests(),
        inner.emptySteals(),
        inner.offers(),
        Arrays.stream(Edge.values())
            .filter(edge -> stallNanos(edge) > 0)
            .map(edge -> edge + " " + stallNanos(edge) / 1000)
            .collect(Collectors.joining(", ")));
    if (isOver()) {
      giveBackAll();
    } else {
      leaveAll();
    }
  }

  /**
   * True if nothing runs on the device any more: all has ended by itself, or by an error. Waits a
   * while for that.
   */
  private boolean isOver() {
    try {
      if (resident != null) {
        resident.stop(CLOSE_NANOS);
      }
      return awaitQuiet();
    } catch (DeviceFailedException e) {
      LOG.debug("while a device that has failed is closed", e);
      return resident == null || !resident.mayRun();
    }
  }

  /**
   * Gives back all that the device holds, and its share in the context. In a context that an error
   * has ended the driver takes nothing back; all of it goes when the context does.
   */
  private void giveBackAll() {
    giveBack(resident == null ? null : resident::close);
    giveBack(modules == null ? null : modules::close);
    giveBack(pipeline == null ? null : pipeline::close);
    resident = null;
    modules = null;
    pipeline = null;
    JCudaDriver.cuCtxSetCurrent(new CUcontext());
    if (retained) {
      retained = false;
      JCudaDriver.cuDevicePrimaryCtxRelease(handle);
    }
  }

  private interface Closing {
    void close() throws DeviceFailedException;
  }

  private void giveBack(Closing part) {
    if (part == null) {
      return;
    }
    try {
      part.close();
    } catch (DeviceFailedException e) {
      LOG.debug("while {} gives back what it holds", name(), e);
    }
  }

  /** Nothing is given back beside a kernel that does not end: that may wait for it. */
  private void leaveAll() {
    LOG.warn("{} is still computing, so what it holds is left to the end of the process", name());
  }

  private boolean awaitQuiet() throws DeviceFailedException {
    long begin = System.nanoTime();
    while (!pipeline.isQuiet()) {
      if (System.nanoTime() - begin > CLOSE_NANOS) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  private void check(int code, String function) throws DeviceFailedException {
    CudaErrors.check(code, name(), function);
  }
}
