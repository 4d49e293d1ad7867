package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.schedule.Launcher;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUfunction;
import org.apache.spark.unsafe.Platform;

/** Computes the blocks of a job's calls on a CUDA device. Owner's thread only. */
final class CudaLauncher implements Launcher {
  private final CudaDevice device;
  private final List<CallOnDevice> calls;

  /** One a call. */
  private final List<Kernel> kernels = new ArrayList<>();

  private boolean mayStay = true;

  /** Whether each block is timed by events, for a bench. */
  private final boolean timesAll;

  /** Where kernel parameters are put together, in host memory; the driver copies them at once. */
  private final long parameter;

  /**
   * A call's kernel.
   *
   * @param key of its image
   * @param cluster blocks of threads of a cluster
   * @param mostBlocks blocks of threads that the device can run at once
   */
  private record Kernel(CUfunction function, String key, int cluster, int mostBlocks) {}

  /**
   * Loads the kernels.
   *
   * @param calls of each {@link CudaDevice#whyNot} was empty
   * @throws JobRefusedException if the device cannot load or run a kernel
   */
  public CudaLauncher(CudaDevice device, List<CallOnDevice> calls)
      throws DeviceFailedException, JobRefusedException {
    this(device, calls, false, false);
  }

  /**
   * As above, but each block's kernels are timed, and optionally of kernels whose strategy is
   * {@code static}, with as many blocks of threads as make a thread for each row, as one launches a
   * kernel that schedules nothing itself: to compare with.
   */
  static CudaLauncher timed(CudaDevice device, List<CallOnDevice> calls, boolean threadPerRow)
      throws DeviceFailedException, JobRefusedException {
    return new CudaLauncher(device, calls, true, threadPerRow);
  }

  private CudaLauncher(
      CudaDevice device, List<CallOnDevice> calls, boolean timesAll, boolean threadPerRow)
      throws DeviceFailedException, JobRefusedException {
    this.device = device;
    this.timesAll = timesAll;
    this.calls = List.copyOf(calls);
    for (CallOnDevice call : calls) {
      KernelImage image = device.kernel(call.call(), call.udf());
      CUfunction function = device.function(image);
      int most = threadPerRow ? Integer.MAX_VALUE : device.occupancy().mostBlocks(function, image);
      kernels.add(new Kernel(function, image.key(), image.cluster(), most));
      mayStay &= image.mayStay();
    }
    if (!threadPerRow) {
      device.countWave(kernels.stream().mapToInt(Kernel::mostBlocks).max().orElseThrow());
    }
    parameter = Platform.allocateMemory(JobGrid.PARAMETER_BYTES);
  }

  CudaDevice device() {
    return device;
  }

  List<CallOnDevice> calls() {
    return calls;
  }

  /** Whether its kernels may be given new rows while they run. */
  boolean mayStay() {
    return mayStay;
  }

  CUfunction function(int call) {
    return kernels.get(call).function();
  }

  /** Blocks of threads that the device can run at once of a call's kernel. */
  int mostBlocks(int call) {
    return kernels.get(call).mostBlocks();
  }

  /**
   * Blocks of threads that so many rows are launched in, of a call's kernel: one a job, or more.
   */
  int blocks(int call, int rows, int jobs) {
    int most = mostBlocks(call);
    int wanted =
        most == Integer.MAX_VALUE
            ? JobGrid.blocksOfThreads(rows)
            : Math.max(jobs, JobGrid.blocksFor(rows, device.gpu().multiprocessors()));
    // A multiple of the cluster's blocks, as the most is.
    return Math.min(most, JobGrid.wholeClusters(wanted, kernels.get(call).cluster()));
  }

  /** Whether each block is timed by events. */
  boolean timesAll() {
    return timesAll;
  }

  /** How the blocks of threads of a call's kernel share rows. */
  BlockSettings blockSettings(int call) {
    return device.blockSettings().forUdf(calls.get(call).udf());
  }

  /** The same for a launch of so many rows. */
  BlockSettings blockSettings(int call, long rows) {
    BlockSettings settings = blockSettings(call);
    // Of several kernels in a launch it is not known what each took.
    return calls.size() > 1
        ? settings.fixed()
        : device.schedules().next(kernels.get(call).key(), calls.get(call).udf(), settings, rows);
  }

  /**
   * Whether a launch of {@link #blockSettings(int, long)} is timed, to choose how rows are shared.
   */
  boolean isTimed(BlockSettings had, long rows) {
    return calls.size() == 1
        && blockSettings(0).isChosen()
        && device.schedules().isTimed(kernels.get(0).key(), had, rows);
  }

  /** What the kernel of a launch took that had settings of {@link #blockSettings(int, long)}. */
  void took(BlockSettings had, long rows, long nanos) {
    if (calls.size() == 1) {
      String name = calls.get(0).call().name();
      device.schedules().took(kernels.get(0).key(), name, had, rows, nanos);
    }
  }

  long parameter() {
    return parameter;
  }

  @Override
  public Launch stage(long from, long until) throws Exception {
    Launch small = ResidentLaunch.stage(this, (int) from, (int) until);
    return small != null ? small : new CudaLaunch(this).add(this, (int) from, (int) until);
  }

  @Override
  public Launch stageBeside(Launch first, long from, long until) throws Exception {
    return ((CudaBlock) first).addBeside(this, (int) from, (int) until);
  }

  @Override
  public void close() {
    Platform.freeMemory(parameter);
  }
}
