package io.github.sparkgpusched.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are appended, dropped from the front, and refused, against a list of rows. */
class AppendedColumnsTest {
  private static final List<DataType> TYPES =
      List.of(
          DataTypes.BooleanType,
          DataTypes.createArrayType(DataTypes.IntegerType),
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.StringType,
          DataTypes.LongType,
          DataTypes.FloatType,
          new StructType().add("a", DataTypes.LongType).add("b", DataTypes.StringType),
          DataTypes.DoubleType,
          DataTypes.BinaryType);

  private static final int ARRAY = 1;
  private static final int STRUCT = 8;
  private static final int ROOM = 64;

  private final UnsafeProjection whole = UnsafeProjection.create(TYPES.toArray(DataType[]::new));
  private final UnsafeProjection others =
      UnsafeProjection.create(new DataType[] {TYPES.get(STRUCT)});

  private static BatchMemory memory() {
    return new BatchMemory(
        new TaskMemoryManager(UnifiedMemoryManager.apply(new SparkConf(false), 1), 0));
  }

  private static AppendedColumns columns(BatchMemory memory) throws BatchMemory.Refused {
    BatchColumn[] columns = new BatchColumn[TYPES.size()];
    for (int i = 0; i < columns.length; i++) {
      DataType type = TYPES.get(i);
      if (!AppendedColumns.isOther(type)) {
        columns[i] = new BatchColumn(ColumnType.ofArgument(type).orElseThrow(), type, memory);
        columns[i].reserve(ROOM);
      }
    }
    AppendedColumns appended = new AppendedColumns(columns, TYPES, memory);
    appended.reserve(ROOM);
    return appended;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void areTheRowsThatWereAppendedLessThoseThatWereDropped(long seed) throws Exception {
    Random random = new Random(seed);
    try (BatchMemory memory = memory()) {
      AppendedColumns columns = columns(memory);
      ColumnVector[] vectors = columns.vectors();
      for (int batch = 0; batch < 3; batch++) {
        columns.begin(ROOM);
        List<Object[]> rows = new ArrayList<>();
        for (int step = 0; step < 100; step++) {
          if (rows.size() < ROOM && random.nextInt(8) > 0) {
            Object[] row = row(random);
            rows.add(row);
            assertTrue(append(columns, row));
          } else {
            int count = random.nextInt(rows.size() + 1);
            rows.subList(0, count).clear();
            columns.dropFirst(count);
          }
        }
        assertSame(rows, columns, vectors);
      }
      columns.release();
      assertEquals(0, columns.rows());
      assertEquals(0, columns.bytes());
    }
  }

  @Test
  void aRowThatIsRefusedLeavesThoseBeforeIt() throws Exception {
    Random random = new Random(4);
    try (BatchMemory memory = memory()) {
      AppendedColumns columns = columns(memory);
      columns.begin(ROOM);
      List<Object[]> rows = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        rows.add(row(random));
        assertTrue(append(columns, rows.get(i)));
      }
      memory.setLimit(0); // what is held stays, and nothing more is given
      Object[] large = row(random);
      large[10] = new byte[1 << 20];
      assertFalse(append(columns, large));
      assertNotNull(columns.refused());
      assertFalse(append(columns, row(random)), "no more rows after one that was refused");
      assertSame(rows, columns, columns.vectors());
      memory.setLimit(Long.MAX_VALUE);
      columns.begin(ROOM);
      assertTrue(append(columns, large));
      assertSame(List.<Object[]>of(large), columns, columns.vectors());
    }
  }

  private boolean append(AppendedColumns columns, Object[] row) {
    columns.setFrom(whole.apply(new GenericInternalRow(row)));
    UnsafeRow rest = others.apply(new GenericInternalRow(new Object[] {row[STRUCT]}));
    columns.setOthers(rest);
    return columns.endRow();
  }

  private static Object[] row(Random random) {
    byte[] bytes = new byte[random.nextInt(3) * 17];
    random.nextBytes(bytes);
    Integer[] array = random.ints(random.nextInt(70)).boxed().toArray(Integer[]::new);
    Object[] row = {
      random.nextBoolean(),
      new GenericArrayData(array),
      (byte) random.nextInt(),
      (short) random.nextInt(),
      random.nextInt(),
      UTF8String.fromString("é".repeat(random.nextInt(9))),
      random.nextLong(),
      random.nextFloat(),
      new GenericInternalRow(
          new Object[] {random.nextLong(), UTF8String.fromString("s" + random.nextInt())}),
      random.nextDouble(),
      bytes
    };
    for (int i = 0; i < row.length; i++) {
      row[i] = random.nextInt(5) == 0 ? null : row[i];
    }
    return row;
  }

  private static void assertSame(
      List<Object[]> rows, AppendedColumns columns, ColumnVector[] vectors) {
    assertEquals(rows.size(), columns.rows());
    for (int row = 0; row < rows.size(); row++) {
      for (int i = 0; i < TYPES.size(); i++) {
        String expected = text(rows.get(row)[i], TYPES.get(i));
        assertEquals(expected, text(value(vectors[i], i, row), TYPES.get(i)), row + ", " + i);
      }
    }
  }

  private static Object value(ColumnVector vector, int column, int row) {
    if (vector.isNullAt(row)) {
      return null;
    }
    return switch (column) {
      case 0 -> vector.getBoolean(row);
      case ARRAY -> new GenericArrayData(vector.getArray(row).toIntArray());
      case 2 -> vector.getByte(row);
      case 3 -> vector.getShort(row);
      case 4 -> vector.getInt(row);
      case 5 -> vector.getUTF8String(row);
      case 6 -> vector.getLong(row);
      case 7 -> vector.getFloat(row);
      case STRUCT ->
          new GenericInternalRow(
              new Object[] {
                vector.getStruct(row).getLong(0), vector.getStruct(row).getUTF8String(1)
              });
      case 9 -> vector.getDouble(row);
      default -> vector.getBinary(row);
    };
  }

  private static String text(Object value, DataType type) {
    if (value instanceof byte[] bytes) {
      return Arrays.toString(bytes);
    } else if (value instanceof GenericArrayData array) {
      return Arrays.toString(array.toIntArray());
    } else if (value instanceof GenericInternalRow row) {
      return row.getLong(0) + ", " + row.getUTF8String(1);
    }
    return value + " of " + type;
  }
}
