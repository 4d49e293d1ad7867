package io.github.sparkgpusched.functions;

import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.ResultColumn;
import java.util.Arrays;

/** A result column of boxed values, null where nothing was set. */
final class HeapResult implements ResultColumn {
  private final Object[] values;

  private HeapResult(int rows) {
    values = new Object[rows];
  }

  /** What the batch method makes of all rows. */
  static Object[] compute(GpuUdf udf, Columns arguments) {
    HeapResult result = new HeapResult(arguments.rows());
    try {
      udf.batchMethod().orElseThrow().compute(arguments, 0, arguments.rows(), result);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return result.values;
  }

  @Override
  public void setBoolean(int row, boolean value) {
    values[row] = value;
  }

  @Override
  public void setInt(int row, int value) {
    values[row] = value;
  }

  @Override
  public void setLong(int row, long value) {
    values[row] = value;
  }

  @Override
  public void setFloat(int row, float value) {
    values[row] = value;
  }

  @Override
  public void setDouble(int row, double value) {
    values[row] = value;
  }

  @Override
  public void setBytes(int row, byte[] utf8, int offset, int length) {
    values[row] = Arrays.copyOfRange(utf8, offset, offset + length);
  }

  @Override
  public void setNull(int row) {
    values[row] = null;
  }
}
