package io.github.sparkgpusched.columnar;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.ArrayColumn;
import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays whose null bits end within a word, at its end and behind it. */
class ArrayViewTest {
  private final BatchMemory memory =
      new BatchMemory(
          new TaskMemoryManager(UnifiedMemoryManager.apply(new SparkConf(false), 1), 0));

  @AfterEach
  void close() {
    memory.close();
  }

  /** A column of such arrays, of which null is one. */
  private ArrayColumn arrays(DataType element, Object[]... rows) throws Exception {
    DataType type = DataTypes.createArrayType(element);
    RowStore store = new RowStore(1, memory);
    store.reserve(rows.length);
    UnsafeProjection projection = UnsafeProjection.create(new DataType[] {type});
    for (Object[] row : rows) {
      Object array = row == null ? null : new GenericArrayData(row);
      store.add(projection.apply(new GenericInternalRow(new Object[] {array})));
    }
    BatchColumn column = new BatchColumn(ColumnType.ARRAY, type, memory);
    column.reserve(rows.length);
    store.extract(0, column);
    ArgumentColumns columns = new ArgumentColumns(new BatchColumn[] {column});
    columns.setRows(rows.length);
    return columns.arrays(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 127, 128, 129})
  void lastElementMayBeNull(int length) throws Exception {
    Object[] full = new Object[length];
    Arrays.setAll(full, i -> (double) i);
    Object[] holed = full.clone();
    holed[length - 1] = null;
    ArrayColumn arrays = arrays(DataTypes.DoubleType, full, holed);
    assertEquals(length, arrays.length(0));
    assertTrue(!arrays.hasNullElement(0) && arrays.hasNullElement(1));
    for (int i = 0; i < length; i++) {
      assertTrue(!arrays.isNull(0, i));
      assertEquals(i == length - 1, arrays.isNull(1, i));
      assertEquals(i, arrays.getDouble(0, i));
    }
    assertArrayEquals(
        Arrays.stream(full).mapToDouble(x -> (double) x).toArray(), arrays.doubles(0, null));
  }

  @Test
  void noneAndEmptyOnesHaveNoElements() throws Exception {
    ArrayColumn arrays = arrays(DataTypes.DoubleType, null, new Object[0]);
    assertTrue(arrays.isNull(0) && !arrays.isNull(1));
    for (int row = 0; row < 2; row++) {
      int at = row;
      assertEquals(0, arrays.length(row));
      assertTrue(!arrays.hasNullElement(row));
      assertEquals(0, arrays.doubles(row, null).length);
      assertThrows(IndexOutOfBoundsException.class, () -> arrays.getDouble(at, 0));
      assertThrows(IndexOutOfBoundsException.class, () -> arrays.isNull(at, 0));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> arrays.length(2));
    assertThrows(IndexOutOfBoundsException.class, () -> arrays.isNull(-1));
  }

  @Test
  void elementsOfEachWidth() throws Exception {
    assertTrue(arrays(DataTypes.BooleanType, new Object[] {false, true}).getBoolean(0, 1));
    assertEquals(-7, arrays(DataTypes.ByteType, new Object[] {(byte) 1, (byte) -7}).getInt(0, 1));
    assertEquals(
        -300, arrays(DataTypes.ShortType, new Object[] {(short) 1, (short) -300}).getInt(0, 1));
    assertEquals(1 << 30, arrays(DataTypes.IntegerType, new Object[] {1, 1 << 30}).getInt(0, 1));
    assertEquals(-1, arrays(DataTypes.DateType, new Object[] {1, -1}).getInt(0, 1));
    assertEquals(1L << 40, arrays(DataTypes.LongType, new Object[] {1L, 1L << 40}).getLong(0, 1));
    assertEquals(2, arrays(DataTypes.TimestampType, new Object[] {1L, 2L}).getLong(0, 1));
    assertEquals(0.5f, arrays(DataTypes.FloatType, new Object[] {1f, 0.5f}).getFloat(0, 1));
  }

  @Test
  void readAsWhatTheyAreNotAreRefusedWithTheirType() throws Exception {
    ArrayColumn ints = arrays(DataTypes.IntegerType, new Object[] {1});
    for (String wanted :
        new String[] {
          assertThrows(IllegalArgumentException.class, () -> ints.getDouble(0, 0)).getMessage(),
          assertThrows(IllegalArgumentException.class, () -> ints.getLong(0, 0)).getMessage(),
          assertThrows(IllegalArgumentException.class, () -> ints.getFloat(0, 0)).getMessage(),
          assertThrows(IllegalArgumentException.class, () -> ints.getBoolean(0, 0)).getMessage(),
          assertThrows(IllegalArgumentException.class, () -> ints.doubles(0, null)).getMessage()
        }) {
      assertTrue(wanted.contains("array<int>"), wanted);
    }
    ArrayColumn longs = arrays(DataTypes.LongType, new Object[] {1L});
    assertThrows(IllegalArgumentException.class, () -> longs.getInt(0, 0));
  }
}
