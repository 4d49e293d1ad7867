package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launch;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUfunction;

/** One block of a job's rows on a CUDA device. Owner's thread only. */
final class CudaLaunch implements Launch {
  private final CudaLauncher launcher;
  private final CudaPipeline pipeline;
  private final List<StagedCall> staged = new ArrayList<>();
  private final List<JobGrid> grids = new ArrayList<>();
  private final BlockPlan plan;
  private final PublishedRows published;
  private boolean counted;
  private boolean measured;

  /** Null once the device has been told to copy it, or once it was given back. */
  private OrderedBuffer arguments;

  /** Null unless kicked off and not closed. */
  private Slot slot;

  CudaLaunch(CudaLauncher launcher, int from, int until)
      throws DeviceFailedException, DeviceMemoryException {
    this.launcher = launcher;
    this.pipeline = launcher.device().pipeline();
    this.published = new PublishedRows(from, until);
    for (CallOnDevice call : launcher.calls()) {
      staged.add(new StagedCall(call.columns(), from, until, launcher.device().stringBytes()));
    }
    plan = plan(until - from);
    arguments = pipeline.takeStaging(plan.argumentBytes());
    long address = arguments.acquire(Stage.HOST_FILL);
    for (StagedCall call : staged) {
      call.fill(address);
      address += call.bytes();
    }
    arguments.releaseOnHost(Stage.HOST_FILL);
  }

  /** Lays the block out: the calls' arguments, their status and tables; then results and queues. */
  private BlockPlan plan(int rows) {
    int calls = staged.size();
    int[] blocks = new int[calls];
    long statusAt = 0;
    for (int i = 0; i < calls; i++) {
      int wanted = (rows + KernelSource.BLOCK_THREADS - 1) / KernelSource.BLOCK_THREADS;
      // A multiple of the cluster's blocks, as the most is.
      int cluster = launcher.cluster(i);
      int clusters = Math.max(1, (wanted + cluster - 1) / cluster);
      blocks[i] = Math.min(launcher.mostBlocks(i), clusters * cluster);
      statusAt += staged.get(i).bytes();
    }
    long end = statusAt;
    long queueBytes = 0;
    long tableBytes = 0;
    for (int i = 0; i < calls; i++) {
      BlockSettings settings = launcher.blockSettings(i, rows);
      grids.add(new JobGrid(settings, blocks[i], rows, queueBytes, end, tableBytes));
      end += JobGrid.JOB_BYTES;
      queueBytes += JobGrid.queueBytes(settings, blocks[i]);
      tableBytes += JobGrid.tableBytes(blocks[i]);
    }
    long argumentBytes = StagedCall.aligned(end);
    long resultBytes = staged.stream().mapToLong(StagedCall::resultBytes).sum();
    long resultsAt = argumentBytes + tableBytes;
    long queuesAt = resultsAt + resultBytes;
    List<BlockPlan.Kernel> kernels = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      kernels.add(kernel(launcher.function(i), grids.get(i), argumentBytes, queuesAt));
    }
    return new BlockPlan(
        argumentBytes,
        argumentBytes - statusAt,
        resultBytes,
        queueBytes,
        tableBytes,
        (staging, device) -> address(staging, device, resultsAt),
        kernels);
  }

  private BlockPlan.Kernel kernel(CUfunction function, JobGrid grid, long tablesAt, long queuesAt) {
    return new BlockPlan.Kernel(
        function,
        grid.blocks(),
        KernelSource.BLOCK_THREADS,
        device -> {
          grid.putParameter(launcher.parameter(), device, device + queuesAt, device + tablesAt);
          return launcher.parameter();
        });
  }

  private void address(long staging, long device, long resultsAt) {
    long columnsAt = 0;
    long results = device + resultsAt;
    for (int i = 0; i < staged.size(); i++) {
      StagedCall call = staged.get(i);
      call.fillTable(staging + columnsAt, device + columnsAt, results);
      grids.get(i).fill(staging, device, columnsAt);
      columnsAt += call.bytes();
      results += call.resultBytes();
    }
  }

  @Override
  public void start() throws DeviceFailedException, DeviceMemoryException, JobRefusedException {
    slot = pipeline.kick(this, plan, arguments);
    // Its events say when it can be filled again.
    pipeline.staging().giveBack(arguments);
    arguments = null;
  }

  /**
   * A block that could be published is not done while an older one is neither published nor given
   * up.
   */
  @Override
  public boolean isDone() throws DeviceFailedException {
    return pipeline.rules().isOldest(this) && pipeline.isDone(this, slot);
  }

  @Override
  public long computeNanos() {
    try {
      long nanos = pipeline.computeNanos(slot, plan);
      if (!measured) {
        launcher.took(grids.get(0).settings(), grids.get(0).rows(), nanos);
        measured = true;
      }
      return nanos;
    } catch (DeviceFailedException e) {
      // The results are there; the next call finds out what is wrong with the device.
      return -1;
    }
  }

  @Override
  public Transfers transfers() {
    long nanos;
    try {
      nanos = pipeline.transferNanos(slot);
    } catch (DeviceFailedException e) {
      nanos = 0; // as above
    }
    return new Transfers(plan.argumentBytes(), plan.hostBytes(), nanos);
  }

  @Override
  public void publish(long from, long until, RowsLeft left) throws DeviceFailedException {
    pipeline.rules().delivered(this);
    long address = slot.results.acquire(Stage.HOST_PUBLISH);
    count(address + plan.resultBytes(), address + plan.tableAt());
    published.add(from, until);
    launcher.publish(staged, address, (int) from, (int) until, left);
  }

  /** Once a block: were all rows computed, and by how many steals? */
  private void count(long status, long table) {
    if (counted) {
      return;
    }
    long begin = grids.get(0).statusAt();
    for (int i = 0; i < staged.size(); i++) {
      JobGrid.Counts counts = grids.get(i).counts(status + grids.get(i).statusAt() - begin, table);
      if (counts.remainingChunks() != 0 || counts.rows() != staged.get(i).rows()) {
        throw new IllegalStateException(
            "the kernel of '%s' computed %d rows on %s instead of %d, and %d chunks are left: this is a bug"
                .formatted(
                    launcher.calls().get(i).call().name(),
                    counts.rows(),
                    launcher.device().name(),
                    staged.get(i).rows(),
                    counts.remainingChunks()));
      }
      launcher.device().count(counts);
    }
    counted = true;
  }

  @Override
  public void close() {
    pipeline.rules().closed(this);
    if (arguments != null) {
      pipeline.staging().giveBack(arguments);
      arguments = null;
    }
    if (slot != null) {
      pipeline.giveBack(slot);
      slot = null;
    }
  }
}
