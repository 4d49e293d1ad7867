package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.MemoryBuffer;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.cuda.DeviceColumn;
import io.github.sparkgpusched.device.cuda.ForeignGpu;
import io.github.sparkgpusched.device.cuda.ForeignJob;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.ArrayList;
import java.util.List;

/**
 * A call's kernel between two conversions, for one batch: cuDF's masks, strings and lists become
 * what kernels read, and then values and states of rows become a column of cuDF's. All of it is
 * queued in cuDF's default stream. What is not handed on lies in one allocation: counters, the
 * job's part, states of rows, of string results extents and slots, and what arguments become.
 *
 * <p>One thread's. Everything that it allocates is owned by the {@link Owned} that it is given.
 */
final class Evaluation {
  private static final long EXTENT_BYTES = GivenArgument.EXTENT_BYTES;

  /** Rows that are null, those of them that are left to the host, bytes of all strings. */
  private static final int COUNTER_BYTES = 64;

  private static final int LEFT_AT = 8;
  private static final int TOTAL_AT = 16;

  private final Owned owned;
  private final UdfCall call;
  private final int rows;
  private final ForeignJob job;
  private final Converters converters;

  /** Bytes of a string result's place; 0 for other results. */
  private final int slotBytes;

  private final List<GivenArgument> arguments = new ArrayList<>();

  /** The parts of the scratch memory; the counters are its begin. */
  private final long jobAt;

  private final long statesAt;
  private final long extentsAt;
  private final long slotsAt;

  private final DeviceMemoryBuffer scratch;
  private final DeviceMemoryBuffer mask;

  /** Of results of fixed width; else null. */
  private final DeviceMemoryBuffer values;

  /** Of string results, a 0 before them; else null. */
  private final DeviceMemoryBuffer sizes;

  /** Counters, and the job's part: null until {@link #compute}. */
  private HostMemoryBuffer read;

  /**
   * Allocates all that it needs, but for strings.
   *
   * @param rows at least 1
   */
  Evaluation(
      Owned owned,
      ForeignGpu gpu,
      UdfCall call,
      ForeignJob job,
      int rows,
      ColumnVector... columns) {
    this.owned = owned;
    this.call = call;
    this.rows = rows;
    this.job = job;
    converters = new Converters(gpu);
    ColumnType result = ColumnType.ofResult(call.resultType()).orElseThrow();
    slotBytes = result.isVariableWidth() ? gpu.stringBytes() : 0;
    Layout layout = new Layout();
    layout.add(COUNTER_BYTES);
    jobAt = layout.add(job.bytes());
    statesAt = layout.add(rows);
    extentsAt = layout.add(isString() ? EXTENT_BYTES * rows : 0);
    slotsAt = layout.add((long) slotBytes * rows);
    for (int i = 0; i < columns.length; i++) {
      arguments.add(owned.add(new GivenArgument(columns[i], call.argumentTypes().get(i), layout)));
    }
    scratch = owned.onDevice(layout.bytes());
    mask = owned.onDevice(maskBytes());
    values = isString() ? null : owned.onDevice((long) result.width() * rows);
    sizes = isString() ? owned.onDevice(Integer.BYTES * (rows + 1L)) : null;
  }

  private boolean isString() {
    return slotBytes > 0;
  }

  /** As cuDF pads masks. */
  private long maskBytes() {
    return ((rows + 7L) / 8 + 63) & ~63L;
  }

  private long at(long part) {
    return scratch.getAddress() + part;
  }

  /** Queues all kernels, and waits for them. */
  void compute() throws DeviceFailedException, JobRefusedException {
    begin();
    List<DeviceColumn> columns = new ArrayList<>();
    for (GivenArgument argument : arguments) {
      columns.add(argument.convert(converters, at(0)));
    }
    DeviceColumn result =
        isString()
            ? new DeviceColumn(at(extentsAt), at(statesAt), at(slotsAt), slotBytes)
            : new DeviceColumn(values.getAddress(), at(statesAt), 0, 0);
    long bytes = job.hostBytes();
    HostMemoryBuffer table = owned.onHost(bytes);
    job.fill(table.getAddress(), at(jobAt), result, columns);
    scratch.copyFromHostBuffer(jobAt, table, 0, bytes, Cuda.DEFAULT_STREAM);
    job.launch(at(jobAt));
    converters.pack(at(statesAt), mask.getAddress(), at(0), rows, maskBytes());
    if (isString()) {
      converters.sizes(at(extentsAt), at(statesAt), sizes.getAddress(), at(TOTAL_AT), rows);
    }
    read = copied(scratch, 0, jobAt + job.hostBytes() + job.countBytes());
  }

  /** Counters and queues begin as zeros. */
  private void begin() {
    Cuda.asyncMemset(at(0), (byte) 0, COUNTER_BYTES);
    Cuda.asyncMemset(at(jobAt), (byte) 0, job.bytes());
  }

  private HostMemoryBuffer copied(MemoryBuffer from, long offset, long bytes) {
    HostMemoryBuffer to = owned.onHost(bytes);
    to.copyFromMemoryBuffer(0, from, offset, bytes, Cuda.DEFAULT_STREAM);
    return to;
  }

  /** The job's part without the queues, in host memory. After {@link #compute}. */
  long jobPart() {
    return read.getAddress() + jobAt;
  }

  /** True if the device has left rows to the Java form. After {@link #compute}. */
  boolean hasLeftRows() {
    return read.getLong(LEFT_AT) > 0;
  }

  /** What the device has computed, on the host, owned as all else. After {@link #compute}. */
  HostRows.Computed onHost() {
    HostMemoryBuffer states = copied(scratch, statesAt, rows);
    return isString()
        ? new HostRows.Computed(
            states,
            copied(scratch, extentsAt, EXTENT_BYTES * rows),
            copied(scratch, slotsAt, (long) slotBytes * rows))
        : new HostRows.Computed(states, copied(values, 0, values.getLength()), null);
  }

  /**
   * The column of results, where no row was left. After {@link #compute}.
   *
   * @return the caller's
   */
  ColumnVector column() throws DeviceFailedException, JobRefusedException {
    long nulls = read.getLong(0);
    DeviceMemoryBuffer data = values;
    DeviceMemoryBuffer offsets = null;
    if (isString()) {
      offsets = offsets();
      data = strings(offsets);
    }
    return owned.column(
        CudfTypes.of(call.resultType()), rows, nulls, data, nulls > 0 ? mask : null, offsets);
  }

  private DeviceMemoryBuffer offsets() {
    long bytes = sizes.getLength();
    try (ColumnVector column = owned.column(DType.INT32, rows + 1L, 0, sizes, null, null);
        ColumnVector sums = column.prefixSum()) {
      DeviceMemoryBuffer offsets = owned.onDevice(bytes);
      offsets.copyFromDeviceBufferAsync(0, sums.getData(), 0, bytes, Cuda.DEFAULT_STREAM);
      return offsets;
    }
  }

  private DeviceMemoryBuffer strings(DeviceMemoryBuffer offsets)
      throws DeviceFailedException, JobRefusedException {
    DeviceMemoryBuffer chars = owned.onDevice(charBytes());
    if (chars != null) {
      converters.strings(
          at(extentsAt), at(slotsAt), at(statesAt), offsets.getAddress(), chars.getAddress(), rows);
    }
    return chars;
  }

  private long charBytes() {
    long total = read.getLong(TOTAL_AT);
    if (total > Integer.MAX_VALUE) {
      throw TooLarge.column(call, rows, total);
    }
    return total;
  }
}
