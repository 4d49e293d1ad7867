package io.github.sparkgpusched.device;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.columnar.ResultWriter;
import io.github.sparkgpusched.columnar.SlabPool;
import io.github.sparkgpusched.device.host.HostCall;
import io.github.sparkgpusched.schedule.Launch;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.commons.lang3.SerializationUtils;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;

/** A batch of rows of one call, with a result column for a device and one for the host form. */
public final class Batch implements AutoCloseable {
  /** The host forms of calls that were begun. */
  private static final Map<CallOnDevice, HostCall> HOSTS =
      Collections.synchronizedMap(new IdentityHashMap<>());

  private static final int CHUNK_BYTES = 256 << 10;

  /** Where batches that are made from now on lie, if there is room. */
  private static volatile SlabPool slabs = SlabPool.NONE;

  private final BatchMemory memory =
      new BatchMemory(
          new TaskMemoryManager(UnifiedMemoryManager.apply(new SparkConf(false), 1), 0), slabs);

  /** Of the last chunk for strings and arrays. */
  private long chunkAt;

  private long chunkEnd;

  private final List<BatchColumn> arguments = new ArrayList<>();
  private final UdfCall call;
  private final GpuUdf udf;
  private final int rows;
  private BatchColumn guard;
  private CallColumns onDevice;
  private CallColumns onHost;

  public Batch(int rows, GpuUdf udf, String name, DataType result, DataType... types) {
    this(rows, udf, new UdfCall(name, List.of(types), result));
  }

  public Batch(int rows, GpuUdf udf, UdfCall call) {
    this.rows = rows;
    this.udf = udf;
    this.call = call;
  }

  /** Batches that are made from now on lie where a device copies from them by itself. */
  public static void lieIn(SlabPool pool) {
    slabs = pool;
  }

  public int rows() {
    return rows;
  }

  /**
   * Fills the next argument; a null is a null, bytes are strings, doubles[] arrays; one object is
   * there once.
   */
  public Batch argument(IntFunction<Object> values) {
    DataType type = call.argumentTypes().get(arguments.size());
    arguments.add(column(type, values));
    return this;
  }

  /** Fills the next argument with a literal. */
  public Batch literal(Object value) {
    argument(row -> value);
    arguments.get(arguments.size() - 1).repeatFirst();
    return this;
  }

  public Batch guard(IntFunction<Object> values) {
    guard = column(org.apache.spark.sql.types.DataTypes.BooleanType, values);
    return this;
  }

  private BatchColumn column(DataType type, IntFunction<Object> values) {
    BatchColumn column = empty(ColumnType.ofArgument(type).orElseThrow(), type);
    column.setAllValid(0, rows);
    IdentityHashMap<Object, Long> addresses = new IdentityHashMap<>();
    for (int row = 0; row < rows; row++) {
      Object value = values.apply(row);
      long at = column.valueAddress(row);
      if (value == null) {
        Platform.putByte(null, column.validityAddress(row), (byte) 0);
        column.setMayHaveNulls(true);
      } else if (value instanceof Double d) {
        Platform.putDouble(null, at, d);
      } else if (value instanceof Integer n && column.type() == ColumnType.INT) {
        Platform.putInt(null, at, n);
      } else if (value instanceof Integer n && column.type() == ColumnType.SHORT) {
        Platform.putShort(null, at, n.shortValue());
      } else if (value instanceof Integer n) {
        Platform.putByte(null, at, n.byteValue());
      } else if (value instanceof Long n) {
        Platform.putLong(null, at, n);
      } else if (value instanceof Float n) {
        Platform.putFloat(null, at, n);
      } else if (value instanceof Boolean b) {
        Platform.putByte(null, at, (byte) (b ? 1 : 0));
      } else {
        Platform.putLong(null, at, addresses.computeIfAbsent(value, this::copied));
        Platform.putInt(null, at + 8, bytes(value));
      }
    }
    return column;
  }

  private long copied(Object value) {
    long address = place(Math.max(8, bytes(value)));
    if (value instanceof byte[] bytes) {
      Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET, null, address, bytes.length);
    } else {
      putArray((Double[]) value, address);
    }
    return address;
  }

  private static int bytes(Object value) {
    return value instanceof byte[] bytes ? bytes.length : arrayBytes((Double[]) value);
  }

  private static int headerBytes(int length) {
    return 8 + (length + 63) / 64 * 8;
  }

  private static int arrayBytes(Double[] array) {
    return headerBytes(array.length) + 8 * array.length;
  }

  private static void putArray(Double[] array, long address) {
    Platform.setMemory(null, address, arrayBytes(array), (byte) 0);
    Platform.putLong(null, address, array.length);
    for (int i = 0; i < array.length; i++) {
      if (array[i] == null) {
        long word = address + 8 + (i >> 6) * 8L;
        Platform.putLong(null, word, Platform.getLong(null, word) | 1L << (i & 63));
      } else {
        Platform.putDouble(null, address + headerBytes(array.length) + 8L * i, array[i]);
      }
    }
  }

  private BatchColumn empty(ColumnType type, DataType dataType) {
    BatchColumn column = new BatchColumn(type, dataType, memory);
    try {
      column.reserve(Math.max(1, rows));
    } catch (BatchMemory.Refused e) {
      throw new IllegalStateException(e);
    }
    return column;
  }

  private long place(long bytes) {
    long size = (bytes + 7) & ~7L;
    if (chunkEnd - chunkAt < size) {
      long chunk = Math.max(size, CHUNK_BYTES);
      try {
        chunkAt = memory.allocate(chunk);
      } catch (BatchMemory.Refused e) {
        throw new IllegalStateException(e);
      }
      chunkEnd = chunkAt + chunk;
    }
    chunkAt += size;
    return chunkAt - size;
  }

  /** The job is over: results may be read. */
  public void end() {
    onDevice.result().takeAdopted();
  }

  /** Begins a job: all results null. To be called once the arguments are filled. */
  public CallOnDevice begin() {
    if (onDevice == null) {
      onDevice = columns();
      onHost = columns();
    }
    onDevice.begin(rows);
    onHost.begin(rows);
    CallOnDevice begun =
        new CallOnDevice(call, udf, onDevice, new ResultWriter(onDevice.result(), memory));
    HOSTS.put(begun, hostCall(onDevice));
    return begun;
  }

  /** Computes what a launch leaves, as a job's threads do. */
  public static Launch.RowsLeft onHost(List<CallOnDevice> calls) {
    return (from, until) -> {
      for (CallOnDevice begun : calls) {
        HOSTS.get(begun).run((int) from, (int) until);
      }
    };
  }

  private CallColumns columns() {
    BatchColumn result =
        empty(ColumnType.ofResult(call.resultType()).orElseThrow(), call.resultType());
    return new CallColumns(arguments.toArray(BatchColumn[]::new), guard, result, udf.takesNulls());
  }

  /** The call of a batch that was begun, for one more device. */
  public CallOnDevice onceMore(CallOnDevice begun) {
    ResultWriter writer = new ResultWriter(begun.columns().result(), memory);
    return new CallOnDevice(begun.call(), begun.udf(), begun.columns(), writer);
  }

  /** One more thread's way to compute rows of the batch that was begun, as if it were a device. */
  public HostCall beside(CallOnDevice begun) {
    // With a UDF of its own, as each thread has: they have fields.
    return hostCall(SerializationUtils.clone((Serializable & GpuUdf) udf), begun.columns());
  }

  private HostCall hostCall(CallColumns columns) {
    return hostCall(udf, columns);
  }

  private HostCall hostCall(GpuUdf ofThread, CallColumns columns) {
    HostCall host = new HostCall(call, ofThread, columns, memory, () -> false);
    host.beginBatch(0);
    return host;
  }

  public UdfCall call() {
    return call;
  }

  public GpuUdf udf() {
    return udf;
  }

  /** True if no result has been written. */
  boolean isUntouched() {
    for (int row = 0; row < rows; row++) {
      if (!onDevice.result().isNull(row)) {
        return false;
      }
    }
    return true;
  }

  /** Computes all rows by the host form, and compares the device's results with them. */
  public void check() {
    end();
    hostCall(onHost).run(0, rows);
    BatchColumn device = onDevice.result();
    BatchColumn host = onHost.result();
    for (int row = 0; row < rows; row++) {
      if (device.isNull(row) != host.isNull(row)
          || (!host.isNull(row) && !sameBytes(device, host, row))) {
        throw new AssertionError(
            call.name()
                + " row "
                + row
                + ": "
                + device.describe(row)
                + " instead of "
                + host.describe(row));
      }
    }
  }

  private static boolean sameBytes(BatchColumn a, BatchColumn b, int row) {
    if (a.type() == ColumnType.BYTES) {
      return a.getUtf8(row).equals(b.getUtf8(row));
    }
    for (int i = 0; i < a.type().width(); i++) {
      if (Platform.getByte(null, a.valueAddress(row) + i)
          != Platform.getByte(null, b.valueAddress(row) + i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    memory.close();
  }
}
