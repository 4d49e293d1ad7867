package io.github.sparkgpusched.columnar;

import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A batch column as Spark reads it, without a copy. Valid until the next batch is asked for, as
 * Parquet's vectors are: its memory belongs to the task's {@link BatchMemory}, and serves the next.
 */
public final class BatchColumnVector extends VectorView {
  private final BatchColumn column;

  public BatchColumnVector(BatchColumn column) {
    super(column.dataType);
    this.column = column;
  }

  @Override
  public boolean hasNull() {
    return column.mayHaveNulls();
  }

  @Override
  public boolean isNullAt(int row) {
    return column.isNull(row);
  }

  @Override
  public boolean getBoolean(int row) {
    return column.getBoolean(row);
  }

  @Override
  public byte getByte(int row) {
    return column.getByte(row);
  }

  @Override
  public short getShort(int row) {
    return column.getShort(row);
  }

  @Override
  public int getInt(int row) {
    return column.getInt(row);
  }

  @Override
  public long getLong(int row) {
    return column.getLong(row);
  }

  @Override
  public float getFloat(int row) {
    return column.getFloat(row);
  }

  @Override
  public double getDouble(int row) {
    return column.getDouble(row);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return isNullAt(row) ? null : column.getUtf8(row);
  }

  @Override
  public byte[] getBinary(int row) {
    if (isNullAt(row)) {
      return null;
    }
    return (byte[]) column.getCatalystValue(row);
  }

  @Override
  public ColumnarArray getArray(int row) {
    if (isNullAt(row)) {
      return null;
    }
    return GetterColumnVector.arrayOf(
        (UnsafeArrayData) column.getCatalystValue(row), (ArrayType) type);
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw unsupported();
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    throw unsupported();
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw unsupported();
  }

  private UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("a batch column holds no " + type.simpleString());
  }
}
