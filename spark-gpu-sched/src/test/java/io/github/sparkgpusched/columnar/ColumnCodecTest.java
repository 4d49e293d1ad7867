package io.github.sparkgpusched.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnCodecTest {
  private static final int ROWS = 300;

  private final BatchMemory memory =
      new BatchMemory(
          new TaskMemoryManager(UnifiedMemoryManager.apply(new SparkConf(false), 1), 0));

  private final ByteHeap heap = new ByteHeap(memory);

  @AfterEach
  void free() {
    memory.close();
  }

  static Stream<DataType> types() {
    return Stream.concat(
        results(),
        Stream.of(DataTypes.BinaryType, DataTypes.createArrayType(DataTypes.DoubleType)));
  }

  static Stream<DataType> results() {
    return Stream.of(
        DataTypes.BooleanType,
        DataTypes.ByteType,
        DataTypes.ShortType,
        DataTypes.IntegerType,
        DataTypes.LongType,
        DataTypes.FloatType,
        DataTypes.DoubleType,
        DataTypes.StringType);
  }

  @ParameterizedTest
  @MethodSource("types")
  void whatIsReadIsWhatWasWritten(DataType type) throws BatchMemory.Refused {
    BatchColumn from = column(type);
    ColumnCodec codec = new ColumnCodec(memory);
    for (int[] range : new int[][] {{0, ROWS}, {0, 1}, {7, 8}, {100, ROWS}, {5, 5}}) {
      int rows = range[1] - range[0];
      ByteBuffer bytes = written(from, range[0], range[1]);
      BatchColumn into = new BatchColumn(from.type, type, memory);
      codec.reset(1);
      codec.read(bytes, into, rows);
      assertEquals(0, bytes.remaining());
      for (int row = 0; row < rows; row++) {
        assertEquals(from.describe(range[0] + row), into.describe(row), "row " + row);
      }
      into.release();
    }
  }

  /** A literal is there once, however many rows have it; the next column may be another one. */
  @ParameterizedTest
  @MethodSource("types")
  void aColumnThatRepeatsIsSentOnce(DataType type) throws BatchMemory.Refused {
    BatchColumn from = column(type);
    ByteBuffer rows = written(from, 0, ROWS);
    from.repeatFirst();
    ByteBuffer once = written(from, 100, ROWS);
    assertEquals(written(from, 0, 1).remaining(), once.remaining());
    ColumnCodec codec = new ColumnCodec(memory);
    BatchColumn into = new BatchColumn(from.type, type, memory);
    codec.read(once, into, ROWS - 100);
    assertEquals(0, once.remaining());
    assertTrue(into.repeats());
    for (int row = 0; row < ROWS - 100; row++) {
      assertEquals(from.describe(0), into.describe(row));
    }
    codec.read(rows, into, ROWS);
    assertFalse(into.repeats());
    assertEquals(column(type).describe(ROWS - 1), into.describe(ROWS - 1));
    ByteBuffer result = written(from, 0, ROWS);
    assertThrows(IllegalArgumentException.class, () -> ColumnCodec.skip(result, into, ROWS));
  }

  /** Bytes that end too soon, anywhere, are an error, and nobody else's memory is read. */
  @ParameterizedTest
  @MethodSource("types")
  void bytesThatAreNoColumnAreRefused(DataType type) {
    ByteBuffer bytes = written(column(type), 0, 40);
    BatchColumn into = new BatchColumn(ColumnType.ofArgument(type).orElseThrow(), type, memory);
    for (int end = 0; end < bytes.limit(); end++) {
      ByteBuffer cut = bytes.duplicate().order(bytes.order()).limit(end);
      assertThrows(
          IllegalArgumentException.class, () -> new ColumnCodec(memory).read(cut, into, 40));
    }
    if (into.type.isVariableWidth()) {
      bytes.putInt(41, -1); // a value that was kept
      assertThrows(
          UnknownValueException.class, () -> new ColumnCodec(memory).read(bytes, into, 40));
      bytes.rewind().putInt(41, Integer.MAX_VALUE);
      assertThrows(
          IllegalArgumentException.class, () -> new ColumnCodec(memory).read(bytes, into, 40));
    }
  }

  /** Its elements would be read from whatever is behind it. */
  @ParameterizedTest
  @ValueSource(longs = {6, 1 << 20, Long.MAX_VALUE, -1})
  void anArrayThatIsLongerThanItsBytesIsRefused(long length) {
    DataType type = DataTypes.createArrayType(DataTypes.DoubleType);
    ByteBuffer bytes = written(column(type), 0, 1);
    bytes.putLong(2 + Integer.BYTES, length); // behind what is there, validity and bytes
    BatchColumn into = new BatchColumn(ColumnType.ARRAY, type, memory);
    assertThrows(
        IllegalArgumentException.class, () -> new ColumnCodec(memory).read(bytes, into, 1));
  }

  @ParameterizedTest
  @MethodSource("results")
  void resultsGoWhereTheyBelong(DataType type) throws BatchMemory.Refused {
    BatchColumn from = column(type);
    BatchColumn into = new BatchColumn(from.type, type, memory);
    into.reserve(ROWS);
    into.setAllNull(ROWS);
    // Of rows 50 to 150 those from 60 to 140, in two steps.
    for (int[] part : new int[][] {{60, 100}, {100, 140}}) {
      ByteBuffer bytes = written(from, 50, 150);
      ResultWriter out = new ResultWriter(into, memory);
      ColumnCodec.copy(bytes, 100, into, out, 50, part[0], part[1]);
      assertEquals(0, bytes.remaining());
    }
    for (int row = 0; row < ROWS; row++) {
      boolean copied = row >= 60 && row < 140;
      assertEquals(copied ? from.describe(row) : "null", into.describe(row), "row " + row);
    }
  }

  static Stream<DataType> large() {
    return Stream.of(DataTypes.BinaryType, DataTypes.createArrayType(DataTypes.DoubleType));
  }

  /** Each of ten large values is sent once a batch, to whoever reads all blocks in their order. */
  @ParameterizedTest
  @MethodSource("large")
  void largeValuesAreSentOnce(DataType type) throws BatchMemory.Refused {
    SentValues sent = new SentValues();
    ColumnCodec codec = new ColumnCodec(memory);
    BatchColumn into = new BatchColumn(ColumnType.ofArgument(type).orElseThrow(), type, memory);
    for (long batch = 1; batch < 4; batch++) {
      BatchColumn column = largeColumn(type, 10);
      sent.clear();
      int sentBytes = 0;
      for (int[] range : new int[][] {{0, 3}, {3, 4}, {0, 100}, {100, ROWS}}) {
        ColumnCodec.bytes(column, range[0], range[1] - 1, sent);
        sent.undo(); // it was not written
        ByteBuffer bytes = written(column, range[0], range[1], sent);
        sentBytes += bytes.remaining();
        codec.reset(batch);
        codec.read(bytes, into, range[1] - range[0]);
        for (int row = range[0]; row < range[1]; row++) {
          assertEquals(column.describe(row), into.describe(row - range[0]), "row " + row);
        }
      }
      assertTrue(sentBytes < 12 * 9000, sentBytes + " bytes");
    }
  }

  /** Or one batch's rows would have another one's values. */
  @Test
  void aValueOfAnotherBatchIsUnknown() throws BatchMemory.Refused {
    SentValues sent = new SentValues();
    ColumnCodec codec = new ColumnCodec(memory);
    BatchColumn column = largeColumn(DataTypes.BinaryType, 2);
    BatchColumn into = new BatchColumn(ColumnType.BYTES, DataTypes.BinaryType, memory);
    codec.reset(1);
    codec.read(written(column, 0, 4, sent), into, 4);
    codec.reset(1);
    codec.read(written(column, 0, 4, sent), into, 4);
    codec.reset(2);
    ByteBuffer known = written(column, 0, 4, sent);
    assertThrows(UnknownValueException.class, () -> codec.read(known, into, 4));
  }

  /** What the receiver has no room for is sent each time. */
  @Test
  void onlySoMuchIsKept() throws BatchMemory.Refused {
    int size = (int) (SentValues.MOST_BYTES / 3);
    BatchColumn column = new BatchColumn(ColumnType.BYTES, DataTypes.BinaryType, memory);
    column.reserve(4);
    column.setAllValid(0, 4);
    for (int row = 0; row < 4; row++) {
      putAll(column, row, new byte[size + row]);
    }
    SentValues sent = new SentValues();
    ColumnCodec codec = new ColumnCodec(memory);
    BatchColumn into = new BatchColumn(ColumnType.BYTES, DataTypes.BinaryType, memory);
    codec.reset(1);
    codec.read(written(column, 0, 4, sent), into, 4);
    ByteBuffer again = written(column, 0, 4, sent);
    assertEquals(2.0 * size, again.remaining(), 100.0);
    codec.reset(1);
    codec.read(again, into, 4);
    for (int row = 0; row < 4; row++) {
      assertEquals(size + row, into.dataBytes(row));
    }
  }

  /** A string that was kept is no array because somebody says so. */
  @Test
  void aKeptValueOfAnotherTypeIsCheckedToo() throws BatchMemory.Refused {
    DataType type = DataTypes.createArrayType(DataTypes.DoubleType);
    BatchColumn column = new BatchColumn(ColumnType.BYTES, DataTypes.BinaryType, memory);
    column.reserve(1);
    column.setAllValid(0, 1);
    byte[] noArray = new byte[ValueHeap.LARGE_BYTES];
    Arrays.fill(noArray, (byte) 1);
    putAll(column, 0, noArray);
    SentValues sent = new SentValues();
    ColumnCodec codec = new ColumnCodec(memory);
    codec.reset(1);
    codec.read(
        written(column, 0, 1, sent),
        new BatchColumn(ColumnType.BYTES, DataTypes.BinaryType, memory),
        1);
    ByteBuffer reference = written(column, 0, 1, sent);
    BatchColumn into = new BatchColumn(ColumnType.ARRAY, type, memory);
    assertThrows(IllegalArgumentException.class, () -> codec.read(reference, into, 1));
  }

  /** So many values of some thousand bytes, over and over, in no order, with nulls. */
  private BatchColumn largeColumn(DataType type, int values) throws BatchMemory.Refused {
    Random random = new Random(values);
    ValueHeap large = new ValueHeap(memory);
    BatchColumn column = new BatchColumn(ColumnType.ofArgument(type).orElseThrow(), type, memory);
    column.reserve(ROWS);
    column.setAllValid(0, ROWS);
    column.setMayHaveNulls(true);
    for (int row = 0; row < ROWS; row++) {
      Random value = new Random(random.nextInt(values));
      double[] elements = value.doubles(1000 + value.nextInt(100)).toArray();
      UnsafeArrayData array = UnsafeArrayData.fromPrimitiveArray(elements);
      large.put(column, row, array.getBaseObject(), array.getBaseOffset(), array.getSizeInBytes());
      if (row % 7 == 3) {
        column.setNull(row);
      }
    }
    return column;
  }

  private static ByteBuffer written(BatchColumn column, int from, int until) {
    return written(column, from, until, null);
  }

  private static ByteBuffer written(BatchColumn column, int from, int until, SentValues sent) {
    ByteBuffer bytes =
        ByteBuffer.allocate((int) ColumnCodec.bytes(column, from, until, sent))
            .order(ByteOrder.nativeOrder());
    ColumnCodec.write(column, from, until, sent, bytes);
    assertEquals(0, bytes.remaining());
    return bytes.flip();
  }

  /** Random values, some of them null, and some empty. */
  private BatchColumn column(DataType type) {
    BatchColumn column = new BatchColumn(ColumnType.ofArgument(type).orElseThrow(), type, memory);
    Random random = new Random(3);
    try {
      column.reserve(ROWS);
      column.setMayHaveNulls(true);
      for (int row = 0; row < ROWS; row++) {
        column.setValid(row);
        set(column, row, random);
        if (row % 7 == 3) {
          column.setNull(row);
        }
      }
    } catch (BatchMemory.Refused e) {
      throw new IllegalStateException(e);
    }
    return column;
  }

  private void set(BatchColumn column, int row, Random random) throws BatchMemory.Refused {
    switch (column.type) {
      case BOOLEAN -> column.putBoolean(row, random.nextBoolean());
      case BYTE -> column.putByte(row, (byte) random.nextInt());
      case SHORT -> column.putShort(row, (short) random.nextInt());
      case INT -> column.putInt(row, random.nextInt());
      case LONG -> column.putLong(row, random.nextLong());
      case FLOAT -> column.putFloat(row, random.nextFloat());
      case DOUBLE -> column.putDouble(row, random.nextDouble());
      case BYTES ->
          put(
              column,
              row,
              Long.toString(random.nextLong(), 36)
                  .substring(row % 3)
                  .getBytes(java.nio.charset.StandardCharsets.UTF_8));
      case ARRAY -> {
        double[] values = random.doubles(random.nextInt(5)).toArray();
        UnsafeArrayData array = UnsafeArrayData.fromPrimitiveArray(values);
        byte[] bytes = new byte[array.getSizeInBytes()];
        Platform.copyMemory(
            array.getBaseObject(),
            array.getBaseOffset(),
            bytes,
            Platform.BYTE_ARRAY_OFFSET,
            bytes.length);
        put(column, row, bytes);
      }
    }
  }

  private void put(BatchColumn column, int row, byte[] bytes) throws BatchMemory.Refused {
    putAll(column, row, row % 5 == 0 && column.type == ColumnType.BYTES ? new byte[0] : bytes);
  }

  private void putAll(BatchColumn column, int row, byte[] bytes) throws BatchMemory.Refused {
    long address = heap.allocate(Math.max(8, bytes.length));
    OffHeap.copyFrom(bytes, 0, address, bytes.length);
    column.putData(row, address, bytes.length);
  }
}
