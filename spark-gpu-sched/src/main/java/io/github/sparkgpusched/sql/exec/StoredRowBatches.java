package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.RowStore;
import io.github.sparkgpusched.columnar.RowStoreVector;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Batches of rows, each of which is copied once, whole; columns are read from the copy. */
abstract class StoredRowBatches extends TaskBatches {
  final RowStore rows;
  private final ColumnVector[] passed;

  StoredRowBatches(BatchSpec spec, TaskContext task) {
    super(spec, task);
    this.rows = new RowStore(spec.inputTypes().size(), memory);
    this.passed = new ColumnVector[spec.inputTypes().size()];
    for (int i = 0; i < passed.length; i++) {
      passed[i] = new RowStoreVector(rows, i, spec.inputTypes().get(i));
    }
  }

  @Override
  final void reserveMore(int count) throws BatchMemory.Refused {
    rows.reserve(count);
  }

  @Override
  final void releaseMore() {
    rows.release();
  }

  @Override
  final void dropFirst(int count, int filled) {
    rows.dropFirst(count);
    extract();
  }

  /** Fills the calls' columns from the rows. */
  final void extract() {
    inputs.byOrdinal().forEach(rows::extract);
  }

  @Override
  final int moreBytesPerRow() {
    return RowStore.bytesPerRow();
  }

  @Override
  final ColumnVector[] passed(int count) {
    return passed;
  }
}
