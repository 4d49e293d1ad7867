package io.github.sparkgpusched.it.sql;

import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Consecutive numbers, in memory that must be freed exactly once: it fails where it is closed twice
 * or read after that, as vectors over native memory do.
 */
public class CountedVector extends ColumnVector {
  /** Vectors that have been made and not closed. */
  static final AtomicInteger OPEN = new AtomicInteger();

  private final long first;
  private boolean closed;

  public CountedVector(DataType type, long first) {
    super(type);
    this.first = first;
    OPEN.incrementAndGet();
  }

  @Override
  public final synchronized void close() {
    if (closed) {
      throw new IllegalStateException("Close called too many times");
    }
    closed = true;
    OPEN.decrementAndGet();
  }

  private synchronized long value(int row) {
    if (closed) {
      throw new IllegalStateException("read after it was closed");
    }
    return first + row;
  }

  @Override
  public boolean hasNull() {
    return false;
  }

  @Override
  public int numNulls() {
    return 0;
  }

  @Override
  public boolean isNullAt(int row) {
    return false;
  }

  @Override
  public long getLong(int row) {
    return value(row);
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return Decimal.apply(BigDecimal.valueOf(value(row)), precision, scale);
  }

  @Override
  public boolean getBoolean(int row) {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte getByte(int row) {
    throw new UnsupportedOperationException();
  }

  @Override
  public short getShort(int row) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int getInt(int row) {
    throw new UnsupportedOperationException();
  }

  @Override
  public float getFloat(int row) {
    throw new UnsupportedOperationException();
  }

  @Override
  public double getDouble(int row) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ColumnarArray getArray(int row) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw new UnsupportedOperationException();
  }

  @Override
  public UTF8String getUTF8String(int row) {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] getBinary(int row) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw new UnsupportedOperationException();
  }
}
