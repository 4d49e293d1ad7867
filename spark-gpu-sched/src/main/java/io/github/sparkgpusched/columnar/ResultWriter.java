package io.github.sparkgpusched.columnar;

import io.github.sparkgpusched.api.ResultColumn;
import java.util.Objects;
import org.apache.spark.unsafe.Platform;

/**
 * One thread's pen for the rows of one range of a result column. Not thread-safe; other threads
 * have their own.
 *
 * <p>What a row passes here makes no call that the JIT compiler may leave as one: a check whose
 * parameters include a String was never inlined ("unloaded signature classes"), and cost more than
 * a cheap function's row.
 */
public final class ResultWriter implements ResultColumn {
  private final BatchColumn column;
  private final ByteHeap heap;
  private int from;
  private int until;

  /**
   * @param column the column of which this writes a range
   * @param memory where string results are kept, until {@link #beginBatch}
   */
  public ResultWriter(BatchColumn column, BatchMemory memory) {
    this.column = column;
    this.heap = new ByteHeap(memory);
  }

  /** Forgets the strings of the batch before. */
  public void beginBatch() {
    heap.reset();
  }

  /** Forgets all strings, and gives their memory back. */
  public void release() {
    heap.release();
  }

  /** From now on rows {@code [from, until)} may be set. */
  public void beginRange(int from, int until) {
    this.from = from;
    this.until = until;
  }

  private int check(int row) {
    if (row < from || row >= until) {
      throw outside(row);
    }
    return row;
  }

  @Override
  public void setBoolean(int row, boolean value) {
    if (column.type != ColumnType.BOOLEAN) {
      throw mismatch("boolean");
    }
    column.putBoolean(check(row), value);
    column.setValid(row);
  }

  @Override
  public void setInt(int row, int value) {
    check(row);
    switch (column.type) {
      case BYTE -> column.putByte(row, (byte) value);
      case SHORT -> column.putShort(row, (short) value);
      case INT -> column.putInt(row, value);
      default -> throw mismatch("int");
    }
    column.setValid(row);
  }

  @Override
  public void setLong(int row, long value) {
    if (column.type != ColumnType.LONG) {
      throw mismatch("long");
    }
    column.putLong(check(row), value);
    column.setValid(row);
  }

  @Override
  public void setFloat(int row, float value) {
    if (column.type != ColumnType.FLOAT) {
      throw mismatch("float");
    }
    column.putFloat(check(row), value);
    column.setValid(row);
  }

  @Override
  public void setDouble(int row, double value) {
    if (column.type != ColumnType.DOUBLE) {
      throw mismatch("double");
    }
    column.putDouble(check(row), value);
    column.setValid(row);
  }

  @Override
  public void setBytes(int row, byte[] utf8, int offset, int length) {
    if (column.type != ColumnType.BYTES) {
      throw mismatch("string");
    }
    check(row);
    Objects.checkFromIndexSize(offset, length, utf8.length);
    OffHeap.copyFrom(utf8, offset, place(row, length), length);
    column.setValid(row);
  }

  /** The same for bytes that are off-heap. */
  public void setBytes(int row, long utf8, int length) {
    check(row);
    Platform.copyMemory(null, utf8, null, place(row, length), length);
    column.setValid(row);
  }

  private long place(int row, int length) {
    long address;
    try {
      address = heap.allocate(Math.max(length, 1));
    } catch (BatchMemory.Refused e) {
      throw new BatchTooLargeException("the string results of a batch", e.requestedBytes());
    }
    column.putData(row, address, length);
    return address;
  }

  @Override
  public void setNull(int row) {
    column.setNull(check(row));
  }

  private IndexOutOfBoundsException outside(int row) {
    return new IndexOutOfBoundsException(
        "row " + row + " is set, but this call computes rows " + from + " to " + (until - 1));
  }

  private IllegalArgumentException mismatch(String given) {
    return new IllegalArgumentException(
        "the function is registered with result type "
            + column.dataType.simpleString()
            + ", but its batch method sets a result of type "
            + given
            + ": register it with the type that it returns");
  }
}
