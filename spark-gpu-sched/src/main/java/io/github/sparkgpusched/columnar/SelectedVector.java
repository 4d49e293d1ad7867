package io.github.sparkgpusched.columnar;

import org.apache.spark.sql.types.CalendarIntervalType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Some rows of another vector, read where they lie. Valid as long as that vector and the selection
 * are not changed; closing it does nothing, the vector belongs to whoever made it.
 */
public final class SelectedVector extends VectorView {
  private final ColumnVector all;
  private final int[] rows;

  /**
   * @param rows {@code rows[i]} is the row of {@code all} that is row {@code i} here; may be longer
   *     than there are rows
   */
  public SelectedVector(ColumnVector all, int[] rows) {
    super(all.dataType());
    this.all = all;
    this.rows = rows;
  }

  @Override
  public boolean hasNull() {
    return all.hasNull();
  }

  @Override
  public boolean isNullAt(int row) {
    return all.isNullAt(rows[row]);
  }

  @Override
  public boolean getBoolean(int row) {
    return all.getBoolean(rows[row]);
  }

  @Override
  public byte getByte(int row) {
    return all.getByte(rows[row]);
  }

  @Override
  public short getShort(int row) {
    return all.getShort(rows[row]);
  }

  @Override
  public int getInt(int row) {
    return all.getInt(rows[row]);
  }

  @Override
  public long getLong(int row) {
    return all.getLong(rows[row]);
  }

  @Override
  public float getFloat(int row) {
    return all.getFloat(rows[row]);
  }

  @Override
  public double getDouble(int row) {
    return all.getDouble(rows[row]);
  }

  @Override
  public ColumnarArray getArray(int row) {
    return all.getArray(rows[row]);
  }

  @Override
  public ColumnarMap getMap(int row) {
    return all.getMap(rows[row]);
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return all.getDecimal(rows[row], precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return all.getUTF8String(rows[row]);
  }

  @Override
  public byte[] getBinary(int row) {
    return all.getBinary(rows[row]);
  }

  /** Structs, intervals and variants are read through their children, by the same row. */
  @Override
  public ColumnVector getChild(int ordinal) {
    ColumnVector parts =
        all.dataType() instanceof CalendarIntervalType // which may be one thing there
            ? GetterColumnVector.over(all)
            : all;
    return new SelectedVector(parts.getChild(ordinal), rows);
  }
}
