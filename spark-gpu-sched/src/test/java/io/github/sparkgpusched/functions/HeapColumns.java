package io.github.sparkgpusched.functions;

import io.github.sparkgpusched.api.ArrayColumn;
import io.github.sparkgpusched.api.BooleanColumn;
import io.github.sparkgpusched.api.BytesColumn;
import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.DoubleColumn;
import io.github.sparkgpusched.api.FloatColumn;
import io.github.sparkgpusched.api.IntColumn;
import io.github.sparkgpusched.api.LongColumn;

/**
 * Argument columns over boxed values: {@code Double}, {@code Integer}, {@code byte[]}, {@code
 * Double[]}; no row is null. Has what the built-in functions read.
 */
final class HeapColumns implements Columns {
  private final Object[][] rowsOfArguments;

  HeapColumns(Object[][] rowsOfArguments) {
    this.rowsOfArguments = rowsOfArguments;
  }

  @Override
  public int count() {
    return rowsOfArguments[0].length;
  }

  @Override
  public int rows() {
    return rowsOfArguments.length;
  }

  @Override
  public DoubleColumn doubles(int argument) {
    return new DoubleColumn() {
      @Override
      public double get(int row) {
        return (Double) rowsOfArguments[row][argument];
      }

      @Override
      public boolean isNull(int row) {
        return false;
      }
    };
  }

  @Override
  public IntColumn ints(int argument) {
    return new IntColumn() {
      @Override
      public int get(int row) {
        return (Integer) rowsOfArguments[row][argument];
      }

      @Override
      public boolean isNull(int row) {
        return false;
      }
    };
  }

  @Override
  public BytesColumn bytes(int argument) {
    return new BytesColumn() {
      @Override
      public int length(int row) {
        return value(row).length;
      }

      @Override
      public byte get(int row, int index) {
        return value(row)[index];
      }

      @Override
      public int copy(int row, byte[] into) {
        System.arraycopy(value(row), 0, into, 0, length(row));
        return length(row);
      }

      @Override
      public boolean isNull(int row) {
        return false;
      }

      private byte[] value(int row) {
        return (byte[]) rowsOfArguments[row][argument];
      }
    };
  }

  @Override
  public ArrayColumn arrays(int argument) {
    return new HeapArrays(rowsOfArguments, argument);
  }

  @Override
  public BooleanColumn booleans(int argument) {
    throw new UnsupportedOperationException();
  }

  @Override
  public LongColumn longs(int argument) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FloatColumn floats(int argument) {
    throw new UnsupportedOperationException();
  }
}
