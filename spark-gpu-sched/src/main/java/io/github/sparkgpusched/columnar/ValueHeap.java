package io.github.sparkgpusched.columnar;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;

/**
 * The strings, binaries and arrays of a batch. A large one that equals one of the last large ones
 * is not copied again: its row points to that one's bytes. So a column that a join has brought, a
 * polygon for each of a million points, is there once a polygon. Not thread-safe.
 */
final class ValueHeap {
  /** Smaller values are copied, which takes less than looking for them. */
  static final int LARGE_BYTES = 1024;

  /** Large values that are looked among; a power of two. */
  private static final int SLOTS = 1024;

  private final ByteHeap heap;

  /** By what a value looks like; 0: none. Null until there is a large value. */
  private long[] largeAddresses;

  private int[] largeBytes;

  ValueHeap(BatchMemory memory) {
    this.heap = new ByteHeap(memory);
  }

  /** Sets a row's value, whose bytes lie in an array or, if that is null, at an address. */
  void put(BatchColumn into, int row, Object base, long offset, int bytes)
      throws BatchMemory.Refused {
    long address = bytes < LARGE_BYTES ? copied(base, offset, bytes) : shared(base, offset, bytes);
    into.putData(row, address, bytes);
  }

  private long copied(Object base, long offset, int bytes) throws BatchMemory.Refused {
    long address = heap.allocate(Math.max(bytes, 1));
    Platform.copyMemory(base, offset, null, address, bytes);
    return address;
  }

  private long shared(Object base, long offset, int bytes) throws BatchMemory.Refused {
    if (largeAddresses == null) {
      largeAddresses = new long[SLOTS];
      largeBytes = new int[SLOTS];
    }
    int slot = slot(base, offset, bytes);
    long known = largeAddresses[slot];
    if (known != 0
        && largeBytes[slot] == bytes
        && ByteArrayMethods.arrayEquals(base, offset, null, known, bytes)) {
      return known;
    }
    long address = copied(base, offset, bytes);
    largeAddresses[slot] = address;
    largeBytes[slot] = bytes;
    return address;
  }

  /** Of some of the bytes: two values in one slot are compared, and the newer one stays. */
  private static int slot(Object base, long offset, int bytes) {
    long hash = bytes;
    for (int i = 1; i <= 4; i++) {
      long at = offset + (((long) bytes * i / 4 - 1) & ~7L);
      hash = (hash ^ Platform.getLong(base, Math.min(at, offset + bytes - Long.BYTES)));
      hash *= 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 32;
    }
    return (int) hash & (SLOTS - 1);
  }

  /** Sets a row's array, of elements of fixed width. */
  void putArray(BatchColumn into, int row, ArrayData array) throws BatchMemory.Refused {
    if (array instanceof UnsafeArrayData unsafe) {
      put(into, row, unsafe.getBaseObject(), unsafe.getBaseOffset(), unsafe.getSizeInBytes());
      return;
    }
    ColumnType element =
        ColumnType.ofFixedWidth(((ArrayType) into.dataType).elementType()).orElseThrow();
    int count = array.numElements();
    int header = UnsafeArrayData.calculateHeaderPortionInBytes(count);
    long bytes = header + (((long) count * element.width + 7) & ~7L);
    if (bytes > Integer.MAX_VALUE) {
      throw new BatchTooLargeException("an array of " + count + " elements", bytes);
    }
    long address = heap.allocate(bytes);
    long values = address + header;
    boolean nulls = false;
    for (int i = 0; i < count && !nulls; i++) {
      nulls = array.isNullAt(i);
    }
    // As Spark has them, so that equal arrays have equal bytes: nulls are 0, and what is behind.
    Platform.setMemory(null, address, nulls ? bytes : header, (byte) 0);
    if (bytes > header) {
      Platform.putLong(null, address + bytes - Long.BYTES, 0);
    }
    Platform.putLong(null, address, count);
    for (int i = 0; i < count; i++) {
      long target = values + (long) i * element.width;
      if (nulls && array.isNullAt(i)) {
        long word = address + 8 + (i >> 6) * 8L;
        Platform.putLong(null, word, Platform.getLong(null, word) | 1L << (i & 63));
        continue;
      }
      switch (element) {
        case BOOLEAN -> Platform.putBoolean(null, target, array.getBoolean(i));
        case BYTE -> Platform.putByte(null, target, array.getByte(i));
        case SHORT -> Platform.putShort(null, target, array.getShort(i));
        case INT -> Platform.putInt(null, target, array.getInt(i));
        case LONG -> Platform.putLong(null, target, array.getLong(i));
        case FLOAT -> Platform.putFloat(null, target, array.getFloat(i));
        case DOUBLE -> Platform.putDouble(null, target, array.getDouble(i));
        case BYTES, ARRAY -> throw new AssertionError(element);
      }
    }
    into.putData(row, address, (int) bytes);
  }

  /** Bytes that the batch's values take. */
  long usedBytes() {
    return heap.usedBytes();
  }

  /** Begins a batch; its memory serves again. */
  void reset() {
    heap.reset();
    forget();
  }

  /** Forgets the values, and gives the memory back. */
  void release() {
    heap.release();
    forget();
  }

  private void forget() {
    if (largeAddresses != null) {
      Arrays.fill(largeAddresses, 0);
    }
  }
}
