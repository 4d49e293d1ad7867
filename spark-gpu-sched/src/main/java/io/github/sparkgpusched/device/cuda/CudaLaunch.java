package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.columnar.Slab;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.NoRoomYetException;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUfunction;

/**
 * One launch on a CUDA device: a block of a job's rows, or blocks of several jobs that the same
 * kernels compute, whose blocks of threads then steal from each other across jobs. Owner's thread
 * only.
 */
final class CudaLaunch {
  /** As many as a warp has lanes: a warp finds the job of its share in one look. */
  static final int MOST_BLOCKS = 32;

  /**
   * Room for what is staged, of several blocks if they are small; with its zeros a power of two.
   */
  private static final long SHARED_BYTES = (256 << 10) - Slot.ZERO_BYTES;

  /** Of the first block: its kernels are those of all. */
  private final CudaLauncher launcher;

  private final CudaPipeline pipeline;
  private final List<CudaBlock> blocks = new ArrayList<>();
  private final List<JobGrid> grids = new ArrayList<>();
  private final List<JobGrid.Counts> counts = new ArrayList<>();
  private int rows;

  /** Where what the device copies by itself, what is staged, and results end so far. */
  private long copiesEnd;

  private long argumentsEnd;
  private long resultsEnd;

  /** What of the staged arguments more rows would have more of. */
  private long rowBytes;

  /** Null before the first block, and once it was given back. */
  private Slot slot;

  private BlockPlan plan;
  private LaunchTime time;
  private int open;

  /** True once a block found no room behind the others. */
  private boolean full;

  private boolean measured;
  private long computeNanos;

  /** What results are in, once a block's columns have it. */
  private Slab results;

  CudaLaunch(CudaLauncher launcher) {
    this.launcher = launcher;
    this.pipeline = launcher.device().pipeline();
  }

  /**
   * Stages a block of a job that has the same kernels.
   *
   * @return null if it does not fit behind the others
   */
  CudaBlock add(CudaLauncher its, int from, int until)
      throws DeviceFailedException, NoRoomYetException {
    CudaBlock block = new CudaBlock(this, its, from, until, blocks.size());
    boolean added = false;
    try {
      long bytes = argumentsEnd + block.argumentBytes() + statusBytes(MOST_BLOCKS);
      if (slot == null) {
        slot = take(bytes);
      } else if (!hasRoomForOneMore() || !slot.hasArgumentBytes(bytes)) {
        full = true;
        return null;
      }
      block.fill(slot, copiesEnd, argumentsEnd, resultsEnd);
      added = true;
    } finally {
      if (!added) {
        block.release();
        if (blocks.isEmpty()) {
          giveBack();
        }
      }
    }
    blocks.add(block);
    open++;
    rows += until - from;
    copiesEnd = block.copies().end();
    argumentsEnd += block.argumentBytes();
    resultsEnd += block.resultBytes();
    rowBytes += block.rowBytes();
    return block;
  }

  private Slot take(long bytes) throws DeviceFailedException, NoRoomYetException {
    return pipeline.take(bytes, roomBeside() > 0 ? Math.max(bytes, SHARED_BYTES) : bytes);
  }

  private long statusBytes(int jobs) {
    return StagedCall.aligned((long) JobGrid.JOB_BYTES * launcher.calls().size() * jobs);
  }

  /** Rows until the device or the slot is full; 0 or less if no block is to be added. */
  long roomRows() {
    if (full || !hasRoomForOneMore()) {
      return 0;
    }
    // Tables and literals: the next block has such, too, however few its rows.
    long fixedBytes = (argumentsEnd - rowBytes) / blocks.size();
    long left = slot.argumentBytes() - argumentsEnd - statusBytes(MOST_BLOCKS) - fixedBytes;
    double rowsLeft = (double) left * rows / rowBytes; // without end if none has a byte
    return Math.min(roomBeside(), (long) rowsLeft);
  }

  /** A job has one block of threads at least. */
  private boolean hasRoomForOneMore() {
    for (int i = 0; i < launcher.calls().size(); i++) {
      if (launcher.mostBlocks(i) <= blocks.size()) {
        return false;
      }
    }
    return blocks.size() < MOST_BLOCKS;
  }

  /** Rows until the device is full. */
  private long roomBeside() {
    if (launcher.timesAll() || !pipeline.sharesLaunches()) {
      return 0;
    }
    long wave = 0;
    for (int i = 0; i < launcher.calls().size(); i++) {
      wave = Math.max(wave, JobGrid.rowsAtOnce(launcher.mostBlocks(i)));
    }
    return wave - rows;
  }

  /** Launches all blocks. */
  void start() throws DeviceFailedException, DeviceMemoryException, JobRefusedException {
    plan = plan();
    boolean isTrial = blocks.size() == 1 && launcher.isTimed(grids.get(0).settings(), rows);
    time = new LaunchTime(pipeline, launcher.timesAll() || isTrial);
    time.begin();
    pipeline.kick(this, plan, slot, time.isTimed());
  }

  /** Lays out what is staged: the blocks' arguments and tables, and status; then all else. */
  private BlockPlan plan() {
    List<Integer> jobRows = blocks.stream().map(CudaBlock::rows).toList();
    long end = argumentsEnd;
    long queueBytes = 0;
    long tableBytes = 0;
    grids.clear();
    for (int i = 0; i < launcher.calls().size(); i++) {
      int threadBlocks = launcher.blocks(i, rows, blocks.size());
      JobGrid grid = new JobGrid(settings(i), threadBlocks, jobRows, queueBytes, end, tableBytes);
      grids.add(grid);
      end += (long) JobGrid.JOB_BYTES * blocks.size();
      queueBytes += JobGrid.queueBytes(grid.settings(), threadBlocks);
      tableBytes += JobGrid.tableBytes(threadBlocks);
    }
    long argumentBytes = StagedCall.aligned(end);
    long queuesAt = copiesEnd;
    long argumentsAt = queuesAt + queueBytes;
    long tablesAt = argumentsAt + argumentBytes;
    long resultsAt = tablesAt + tableBytes;
    List<BlockPlan.Kernel> kernels = new ArrayList<>();
    for (int i = 0; i < grids.size(); i++) {
      kernels.add(kernel(launcher.function(i), grids.get(i), argumentsAt, tablesAt, queuesAt));
    }
    return new BlockPlan(
        blocks.stream().map(CudaBlock::copies).toList(),
        argumentBytes,
        argumentBytes - argumentsEnd,
        resultsEnd,
        queueBytes,
        tableBytes,
        (staging, device) -> address(staging, device, argumentsAt, resultsAt),
        kernels);
  }

  private BlockSettings settings(int call) {
    return blocks.size() == 1
        ? launcher.blockSettings(call, rows)
        : launcher.blockSettings(call).fixed().forJobs();
  }

  private BlockPlan.Kernel kernel(
      CUfunction function, JobGrid grid, long argumentsAt, long tablesAt, long queuesAt) {
    return new BlockPlan.Kernel(
        function,
        grid.blocks(),
        KernelSource.BLOCK_THREADS,
        device -> {
          long to = launcher.parameter();
          grid.putParameter(to, device + argumentsAt, device + queuesAt, device + tablesAt);
          return to;
        });
  }

  private void address(long staging, long device, long argumentsAt, long resultsAt) {
    for (CudaBlock block : blocks) {
      block.address(grids, staging, device, device + argumentsAt, device + resultsAt);
    }
  }

  /**
   * Whether all blocks can be published: not while an older launch is neither published nor given
   * up.
   */
  boolean isDone() throws DeviceFailedException {
    boolean done = pipeline.rules().isOldest(this) && slot.isDone();
    if (done) {
      time.done();
    } else if (time.isLong()) {
      pipeline.helpALongBlock();
    }
    return done;
  }

  /** What so many of the rows took: their part of all; below 0 if that is not known. */
  long computeNanos(int ofRows) {
    if (!measured) {
      computeNanos = measure();
      measured = true;
    }
    return ofRows == rows || computeNanos < 0
        ? computeNanos
        : Math.max(1, Math.round((double) computeNanos * ofRows / rows));
  }

  private long measure() {
    try {
      long copyNanos = copyNanos(plan.copiedBytes() + plan.hostBytes());
      long nanos = time.computeNanos(slot, launcher.device(), copyNanos);
      if (time.isTimed() && blocks.size() == 1) {
        launcher.took(grids.get(0).settings(), rows, nanos);
      }
      return nanos;
    } catch (DeviceFailedException e) {
      // The results are there; the next call finds out what is wrong with the device.
      return -1;
    }
  }

  /** The time of copies is what as many bytes took when the device was opened. */
  private long copyNanos(long bytes) {
    return Math.round(launcher.device().transferNanosPerByte() * bytes);
  }

  /** What was copied for a block. What all have in common is the first one's. */
  Transfers transfers(CudaBlock block) {
    long in = block.copiedBytes();
    long out = block.resultBytes();
    if (block == blocks.get(0)) {
      in += plan.statusBytes();
      out += plan.hostBytes() - plan.resultBytes();
    }
    return new Transfers(in, out, copyNanos(in + out));
  }

  /** Its turn has come to deliver; where all results are in host memory. */
  long deliver(CudaBlock block) throws DeviceFailedException {
    pipeline.rules().delivered(this);
    long copied = slot.results();
    check(block, copied);
    return copied + plan.resultsAtHost();
  }

  /** Were all of a block's rows computed? */
  private void check(CudaBlock block, long status) {
    for (int i = 0; i < grids.size(); i++) {
      JobGrid grid = grids.get(i);
      long jobs = status + grid.statusAt() - argumentsEnd;
      if (counts.size() == i) {
        counts.add(grid.counts(jobs, status + plan.tableAtHost()));
        launcher.device().count(counts.get(i));
      }
      JobGrid.Counts counted = counts.get(i);
      long left = JobGrid.remainingChunks(jobs, block.index());
      // Blocks of threads count the rows of all jobs: another's that lacks some says nothing of
      // this.
      if (left != 0 || (counted.remainingChunks() == 0 && counted.rows() != rows)) {
        throw new IllegalStateException(
            "the kernel of '%s' computed %s rows on %s instead of %s, and %s chunks are left: this is a bug"
                .formatted(
                    launcher.calls().get(i).call().name(),
                    counted.rows(),
                    launcher.device().name(),
                    rows,
                    left));
      }
    }
  }

  /**
   * Whether a block's columns can have the memory that all results are in, without another copy:
   * not if they would keep much more than their own.
   */
  boolean canGiveResults(CudaBlock block) {
    return 2 * block.resultBytes() >= resultsEnd && (results != null || slot.canGiveResults());
  }

  /**
   * Of a launch that {@link #canGiveResults}: what all results are in, held until the launch ends.
   */
  Slab takeResults() {
    if (results == null) {
      results = slot.takeResults();
    }
    return results;
  }

  /** A block is over. With the last of those that were added the launch is. */
  void closed() {
    open--;
    if (open == 0) {
      giveBack();
    }
  }

  private void giveBack() {
    pipeline.rules().closed(this);
    if (results != null) {
      results.giveBack();
      results = null;
    }
    if (slot != null) {
      pipeline.giveBack(slot);
      slot = null;
    }
  }
}
