package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import io.github.sparkgpusched.device.UdfCall;
import org.apache.spark.unsafe.types.UTF8String;

/** Builds a column of results row by row, in host memory. One thread's. */
final class ResultBuilder implements AutoCloseable {
  private final UdfCall call;
  private final int rows;
  private final Class<?> box;
  private final HostColumnVector.Builder builder;
  private final StringRoom room;

  ResultBuilder(UdfCall call, int rows) {
    this.call = call;
    this.rows = rows;
    DType type = CudfTypes.of(call.resultType());
    box = HostValues.boxOf(call.resultType());
    room = new StringRoom(rows);
    builder =
        type.equals(DType.STRING)
            ? HostColumnVector.builder(rows, room.first())
            : HostColumnVector.builder(type, rows);
  }

  /**
   * The next row's value.
   *
   * @param value as Spark holds it, or null
   */
  void append(Object value) {
    if (value == null) {
      builder.appendNull();
    } else if (value instanceof Boolean is) {
      builder.append((byte) (is ? 1 : 0));
    } else if (value instanceof Byte number) {
      builder.append(number);
    } else if (value instanceof Short number) {
      builder.append(number);
    } else if (value instanceof Integer number) {
      builder.append(number);
    } else if (value instanceof Long number) {
      builder.append(number);
    } else if (value instanceof Float number) {
      builder.append(number);
    } else if (value instanceof Double number) {
      builder.append(number);
    } else {
      append(((UTF8String) value).getBytes());
    }
  }

  /** The next row as the device has computed it. */
  void appendComputed(HostRows.Computed computed, int row) {
    if (box == Boolean.class || box == Byte.class) {
      builder.append(computed.values().getByte(row));
    } else if (box == Short.class) {
      builder.append(computed.values().getShort(2L * row));
    } else if (box == Integer.class) {
      builder.append(computed.values().getInt(4L * row));
    } else if (box == Long.class) {
      builder.append(computed.values().getLong(8L * row));
    } else if (box == Float.class) {
      builder.append(computed.values().getFloat(4L * row));
    } else if (box == Double.class) {
      builder.append(computed.values().getDouble(8L * row));
    } else {
      long extent = (long) GivenArgument.EXTENT_BYTES * row;
      byte[] text = new byte[computed.values().getInt(extent + 8)];
      computed.heap().getBytes(text, 0, computed.values().getLong(extent), text.length);
      append(text);
    }
  }

  private void append(byte[] text) {
    if (!room.take(text.length)) {
      throw TooLarge.column(call, rows, room.taken());
    }
    builder.appendUTF8String(text);
  }

  /** The column of all rows; the caller's. */
  ColumnVector onDevice() {
    return builder.buildAndPutOnDevice();
  }

  @Override
  public void close() {
    builder.close();
  }
}
