package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.Slab;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launch;
import java.util.ArrayList;
import java.util.IdentityHashMap;
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
  private final LaunchTime time;
  private boolean counted;
  private boolean measured;

  /** Null once it was given back. */
  private Slot slot;

  CudaLaunch(CudaLauncher launcher, int from, int until)
      throws DeviceFailedException, DeviceMemoryException {
    this.launcher = launcher;
    this.pipeline = launcher.device().pipeline();
    this.published = new PublishedRows(from, until);
    SlabCopies copies = new SlabCopies(launcher.device().slabs());
    boolean filled = false;
    try {
      long end = stage(from, until, copies);
      plan = plan(until - from, end, copies.layOut());
      slot = pipeline.take(plan.argumentBytes());
      slot.lend(copies.slabs());
      time =
          new LaunchTime(
              pipeline,
              launcher.timesAll() || launcher.isTimed(grids.get(0).settings(), until - from));
      long address = slot.argumentsToFill();
      for (StagedCall call : staged) {
        call.fill(address);
      }
      filled = true;
    } finally {
      if (!filled) {
        giveUp(copies);
      }
    }
  }

  private void giveUp(SlabCopies copies) {
    if (slot == null) {
      copies.release();
    } else {
      pipeline.giveBack(slot);
    }
  }

  /**
   * Finds out what of the calls' columns is staged.
   *
   * @return where it ends
   */
  private long stage(int from, int until, SlabCopies copies) {
    IdentityHashMap<BatchColumn, StagedCall.Place> placed = new IdentityHashMap<>();
    long end = 0;
    for (CallOnDevice call : launcher.calls()) {
      int stringBytes = launcher.device().stringBytes();
      StagedCall added =
          new StagedCall(call.columns(), from, until, stringBytes, end, placed, copies);
      staged.add(added);
      end += added.bytes();
    }
    return end;
  }

  /** Lays out what is staged: the calls' arguments, their tables and status; then all else. */
  private BlockPlan plan(int rows, long statusAt, SlabCopies copies) {
    int calls = staged.size();
    long end = statusAt;
    long queueBytes = 0;
    long tableBytes = 0;
    for (int i = 0; i < calls; i++) {
      BlockSettings settings = launcher.blockSettings(i, rows);
      int blocks = launcher.blocks(i, rows);
      grids.add(new JobGrid(settings, blocks, rows, queueBytes, end, tableBytes));
      end += JobGrid.JOB_BYTES;
      queueBytes += JobGrid.queueBytes(settings, blocks);
      tableBytes += JobGrid.tableBytes(blocks);
    }
    long argumentBytes = StagedCall.aligned(end);
    long resultBytes = staged.stream().mapToLong(StagedCall::resultBytes).sum();
    long queuesAt = copies.bytes();
    long argumentsAt = queuesAt + queueBytes;
    long tablesAt = argumentsAt + argumentBytes;
    long resultsAt = tablesAt + tableBytes;
    List<BlockPlan.Kernel> kernels = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      kernels.add(kernel(launcher.function(i), grids.get(i), argumentsAt, tablesAt, queuesAt));
    }
    return new BlockPlan(
        copies,
        argumentBytes,
        argumentBytes - statusAt,
        resultBytes,
        queueBytes,
        tableBytes,
        (staging, block) -> address(staging, block, block + argumentsAt, block + resultsAt),
        kernels);
  }

  private BlockPlan.Kernel kernel(
      CUfunction function, JobGrid grid, long argumentsAt, long tablesAt, long queuesAt) {
    return new BlockPlan.Kernel(
        function,
        grid.blocks(),
        KernelSource.BLOCK_THREADS,
        block -> {
          long to = launcher.parameter();
          grid.putParameter(to, block + argumentsAt, block + queuesAt, block + tablesAt);
          return to;
        });
  }

  private void address(long staging, long block, long arguments, long results) {
    long next = results;
    for (int i = 0; i < staged.size(); i++) {
      StagedCall call = staged.get(i);
      call.fillTable(staging, block, arguments, next);
      grids.get(i).fill(staging, arguments, call.tableAt());
      next += call.resultBytes();
    }
  }

  @Override
  public void start() throws DeviceFailedException, DeviceMemoryException, JobRefusedException {
    time.begin();
    pipeline.kick(this, plan, slot, time.isTimed());
  }

  /**
   * A block that could be published is not done while an older one is neither published nor given
   * up.
   */
  @Override
  public boolean isDone() throws DeviceFailedException {
    boolean done = pipeline.rules().isOldest(this) && slot.isDone();
    if (done) {
      time.done();
    } else if (time.isLong()) {
      pipeline.helpALongBlock();
    }
    return done;
  }

  @Override
  public long computeNanos() {
    try {
      long nanos = time.computeNanos(slot, launcher.device(), transfers().nanos());
      if (!measured && time.isTimed()) {
        launcher.took(grids.get(0).settings(), grids.get(0).rows(), nanos);
        measured = true;
      }
      return nanos;
    } catch (DeviceFailedException e) {
      // The results are there; the next call finds out what is wrong with the device.
      return -1;
    }
  }

  /** The time of copies is what as many bytes took when the device was opened. */
  @Override
  public Transfers transfers() {
    double perByte = launcher.device().transferNanosPerByte();
    long bytes = plan.copiedBytes() + plan.hostBytes();
    return new Transfers(plan.copiedBytes(), plan.hostBytes(), Math.round(perByte * bytes));
  }

  @Override
  public void publish(long from, long until, RowsLeft left) throws DeviceFailedException {
    pipeline.rules().delivered(this);
    long copied = slot.results();
    count(copied, copied + plan.tableAtHost());
    published.add(from, until);
    long results = copied + plan.resultsAtHost();
    if (until - from == staged.get(0).rows() && areColumns(results)) {
      handOver(results);
    } else {
      launcher.publish(staged, results, (int) from, (int) until, left);
    }
  }

  /** Whether the columns can have the memory that their results are in, without another copy. */
  private boolean areColumns(long results) {
    if (!slot.canGiveResults()) {
      return false;
    }
    long address = results;
    for (StagedCall call : staged) {
      if (!call.isWholeBatch() || call.hasRowsForHost(address)) {
        return false;
      }
      address += call.resultBytes();
    }
    return true;
  }

  private void handOver(long results) {
    Slab slab = slot.takeResults();
    long address = results;
    for (StagedCall call : staged) {
      call.handOver(slab, address);
      address += call.resultBytes();
    }
    slab.giveBack();
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
    if (slot != null) {
      pipeline.giveBack(slot);
      slot = null;
    }
  }
}
