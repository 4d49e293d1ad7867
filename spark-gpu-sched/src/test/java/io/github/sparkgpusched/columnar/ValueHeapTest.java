package io.github.sparkgpusched.columnar;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ValueHeapTest {
  private static final int ROWS = 2_000;
  private static final int LARGE = ValueHeap.LARGE_BYTES;

  private final BatchMemory memory =
      new BatchMemory(
          new TaskMemoryManager(UnifiedMemoryManager.apply(new SparkConf(false), 1), 0));

  private final ValueHeap heap = new ValueHeap(memory);
  private final BatchColumn column =
      new BatchColumn(ColumnType.BYTES, DataTypes.BinaryType, memory);

  @BeforeEach
  void reserve() throws BatchMemory.Refused {
    column.reserve(ROWS);
    column.setAllValid(0, ROWS);
  }

  @AfterEach
  void free() {
    memory.close();
  }

  private void put(int row, byte[] value) throws BatchMemory.Refused {
    heap.put(column, row, value, Platform.BYTE_ARRAY_OFFSET, value.length);
  }

  private static byte[] value(int seed, int bytes) {
    byte[] value = new byte[bytes];
    new Random(seed).nextBytes(value);
    return value;
  }

  @Test
  void aLargeValueThatComesAgainIsThereOnce() throws BatchMemory.Refused {
    for (int row = 0; row < 300; row++) {
      put(row, value(row % 3, LARGE + row % 3));
    }
    assertEquals(column.dataAddress(0), column.dataAddress(297));
    assertNotEquals(column.dataAddress(0), column.dataAddress(1));
    assertEquals(LARGE + 2 * (LARGE + 8), heap.usedBytes());
    for (int row = 0; row < 300; row++) {
      byte[] expected = value(row % 3, LARGE + row % 3);
      assertArrayEquals(expected, (byte[]) column.getCatalystValue(row));
    }
    assertEquals(17 + (3 * LARGE + 3) / 300.0, column.sampledBytesPerRow(300));
  }

  /** They fall into one slot, as few of their bytes are looked at. */
  @Test
  void valuesThatDifferInOneByteAreTwo() throws BatchMemory.Refused {
    byte[] first = value(1, LARGE);
    put(0, first);
    for (int at = 0; at < LARGE; at++) {
      byte[] second = first.clone();
      second[at]++;
      put(1, second);
      assertArrayEquals(second, (byte[]) column.getCatalystValue(1));
    }
    assertArrayEquals(first, (byte[]) column.getCatalystValue(0));
  }

  @Test
  void aLongerValueThatBeginsAlikeIsAnother() throws BatchMemory.Refused {
    for (int row = 0; row < ROWS; row++) {
      put(row, new byte[LARGE + row]);
    }
    for (int row = 0; row < ROWS; row++) {
      assertEquals(LARGE + row, ((byte[]) column.getCatalystValue(row)).length);
    }
  }

  @Test
  void smallValuesAreCopied() throws BatchMemory.Refused {
    put(0, value(1, LARGE - 1));
    put(1, value(1, LARGE - 1));
    assertNotEquals(column.dataAddress(0), column.dataAddress(1));
  }

  /** What the batch before had is overwritten. */
  @Test
  void aBatchKnowsItsOwnValuesAlone() throws BatchMemory.Refused {
    put(0, value(1, LARGE));
    heap.reset();
    put(0, value(1, LARGE));
    put(1, value(2, LARGE)); // would be written where the first batch had the other one
    assertArrayEquals(value(1, LARGE), (byte[]) column.getCatalystValue(0));
    assertArrayEquals(value(2, LARGE), (byte[]) column.getCatalystValue(1));
  }

  @Test
  void arraysAreSharedToo() throws BatchMemory.Refused {
    BatchColumn arrays =
        new BatchColumn(ColumnType.ARRAY, DataTypes.createArrayType(DataTypes.DoubleType), memory);
    arrays.reserve(3);
    arrays.setAllValid(0, 3);
    double[] elements = new Random(1).doubles(LARGE).toArray();
    heap.putArray(arrays, 0, UnsafeArrayData.fromPrimitiveArray(elements));
    heap.putArray(arrays, 1, UnsafeArrayData.fromPrimitiveArray(elements));
    heap.putArray(arrays, 2, new GenericArrayData(elements));
    assertEquals(arrays.dataAddress(0), arrays.dataAddress(1));
    for (int row = 0; row < 3; row++) {
      UnsafeArrayData array = (UnsafeArrayData) arrays.getCatalystValue(row);
      assertArrayEquals(elements, array.toDoubleArray());
    }
  }

  /** Whatever was there before: a function may read them, and equal arrays have equal bytes. */
  @Test
  void nullElementsAndWhatIsBehindTheLastAreZero() throws BatchMemory.Refused {
    BatchColumn arrays =
        new BatchColumn(ColumnType.ARRAY, DataTypes.createArrayType(DataTypes.IntegerType), memory);
    arrays.reserve(2);
    byte[] ones = new byte[4096];
    Arrays.fill(ones, (byte) -1);
    put(0, ones);
    heap.reset();
    heap.putArray(arrays, 0, new GenericArrayData(new Object[] {1, null, 3}));
    heap.putArray(arrays, 1, new GenericArrayData(new Object[] {1, 2, 3}));
    int header = UnsafeArrayData.calculateHeaderPortionInBytes(3);
    assertEquals(0, Platform.getInt(null, arrays.dataAddress(0) + header + 4));
    for (int row = 0; row < 2; row++) {
      assertEquals(0, Platform.getInt(null, arrays.dataAddress(row) + header + 12));
      assertEquals(3, Platform.getInt(null, arrays.dataAddress(row) + header + 8));
    }
  }
}
