package io.github.sparkgpusched.columnar;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Columns of a batch to which rows are appended one by one, each column's value by a call of its
 * own, as generated code has them in local variables. What a UDF can take goes straight into its
 * column; what a row has beside them comes as an {@code UnsafeRow} of these columns, the
 * <i>others</i>, and is copied whole. A row ends by {@link #endRow}. Task thread only, but for what
 * any thread may read of the columns.
 */
public final class AppendedColumns {
  /** Null where the column is one of the others. */
  private final BatchColumn[] columns;

  private final List<DataType> types;

  /** Ordinals of the others. */
  private final int[] others;

  private final RowStore otherRows;
  private final ValueHeap heap;
  private int rows;

  /** What the row that has begun had no memory for, or null. */
  private BatchMemory.Refused refused;

  /**
   * Makes columns without room.
   *
   * @param columns one a type; those of the others are not used
   */
  public AppendedColumns(BatchColumn[] columns, List<DataType> types, BatchMemory memory) {
    this.columns = columns;
    this.types = types;
    this.others = IntStream.range(0, columns.length).filter(i -> isOther(types.get(i))).toArray();
    this.otherRows = new RowStore(others.length, memory);
    this.heap = new ValueHeap(memory);
  }

  /** Whether columns of a type are among the others. */
  public static boolean isOther(DataType type) {
    return ColumnType.ofArgument(type).isEmpty();
  }

  /** Whether rows have others. */
  public boolean hasOthers() {
    return others.length > 0;
  }

  /** Bytes that a row takes beside its columns' own. */
  public int bytesPerRow() {
    return hasOthers() ? RowStore.bytesPerRow() : 0;
  }

  /** Makes room for rows, but for that in the columns. */
  public void reserve(int count) throws BatchMemory.Refused {
    if (hasOthers()) {
      otherRows.reserve(count);
    }
  }

  /** Forgets the rows, and gives the memory back, but for the columns' own. */
  public void release() {
    heap.release();
    otherRows.release();
    rows = 0;
  }

  /** Begins a batch of at most so many rows, for which all columns have room. */
  public void begin(int room) {
    heap.reset();
    otherRows.reset();
    rows = 0;
    refused = null;
    for (int i = 0; i < columns.length; i++) {
      if (!isOther(types.get(i))) {
        columns[i].setAllValid(0, room);
        columns[i].setMayHaveNulls(false);
      }
    }
  }

  /** Rows that have ended. */
  public int rows() {
    return rows;
  }

  /** Bytes of variable width. */
  public long bytes() {
    return heap.usedBytes() + otherRows.bytes();
  }

  /** Sets a value of the row null. The row's values are valid until then. */
  public void setNull(int column) {
    columns[column].setNull(rows);
    columns[column].setMayHaveNulls(true);
  }

  public void setBoolean(int column, boolean value) {
    columns[column].putBoolean(rows, value);
  }

  public void setByte(int column, byte value) {
    columns[column].putByte(rows, value);
  }

  public void setShort(int column, short value) {
    columns[column].putShort(rows, value);
  }

  public void setInt(int column, int value) {
    columns[column].putInt(rows, value);
  }

  public void setLong(int column, long value) {
    columns[column].putLong(rows, value);
  }

  public void setFloat(int column, float value) {
    columns[column].putFloat(rows, value);
  }

  public void setDouble(int column, double value) {
    columns[column].putDouble(rows, value);
  }

  /** Copies a string. */
  public void setString(int column, UTF8String value) {
    setBytes(column, value.getBaseObject(), value.getBaseOffset(), value.numBytes());
  }

  /** Copies a binary. */
  public void setBinary(int column, byte[] value) {
    setBytes(column, value, Platform.BYTE_ARRAY_OFFSET, value.length);
  }

  private void setBytes(int column, Object base, long offset, int bytes) {
    try {
      heap.put(columns[column], rows, base, offset, bytes);
    } catch (BatchMemory.Refused e) {
      refused = e;
    }
  }

  /** Copies an array, of elements of fixed width. */
  public void setArray(int column, ArrayData value) {
    try {
      heap.putArray(columns[column], rows, value);
    } catch (BatchMemory.Refused e) {
      refused = e;
    }
  }

  /** Copies the row's other columns, which it {@linkplain #hasOthers has}. The last that is set. */
  public void setOthers(UnsafeRow row) {
    if (refused == null) {
      try {
        otherRows.add(row);
      } catch (BatchMemory.Refused e) {
        refused = e;
      }
    }
  }

  /**
   * Ends the row.
   *
   * @return false if there was no memory for it: the batch does not have it, and no more rows
   */
  public boolean endRow() {
    if (refused == null) {
      rows++;
    }
    return refused == null;
  }

  /** What the last row had no memory for, if it did not. */
  public BatchMemory.Refused refused() {
    return refused;
  }

  /**
   * Sets all values but the others' from a row.
   *
   * @param row of all columns
   */
  public void setFrom(UnsafeRow row) {
    for (int i = 0; i < columns.length; i++) {
      DataType type = types.get(i);
      if (isOther(type)) {
        continue;
      } else if (row.isNullAt(i)) {
        setNull(i);
        continue;
      }
      switch (columns[i].type) {
        case BOOLEAN -> setBoolean(i, row.getBoolean(i));
        case BYTE -> setByte(i, row.getByte(i));
        case SHORT -> setShort(i, row.getShort(i));
        case INT -> setInt(i, row.getInt(i));
        case LONG -> setLong(i, row.getLong(i));
        case FLOAT -> setFloat(i, row.getFloat(i));
        case DOUBLE -> setDouble(i, row.getDouble(i));
        case BYTES -> {
          if (type instanceof BinaryType) {
            setBinary(i, row.getBinary(i));
          } else {
            setString(i, row.getUTF8String(i));
          }
        }
        case ARRAY -> setArray(i, row.getArray(i));
      }
    }
  }

  /** Forgets the first rows; the others move up. */
  public void dropFirst(int count) {
    for (int i = 0; i < columns.length; i++) {
      if (!isOther(types.get(i))) {
        columns[i].dropFirst(count, rows);
        columns[i].setAllValid(rows - count, rows); // for rows that are appended next
      }
    }
    if (hasOthers()) {
      otherRows.dropFirst(count);
    }
    rows -= count;
  }

  /** The columns as Spark reads them; they stay the same from batch to batch. */
  public ColumnVector[] vectors() {
    ColumnVector[] vectors = new ColumnVector[columns.length];
    for (int i = 0; i < vectors.length; i++) {
      DataType type = types.get(i);
      vectors[i] =
          isOther(type)
              ? new RowStoreVector(otherRows, Arrays.binarySearch(others, i), type)
              : new BatchColumnVector(columns[i]);
    }
    return vectors;
  }
}
