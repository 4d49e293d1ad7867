package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.Slab;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.schedule.NoRoomYetException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** One block of a job's rows in a {@link CudaLaunch}. Owner's thread only. */
final class CudaBlock implements Launch {
  private final CudaLaunch launch;
  private final CudaLauncher launcher;
  private final int index;
  private final int rows;
  private final List<StagedCall> staged = new ArrayList<>();
  private final SlabCopies copies;
  private final PublishedRows published;
  private final long argumentBytes;
  private final long rowBytes;
  private final long resultBytes;

  /** Where its arguments begin in what is staged, and its results in all results. */
  private long argumentsAt;

  private long resultsAt;

  /** Whether the launch's slot holds what the device copies from. */
  private boolean isLent;

  /**
   * Finds out what of the calls' columns is staged.
   *
   * @param index among the launch's blocks
   */
  CudaBlock(CudaLaunch launch, CudaLauncher launcher, int from, int until, int index) {
    this.launch = launch;
    this.launcher = launcher;
    this.index = index;
    this.rows = until - from;
    this.published = new PublishedRows(from, until);
    this.copies = new SlabCopies(launcher.device().slabs());
    IdentityHashMap<BatchColumn, StagedCall.Place> placed = new IdentityHashMap<>();
    boolean isStaged = false;
    try {
      long end = 0;
      for (CallOnDevice call : launcher.calls()) {
        int stringBytes = launcher.device().stringBytes();
        StagedCall added =
            new StagedCall(call.columns(), from, until, stringBytes, end, placed, copies);
        staged.add(added);
        end += added.bytes();
      }
      argumentBytes = StagedCall.aligned(end);
      rowBytes = staged.stream().mapToLong(StagedCall::rowBytes).sum();
      resultBytes = staged.stream().mapToLong(StagedCall::resultBytes).sum();
      isStaged = true;
    } finally {
      if (!isStaged) {
        copies.release();
      }
    }
  }

  int index() {
    return index;
  }

  int rows() {
    return rows;
  }

  SlabCopies copies() {
    return copies;
  }

  long argumentBytes() {
    return argumentBytes;
  }

  /** What of its arguments is of its rows: all but tables, literals, and gaps. */
  long rowBytes() {
    return rowBytes;
  }

  long resultBytes() {
    return resultBytes;
  }

  /** Bytes that are copied for it to the device. */
  long copiedBytes() {
    return copies.copiedBytes() + argumentBytes;
  }

  /**
   * Writes what is staged. From now on nothing of the job is read.
   *
   * @param slot has room for it
   * @param copiesAt where what the device copies by itself is to begin on the device, from the
   *     launch's begin
   * @param arguments where its arguments begin in what is staged
   * @param results where its results begin in all results
   */
  void fill(Slot slot, long copiesAt, long arguments, long results) {
    argumentsAt = arguments;
    resultsAt = results;
    copies.layOut(copiesAt);
    slot.lend(copies.slabs());
    isLent = true;
    long address = slot.argumentsToFill() + argumentsAt;
    for (StagedCall call : staged) {
      call.fill(address);
    }
  }

  /** It is not launched. */
  void release() {
    if (!isLent) {
      copies.release();
    }
  }

  /**
   * Writes the tables of its columns and its jobs, as the device's addresses are known now.
   *
   * @param grids of the launch's kernels, one a call
   * @param staging where all that is staged begins in host memory
   * @param device where the launch begins on the device
   * @param arguments where what is staged begins there
   * @param results where results begin there
   */
  void address(List<JobGrid> grids, long staging, long device, long arguments, long results) {
    long next = results + resultsAt;
    for (int i = 0; i < staged.size(); i++) {
      StagedCall call = staged.get(i);
      long own = arguments + argumentsAt;
      call.fillTable(staging + argumentsAt, device, own, next);
      grids.get(i).fill(index, staging, own + call.tableAt());
      next += call.resultBytes();
    }
  }

  @Override
  public long roomRows() {
    return launch.roomRows();
  }

  /** Stages a block of another job for the same launch; null if it does not fit. */
  CudaBlock addBeside(CudaLauncher other, int from, int until)
      throws DeviceFailedException, NoRoomYetException {
    return launch.add(other, from, until);
  }

  @Override
  public void start() throws DeviceFailedException, DeviceMemoryException, JobRefusedException {
    launch.start();
  }

  @Override
  public boolean isDone() throws DeviceFailedException {
    return launch.isDone();
  }

  @Override
  public long computeNanos() {
    return launch.computeNanos(rows);
  }

  @Override
  public Transfers transfers() {
    return launch.transfers(this);
  }

  @Override
  public void publish(long from, long until, RowsLeft left) throws DeviceFailedException {
    long results = launch.deliver(this) + resultsAt;
    published.add(from, until);
    if (until - from == rows && areColumns(results)) {
      handOver(results);
    } else {
      BlockResults.publish(staged, launcher.calls(), results, (int) from, (int) until, left);
    }
  }

  /** Whether the columns can have the memory that their results are in, without another copy. */
  private boolean areColumns(long results) {
    if (!launch.canGiveResults(this)) {
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
    Slab slab = launch.takeResults();
    long address = results;
    for (StagedCall call : staged) {
      call.handOver(slab, address);
      address += call.resultBytes();
    }
  }

  @Override
  public void close() {
    launch.closed();
  }
}
