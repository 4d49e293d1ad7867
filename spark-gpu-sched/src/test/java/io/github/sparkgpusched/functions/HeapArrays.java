package io.github.sparkgpusched.functions;

import io.github.sparkgpusched.api.ArrayColumn;
import java.util.Arrays;
import java.util.Objects;

/** A column of {@code Double[]}; elements may be null. See {@link HeapColumns}. */
final class HeapArrays implements ArrayColumn {
  private final Object[][] rowsOfArguments;
  private final int argument;

  HeapArrays(Object[][] rowsOfArguments, int argument) {
    this.rowsOfArguments = rowsOfArguments;
    this.argument = argument;
  }

  @Override
  public int length(int row) {
    return value(row).length;
  }

  @Override
  public boolean isNull(int row) {
    return false;
  }

  @Override
  public boolean isNull(int row, int index) {
    return value(row)[index] == null;
  }

  @Override
  public boolean hasNullElement(int row) {
    return Arrays.stream(value(row)).anyMatch(Objects::isNull);
  }

  @Override
  public double getDouble(int row, int index) {
    return value(row)[index];
  }

  @Override
  public double[] doubles(int row, double[] reuse) {
    int length = length(row);
    double[] into = reuse != null && reuse.length >= length ? reuse : new double[length];
    for (int i = 0; i < length; i++) {
      into[i] = getDouble(row, i);
    }
    return into;
  }

  @Override
  public boolean getBoolean(int row, int index) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int getInt(int row, int index) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long getLong(int row, int index) {
    throw new UnsupportedOperationException();
  }

  @Override
  public float getFloat(int row, int index) {
    throw new UnsupportedOperationException();
  }

  private Double[] value(int row) {
    return (Double[]) rowsOfArguments[row][argument];
  }
}
