package io.github.sparkgpusched.columnar;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Copies of the UnsafeRows of one batch, off-heap. A row is copied once, whole; columns of the
 * batch that are only handed on are read where they lie, and variable-width arguments point into
 * it. Task thread writes, any thread reads.
 */
public final class RowStore {
  private final int fields;
  private final int bitSetBytes;
  private final BatchMemory memory;
  private final ByteHeap heap;

  /** An 8-byte address and a 4-byte size (padded to 8) for each row. */
  private long index;

  private int capacityRows;
  private int rows;

  public RowStore(int fields, BatchMemory memory) {
    this.fields = fields;
    this.bitSetBytes = UnsafeRow.calculateBitSetWidthInBytes(fields);
    this.memory = memory;
    this.heap = new ByteHeap(memory);
  }

  /** Bytes that a row takes besides its own. */
  public static int bytesPerRow() {
    return 16;
  }

  public void reserve(int rows) throws BatchMemory.Refused {
    if (rows > capacityRows) {
      long larger = memory.allocate(16L * rows);
      if (capacityRows > 0) {
        memory.free(index);
      }
      index = larger;
      capacityRows = rows;
    }
  }

  public void reset() {
    heap.reset();
    rows = 0;
  }

  /** Forgets the rows, and gives the memory back. */
  public void release() {
    heap.release();
    rows = 0;
    if (capacityRows > 0) {
      memory.free(index);
      capacityRows = 0;
    }
  }

  /** Forgets the first rows; the others move up. */
  public void dropFirst(int count) {
    Platform.copyMemory(null, index + 16L * count, null, index, 16L * (rows - count));
    rows -= count;
  }

  public int rows() {
    return rows;
  }

  /** Bytes of the rows held. */
  public long bytes() {
    return heap.usedBytes();
  }

  /** Copies a row; there must be {@linkplain #reserve room} for it in the index. */
  public void add(UnsafeRow row) throws BatchMemory.Refused {
    int bytes = row.getSizeInBytes();
    long address = heap.allocate(bytes);
    Platform.copyMemory(row.getBaseObject(), row.getBaseOffset(), null, address, bytes);
    Platform.putLong(null, index + 16L * rows, address);
    Platform.putInt(null, index + 16L * rows + 8, bytes);
    rows++;
  }

  int fields() {
    return fields;
  }

  long address(int row) {
    return Platform.getLong(null, index + 16L * row);
  }

  int bytes(int row) {
    return Platform.getInt(null, index + 16L * row + 8);
  }

  boolean isNull(int row, int field) {
    return isNullAt(address(row), field);
  }

  private static boolean isNullAt(long address, int field) {
    return (Platform.getLong(null, address + (field >> 6) * 8L) >>> (field & 63) & 1) != 0;
  }

  long fieldAddress(int row, int field) {
    return address(row) + bitSetBytes + 8L * field;
  }

  /** Makes a column of one field of all rows; variable-width values stay where they are. */
  public void extract(int field, BatchColumn into) {
    long offset = bitSetBytes + 8L * field;
    boolean nulls = false;
    for (int row = 0; row < rows; row++) {
      long address = address(row);
      if (isNullAt(address, field)) {
        into.setNull(row);
        nulls = true;
        continue;
      }
      into.setValid(row);
      long from = address + offset;
      switch (into.type) {
        case BOOLEAN, BYTE -> into.putByte(row, Platform.getByte(null, from));
        case SHORT -> into.putShort(row, Platform.getShort(null, from));
        case INT -> into.putInt(row, Platform.getInt(null, from));
        case LONG -> into.putLong(row, Platform.getLong(null, from));
        case FLOAT -> into.putFloat(row, Platform.getFloat(null, from));
        case DOUBLE -> into.putDouble(row, Platform.getDouble(null, from));
        case BYTES, ARRAY -> {
          long offsetAndSize = Platform.getLong(null, from);
          into.putData(row, address + (offsetAndSize >>> 32), (int) offsetAndSize);
        }
      }
    }
    into.setMayHaveNulls(nulls);
  }
}
