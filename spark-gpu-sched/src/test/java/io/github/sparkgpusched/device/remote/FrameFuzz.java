package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.ColumnCodec;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.columnar.ResultWriter;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Bytes as what another executor sends: a message's head and texts, and columns of rows there and
 * back. They are refused by an exception, and nothing beyond them is read or written.
 */
public final class FrameFuzz {
  private static final UnifiedMemoryManager MEMORY =
      UnifiedMemoryManager.apply(new SparkConf(false), 1);

  private static final List<DataType> TYPES =
      List.of(
          DataTypes.BooleanType,
          DataTypes.ShortType,
          DataTypes.LongType,
          DataTypes.DoubleType,
          DataTypes.StringType,
          DataTypes.createArrayType(DataTypes.DoubleType));

  private FrameFuzz() {}

  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length < 3) {
      return;
    }
    try {
      ByteBuffer in = Message.copy(ByteBuffer.wrap(data));
      Message.of(in);
      Message.text(in);
      Message.text(in);
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      // refused
    }
    DataType type = TYPES.get(Math.floorMod(data[0], TYPES.size()));
    int rows = 1 + (data[1] & 0xFF);
    ByteBuffer in = Message.copy(ByteBuffer.wrap(data, 2, data.length - 2));
    try (BatchMemory memory = new BatchMemory(new TaskMemoryManager(MEMORY, 0))) {
      asArguments(in.duplicate().order(in.order()), type, rows, memory);
      if (ColumnType.ofResult(type).isPresent()) {
        asResults(in, type, rows, memory);
      }
    } catch (BatchMemory.Refused e) {
      // there is no memory for so much
    }
  }

  private static void asArguments(ByteBuffer in, DataType type, int rows, BatchMemory memory)
      throws BatchMemory.Refused {
    BatchColumn column = new BatchColumn(ColumnType.ofArgument(type).orElseThrow(), type, memory);
    ColumnCodec codec = new ColumnCodec(memory);
    try {
      codec.read(in.duplicate().order(in.order()), column, rows);
      codec.reset(0); // of the same batch: what was kept may be referred to
      codec.read(in, column, rows);
    } catch (IllegalArgumentException | BufferUnderflowException | IndexOutOfBoundsException e) {
      return;
    }
    for (int row = 0; row < rows; row++) {
      column.describe(row);
    }
  }

  private static void asResults(ByteBuffer in, DataType type, int rows, BatchMemory memory)
      throws BatchMemory.Refused {
    BatchColumn column = new BatchColumn(ColumnType.ofResult(type).orElseThrow(), type, memory);
    column.reserve(rows);
    try {
      ColumnCodec.copy(in, rows, column, new ResultWriter(column, memory), 0, 0, rows);
    } catch (IllegalArgumentException | BufferUnderflowException | IndexOutOfBoundsException e) {
      // refused
    }
  }
}
