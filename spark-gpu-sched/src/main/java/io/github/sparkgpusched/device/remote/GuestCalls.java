package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.columnar.ColumnCodec;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.device.SharedCalls;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.host.HostCall;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.Platform;
import scala.runtime.BoxedUnit;

/** One call that a lane computes for others, with its columns. Lane's thread only. */
final class GuestCalls {
  private final BatchColumn[] arguments;
  private final BatchColumn guard;
  private final BatchColumn result;
  private final CallColumns all;
  private final CallColumns guarded;
  private final HostCall call;
  private final HostCall guardedCall;

  /** Whether the block at hand has rows that are skipped. */
  private boolean skips;

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
    this.all = new CallColumns(arguments, null, result, true);
    this.guarded = new CallColumns(arguments, guard, result, true);
    GpuUdf udf = shared.udf().copy(loader);
    SQLConf session = new SQLConf();
    session.setConf(SQLConf.DATETIME_JAVA8API_ENABLED(), shared.java8Times());
    // Spark's converters are made as the session of the thread says.
    HostCall[] calls = new HostCall[2];
    SQLConf.withExistingConf(
        session,
        () -> {
          calls[0] = new HostCall(what, udf, all, memory, cancelled);
          calls[1] = new HostCall(what, udf, guarded, memory, cancelled);
          return BoxedUnit.UNIT;
        });
    this.call = calls[0];
    this.guardedCall = calls[1];
  }

  /** Reads the rows of a block, of which {@link BlockMessage} says how they are written. */
  void begin(ByteBuffer in, int rows, ColumnCodec codec) throws BatchMemory.Refused {
    skips = in.get() != 0;
    if (skips) {
      if (in.remaining() < rows) {
        throw new IllegalArgumentException("a block of " + rows + " rows ends too soon");
      }
      guard.reserve(rows);
      guard.setAllValid(0, rows);
      Platform.copyMemory(
          in.array(),
          (long) Platform.BYTE_ARRAY_OFFSET + in.arrayOffset() + in.position(),
          null,
          guard.valueAddress(0),
          rows);
      in.position(in.position() + rows);
    }
    for (BatchColumn argument : arguments) {
      codec.read(in, argument, rows);
    }
    result.reserve(rows);
    (skips ? guarded : all).begin(rows);
    (skips ? guardedCall : call).beginBatch(++blocks);
  }

  void run(int from, int until) {
    (skips ? guardedCall : call).run(from, until);
  }

  long resultBytes(int rows) {
    return ColumnCodec.bytes(result, 0, rows);
  }

  void write(int rows, ByteBuffer out) {
    ColumnCodec.write(result, 0, rows, out);
  }
}
