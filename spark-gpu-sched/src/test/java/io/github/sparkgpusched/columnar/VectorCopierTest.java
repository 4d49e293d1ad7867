package io.github.sparkgpusched.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Vectors as Parquet's reader leaves them, copied in pieces: every row, bit for bit. */
class VectorCopierTest {
  private static final int ROWS = 1000;

  private enum Rows {
    PLAIN,
    NULLS,
    DICTIONARY
  }

  static Stream<Arguments> vectors() {
    return Stream.of(
            DataTypes.BooleanType,
            DataTypes.ByteType,
            DataTypes.ShortType,
            DataTypes.IntegerType,
            DataTypes.DateType,
            DataTypes.LongType,
            DataTypes.TimestampType,
            DataTypes.FloatType,
            DataTypes.DoubleType)
        .flatMap(
            type ->
                Stream.of(Rows.values())
                    // Parquet has no dictionaries of booleans.
                    .filter(rows -> rows != Rows.DICTIONARY || type != DataTypes.BooleanType)
                    .flatMap(
                        rows ->
                            Stream.of(
                                Arguments.of(type, rows, false), Arguments.of(type, rows, true))));
  }

  @ParameterizedTest(name = "{0}, {1}, off-heap: {2}")
  @MethodSource("vectors")
  void copiesEveryRow(DataType type, Rows rows, boolean offHeap) throws BatchMemory.Refused {
    TaskMemoryManager tasks =
        new TaskMemoryManager(UnifiedMemoryManager.apply(new SparkConf(false), 1), 0);
    try (BatchMemory memory = new BatchMemory(tasks);
        WritableColumnVector from =
            offHeap ? new OffHeapColumnVector(ROWS, type) : new OnHeapColumnVector(ROWS, type)) {
      fill(from, type, rows);
      BatchColumn into = new BatchColumn(ColumnType.ofArgument(type).orElseThrow(), type, memory);
      into.reserve(ROWS);
      VectorCopier copier = new VectorCopier(into, memory);
      copier.beginBatch();
      // Its last 900 rows first.
      copier.copy(from, 100, 0, 333);
      copier.copy(from, 433, 333, 567);
      copier.copy(from, 0, 900, 100);
      for (int row = 0; row < ROWS; row++) {
        assertEquals(
            value(from, type, (row + 100) % ROWS),
            value(new BatchColumnVector(into), type, row),
            "row " + row);
      }
      assertEquals(rows == Rows.NULLS, into.mayHaveNulls());
    }
  }

  private static void fill(WritableColumnVector vector, DataType type, Rows rows) {
    Random random = new Random(1);
    if (rows == Rows.DICTIONARY) {
      vector.setDictionary(new Values());
      WritableColumnVector ids = vector.reserveDictionaryIds(ROWS);
      for (int row = 0; row < ROWS; row++) {
        ids.putInt(row, random.nextInt(50));
      }
      return;
    }
    for (int row = 0; row < ROWS; row++) {
      long bits = random.nextLong();
      if (rows == Rows.NULLS && bits % 5 == 0) {
        vector.putNull(row);
        continue;
      }
      switch (ColumnType.ofArgument(type).orElseThrow()) {
        case BOOLEAN -> vector.putBoolean(row, bits < 0);
        case BYTE -> vector.putByte(row, (byte) bits);
        case SHORT -> vector.putShort(row, (short) bits);
        case INT -> vector.putInt(row, (int) bits);
        case LONG -> vector.putLong(row, bits);
        case FLOAT -> vector.putFloat(row, Float.intBitsToFloat((int) bits));
        case DOUBLE -> vector.putDouble(row, Double.longBitsToDouble(bits));
        case BYTES, ARRAY -> throw new AssertionError(type);
      }
    }
  }

  private static Object value(ColumnVector vector, DataType type, int row) {
    if (vector.isNullAt(row)) {
      return "null";
    }
    return switch (ColumnType.ofArgument(type).orElseThrow()) {
      case BOOLEAN -> vector.getBoolean(row);
      case BYTE -> vector.getByte(row);
      case SHORT -> vector.getShort(row);
      case INT -> vector.getInt(row);
      case LONG -> vector.getLong(row);
      case FLOAT -> Float.floatToRawIntBits(vector.getFloat(row));
      case DOUBLE -> Double.doubleToRawLongBits(vector.getDouble(row));
      case BYTES, ARRAY -> throw new AssertionError(type);
    };
  }

  /** Of each id another value. */
  private static final class Values implements Dictionary {
    @Override
    public int decodeToInt(int id) {
      return 100 - 2 * id;
    }

    @Override
    public long decodeToLong(int id) {
      return (1L << 40) - id;
    }

    @Override
    public float decodeToFloat(int id) {
      return id / 3F;
    }

    @Override
    public double decodeToDouble(int id) {
      return id / 3D;
    }

    @Override
    public byte[] decodeToBinary(int id) {
      throw new AssertionError();
    }
  }
}
