package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.List;
import jcuda.driver.CUfunction;
import org.apache.spark.unsafe.Platform;

/**
 * One launch of a call's kernel for rows whose columns are in device memory already. Its own part
 * of that memory is the caller's to allocate, of {@link #bytes()}:
 *
 * <ol>
 *   <li>what the host writes by {@link #fill}, and copies there: {@link #hostBytes()};
 *   <li>what begins as zeros: the rest. Of this the first {@link #countBytes()} are copied back
 *       behind the kernel, with what is before them, for {@link #check}.
 * </ol>
 *
 * One thread's.
 */
public final class ForeignJob {
  private final ForeignGpu gpu;
  private final String name;
  private final CUfunction function;
  private final JobGrid grid;
  private final int columns;

  /**
   * @param blocks of threads
   * @param arguments of the call
   */
  ForeignJob(
      ForeignGpu gpu,
      String name,
      CUfunction function,
      BlockSettings settings,
      int blocks,
      int rows,
      int arguments) {
    this.gpu = gpu;
    this.name = name;
    this.function = function;
    this.columns = 2 + arguments;
    this.grid = new JobGrid(settings, blocks, rows, 0, statusAt(columns), 0);
  }

  private static long statusAt(int columns) {
    return (long) StagedCall.COLUMN_BYTES * columns;
  }

  /** Bytes of device memory that it needs. */
  public long bytes() {
    return queuesAt() + JobGrid.queueBytes(grid.settings(), grid.blocks());
  }

  /** Bytes that the host writes: the table of columns, and the job. */
  public long hostBytes() {
    return StagedCall.aligned(grid.statusAt() + JobGrid.JOB_BYTES);
  }

  /** Bytes that the blocks of threads count in. */
  public long countBytes() {
    return JobGrid.tableBytes(grid.blocks());
  }

  private long queuesAt() {
    return StagedCall.aligned(hostBytes() + countBytes());
  }

  /**
   * Writes the host's part.
   *
   * @param host where to, in host memory
   * @param device where that will be on the device
   * @param result gets a value and a state for each row (columns.cuh)
   */
  public void fill(long host, long device, DeviceColumn result, List<DeviceColumn> arguments) {
    put(host, result);
    put(host + StagedCall.COLUMN_BYTES, DeviceColumn.NONE);
    for (int i = 0; i < arguments.size(); i++) {
      put(host + (long) StagedCall.COLUMN_BYTES * (2 + i), arguments.get(i));
    }
    grid.fill(0, host, device);
  }

  private static void put(long to, DeviceColumn column) {
    Platform.putLong(null, to, column.values());
    Platform.putLong(null, to + 8, column.validity());
    Platform.putLong(null, to + 16, column.heap());
    Platform.putLong(null, to + 24, column.slotBytes());
  }

  /**
   * Launches the kernel, behind what is in the stream.
   *
   * @param device its part of device memory
   * @throws JobRefusedException if the kernel cannot be launched, which is remembered
   * @throws DeviceFailedException if the GPU has failed
   */
  public void launch(long device) throws DeviceFailedException, JobRefusedException {
    long parameter = Platform.allocateMemory(JobGrid.PARAMETER_BYTES);
    try {
      grid.putParameter(parameter, device, device + queuesAt(), device + hostBytes());
      gpu.launch(function, grid.blocks(), parameter);
    } finally {
      Platform.freeMemory(parameter);
    }
  }

  /**
   * What the blocks of threads counted.
   *
   * @param host its part without the queues, copied back behind the kernel
   * @throws IllegalStateException if they did not compute each row once
   */
  public InnerLoad check(long host) {
    JobGrid.Counts counts = grid.counts(host + grid.statusAt(), host + hostBytes());
    if (counts.rows() != grid.rows() || counts.remainingChunks() != 0) {
      throw new IllegalStateException(
          "the kernel of '%s' computed %s rows on %s instead of %s, and %s chunks are left: this is a bug"
              .formatted(name, counts.rows(), gpu.name(), grid.rows(), counts.remainingChunks()));
    }
    return gpu.counted(counts);
  }
}
