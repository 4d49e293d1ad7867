package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.columnar.SlabPool;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import jcuda.driver.CUfunction;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a device holds in its context: loaded kernels, a pipeline, perhaps a kernel that stays. New
 * with each context; {@link #open} once, then {@link #close} once, also if opening failed. Owner's
 * thread only.
 */
final class OpenGpu {
  private static final Logger LOG = LoggerFactory.getLogger(OpenGpu.class);

  /** How long {@link #isOver} waits for the device's own blocks in flight. */
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Between two looks at what other devices read. */
  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final GpuFacts facts;
  private final CudaSettings settings;
  private final PipelineDepth.Choice depth;
  private final CudaKernels kernels;
  private final RefusedKernels refused;
  private final CudaModules modules;
  private final Occupancy occupancy;
  private final LockedRegions regions;
  private LinkCosts link = LinkCosts.UNMEASURED;

  /** Null until it is opened. */
  private CudaPipeline pipeline;

  /** Null until it is opened, and if there is none. */
  private ResidentKernel resident;

  OpenGpu(
      GpuFacts facts,
      CudaSettings settings,
      PipelineDepth.Choice depth,
      CudaKernels kernels,
      RefusedKernels refused,
      SlabPool slabs) {
    this.regions = new LockedRegions(slabs);
    this.facts = facts;
    this.settings = settings;
    this.depth = depth;
    this.kernels = kernels;
    this.refused = refused;
    modules = new CudaModules(facts.name(), refused, this::stopResident);
    occupancy = new Occupancy(facts, modules, kernels.driver());
  }

  /** Measures the link, and makes all parts. */
  void open() throws DeviceFailedException {
    // In a pipeline of its own, of which nothing stays.
    CudaPipeline measured = newPipeline(SlabPool.NONE);
    link = LinkCosts.measure(measured);
    measured.close();
    pipeline = newPipeline(regions.pool());
    LOG.info(
        "{}: a block takes {} us to be launched and copied, and 1 us more for each {} bytes",
        facts.name(),
        link.blockNanos() / 1000,
        Math.round(1000 / Math.max(1e-3, link.nanosPerByte())));
    if (settings.resident().isOn()) {
      openResident();
    }
    // Last: other devices may copy from there from now on, and what failed would take that away.
    regions.grow(pipeline.pinned());
  }

  private CudaPipeline newPipeline(SlabPool slabs) throws DeviceFailedException {
    PinnedMemory pinned =
        new PinnedMemory(facts.name(), settings.pinnedBytes(), this::stopResident);
    return new CudaPipeline(facts, depth.depth(), pinned, slabs, modules, this::stopResident);
  }

  /** Makes room for more batches where tasks have found none. Between blocks. */
  void growIfShort() throws DeviceFailedException {
    if (regions.pool().isShort()) {
      regions.grow(pipeline.pinned());
    }
  }

  /** None, and a line in the log, where it cannot be. */
  private void openResident() throws DeviceFailedException {
    if (depth.depth() == PipelineDepth.DRAIN_AFTER_KICK) {
      LOG.warn(
          "{} has no resident kernel: each launch is waited for, as {}",
          facts.name(),
          depth.reason());
      return;
    } else if (kernels.cluster(facts.architecture()) > 1) {
      // The blocks of a cluster start together or not at all: beside one that stays, perhaps never.
      LOG.warn("{} has no resident kernel: spark.gpusched.cuda.cluster is not 1", facts.name());
      return;
    }
    try {
      resident =
          new ResidentKernel(
              facts.name(),
              facts.multiprocessors(),
              settings.resident(),
              settings.blocks(),
              pipeline.pinned(),
              pipeline.memory(),
              modules,
              TimeUnit.MILLISECONDS.toNanos(settings.blockMillis()));
    } catch (DeviceMemoryException e) {
      LOG.warn("{} has no resident kernel: {}", facts.name(), e.getMessage());
    }
  }

  private void stopResident() throws DeviceFailedException {
    if (resident != null) {
      resident.stop();
    }
  }

  /** What a block costs besides its kernel. */
  LinkCosts link() {
    return link;
  }

  CudaPipeline pipeline() {
    return pipeline;
  }

  /** The kernel that stays, or null if there is none. */
  ResidentKernel resident() {
    return resident;
  }

  /** What the kernel that stays has counted. */
  JobGrid.Counts residentCounts() {
    return resident == null ? JobGrid.Counts.NONE : resident.counts();
  }

  /** A kernel of an image; the image is loaded when it is first asked for. */
  CUfunction function(KernelImage image) throws DeviceFailedException, JobRefusedException {
    return modules.function(image);
  }

  /** How many blocks of threads of a kernel the device has room for. */
  Occupancy occupancy() {
    return occupancy;
  }

  /**
   * True if nothing runs on the device any more: all has ended by itself, or by an error; and if no
   * block of another device reads what this one has page-locked. Waits for both: for its own blocks
   * two seconds. Two devices may do so at once, each of them for the other.
   *
   * @param readNanos how long to wait for other devices: they give back what they were lent as
   *     whole blocks end, kernels and all
   */
  boolean isOver(long readNanos) {
    regions.close();
    if (!hasEnded()) {
      return false;
    }
    if (pipeline != null) {
      pipeline.returnLent();
    }
    return isUnread(readNanos);
  }

  private boolean isUnread(long readNanos) {
    long begin = System.nanoTime();
    while (regions.areRead()) {
      if (System.nanoTime() - begin > readNanos) {
        LOG.warn(
            "{} cannot end its context: a block of another GPU that reads its memory has not ended"
                + " in {} ms",
            facts.name(),
            TimeUnit.NANOSECONDS.toMillis(readNanos));
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  private boolean hasEnded() {
    try {
      if (resident != null) {
        resident.stop(END_NANOS);
      }
      return awaitQuiet();
    } catch (DeviceFailedException e) {
      LOG.debug("while a device that has failed is closed", e);
      return resident == null || !resident.mayRun();
    }
  }

  /**
   * Has the device refuse the kernels that it was at work for, if what they did has ended the
   * context. After {@link #isOver}, before {@link #close}.
   */
  void refuseWhatEndedIt() {
    int code = JCudaDriver.cuMemGetInfo(new long[1], new long[1]); // as any call would tell
    if (!CudaErrors.isOfAFunction(code)) {
      return;
    }
    List<Set<CUfunction>> underWay = new ArrayList<>(pipeline.underWay());
    CUfunction stays = resident == null ? null : resident.atWork();
    if (stays != null) {
      underWay.add(Set.of(stays));
    }
    refused.endedContext(
        underWay.stream()
            .map(block -> block.stream().map(modules::image).collect(Collectors.toSet()))
            .toList(),
        CudaErrors.message(code, facts.name(), "a block of this function")
            + "; that ended all the executor had on the GPU, so the function is not used there any"
            + " more: mend it for the next executor, or let its cuda() give none");
  }

  private boolean awaitQuiet() throws DeviceFailedException {
    long begin = System.nanoTime();
    while (pipeline != null && !pipeline.isQuiet()) {
      if (System.nanoTime() - begin > END_NANOS) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  /**
   * Gives all back. In a context that an error has ended the driver takes nothing back; all of it
   * goes when the context does.
   */
  void close() {
    giveBack(resident == null ? null : resident::close);
    giveBack(modules::close);
    giveBack(pipeline == null ? null : pipeline::close);
    giveBack(pipeline == null ? null : () -> regions.unlock(pipeline.pinned()));
  }

  /** The context has ended, after {@link #close}: what it had of batches is theirs alone. */
  void returnSlabs() {
    if (pipeline != null) {
      pipeline.returnSlabs();
    }
    regions.drop();
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
      LOG.debug("while {} gives back what it holds", facts.name(), e);
    }
  }
}
