package io.github.sparkgpusched.columnar;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;

/**
 * One field of the rows of a {@link RowStore}, read where it lies. Used by one thread, the task's.
 */
public final class RowStoreVector extends GetterColumnVector {
  private final RowStore rows;
  private final int field;
  private final UnsafeRow cursor;

  public RowStoreVector(RowStore rows, int field, DataType type) {
    super(type);
    this.rows = rows;
    this.field = field;
    this.cursor = new UnsafeRow(rows.fields());
  }

  @Override
  SpecializedGetters container(int row) {
    cursor.pointTo(null, rows.address(row), rows.bytes(row));
    return cursor;
  }

  @Override
  int ordinal(int row) {
    return field;
  }

  // The fixed-width types, which most columns are, need no cursor.

  @Override
  public boolean isNullAt(int row) {
    return rows.isNull(row, field);
  }

  @Override
  public boolean getBoolean(int row) {
    return Platform.getBoolean(null, rows.fieldAddress(row, field));
  }

  @Override
  public byte getByte(int row) {
    return Platform.getByte(null, rows.fieldAddress(row, field));
  }

  @Override
  public short getShort(int row) {
    return Platform.getShort(null, rows.fieldAddress(row, field));
  }

  @Override
  public int getInt(int row) {
    return Platform.getInt(null, rows.fieldAddress(row, field));
  }

  @Override
  public long getLong(int row) {
    return Platform.getLong(null, rows.fieldAddress(row, field));
  }

  @Override
  public float getFloat(int row) {
    return Platform.getFloat(null, rows.fieldAddress(row, field));
  }

  @Override
  public double getDouble(int row) {
    return Platform.getDouble(null, rows.fieldAddress(row, field));
  }
}
