package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.columnar.ColumnCodec;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.columnar.ResultWriter;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.device.SharedCalls;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.host.HostCall;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.Platform;

/**
 * One call that a lane computes for others, with its columns. Lane's thread only, but for {@link
 * #onDevice}.
 */
final class GuestCalls {
  /** What a launch device of this executor computes the call by. */
  private record OnDevice(GpuUdf udf, ResultWriter results) {}

  private final SharedCalls.Shared shared;
  private final ClassLoader loader;
  private final BatchMemory memory;
  private final BatchColumn[] arguments;
  private final BatchColumn guard;
  private final BatchColumn result;
  private final CallColumns columns;
  private final HostCall call;

  /** Put in by the lane's thread, read by devices' owners. */
  private final Map<CallDevice, OnDevice> devices = new ConcurrentHashMap<>();

  private long blocks;

  /**
   * @param loader finds the UDF's class
   * @param memory where the columns are
   * @param cancelled true once nobody wants the rows any more
   */
  GuestCalls(
      SharedCalls.Shared shared,
      ClassLoader loader,
      BatchMemory memory,
      BooleanSupplier cancelled) {
    this.shared = shared;
    this.loader = loader;
    this.memory = memory;
    UdfCall what = shared.call();
    List<DataType> types = what.argumentTypes();
    this.arguments = new BatchColumn[types.size()];
    for (int i = 0; i < arguments.length; i++) {
      ColumnType layout = ColumnType.ofArgument(types.get(i)).orElseThrow();
      arguments[i] = new BatchColumn(layout, types.get(i), memory);
    }
    this.guard = new BatchColumn(ColumnType.BOOLEAN, DataTypes.BooleanType, memory);
    ColumnType layout = ColumnType.ofResult(what.resultType()).orElseThrow();
    this.result = new BatchColumn(layout, what.resultType(), memory);
    this.columns = new CallColumns(arguments, guard, result, true); // the guard has it
    SQLConf session = new SQLConf();
    session.setConf(SQLConf.DATETIME_JAVA8API_ENABLED(), shared.java8Times());
    // Spark's converters are made as the session of the thread says.
    this.call =
        SQLConf.withExistingConf(
            session,
            () -> new HostCall(what, shared.udf().copy(loader), columns, memory, cancelled));
  }

  /** Reads the rows of a block, of which {@link BlockMessage} says how they are written. */
  void begin(ByteBuffer in, int rows, ColumnCodec codec) throws BatchMemory.Refused {
    boolean skips = in.get() != 0;
    if (skips && in.remaining() < rows) {
      throw new IllegalArgumentException("a block of " + rows + " rows ends too soon");
    }
    guard.reserve(rows);
    guard.setAllValid(0, rows);
    if (skips) {
      Platform.copyMemory(
          in.array(),
          (long) Platform.BYTE_ARRAY_OFFSET + in.arrayOffset() + in.position(),
          null,
          guard.valueAddress(0),
          rows);
      in.position(in.position() + rows);
    } else {
      Platform.setMemory(null, guard.valueAddress(0), rows, (byte) 1);
    }
    for (BatchColumn argument : arguments) {
      codec.read(in, argument, rows);
    }
    result.reserve(rows);
    columns.begin(rows);
    call.beginBatch(++blocks);
    devices.values().forEach(device -> device.results().beginBatch());
  }

  void run(int from, int until) {
    call.run(from, until);
  }

  /** Whether a launch device can compute the call, which it then may be asked for. */
  boolean runsOn(CallDevice device) {
    OnDevice copy =
        devices.computeIfAbsent(
            device, d -> new OnDevice(shared.udf().copy(loader), new ResultWriter(result, memory)));
    return device.whyNot(shared.call(), copy.udf()).isEmpty();
  }

  /** The call, as a launch device is given it. That device's owner. */
  CallOnDevice onDevice(CallDevice device) {
    OnDevice copy = devices.get(device);
    return new CallOnDevice(shared.call(), copy.udf(), columns, copy.results());
  }

  /** A device may have filled other memory with all results: it is the column's now. */
  void takeResult() {
    result.takeAdopted();
  }

  /** Gives the columns' memory back. */
  void release() {
    for (BatchColumn argument : arguments) {
      argument.release();
    }
    guard.release();
    result.release();
    call.releaseResults();
    devices.values().forEach(device -> device.results().release());
  }

  long resultBytes(int from, int until) {
    return ColumnCodec.bytes(result, from, until, null);
  }

  void write(int rows, ByteBuffer out) {
    ColumnCodec.write(result, 0, rows, null, out);
  }
}
