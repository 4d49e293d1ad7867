package io.github.sparkgpusched.columnar;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;

/** A vector over values that belong to somebody else: closing it does nothing. */
abstract class VectorView extends ColumnVector {
  VectorView(DataType type) {
    super(type);
  }

  @Override
  public final void close() {}

  @Override
  public final void closeIfFreeable() {}

  @Override
  public final int numNulls() {
    throw new UnsupportedOperationException("nulls are not counted");
  }
}
