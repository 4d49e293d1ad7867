package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.BatchColumnVector;
import io.github.sparkgpusched.columnar.RowStoreVector;
import io.github.sparkgpusched.columnar.SelectedVector;
import java.util.stream.IntStream;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Who frees the vectors of a child's batch. By Spark's contract the consumer does, by {@code
 * closeIfFreeable}, once it has read a batch: Spark's transition to rows does so, and vectors that
 * the producer fills again ignore it. The RAPIDS Accelerator breaks that contract: the iterator
 * that brings batches back from a GPU closes each one itself, and a second close is an error.
 */
final class ChildVectors {
  private static final String RAPIDS = "com.nvidia.spark.rapids.";

  private ChildVectors() {}

  /** Frees a batch that has been read, unless whoever gave it out will. */
  static void free(ColumnarBatch batch) {
    for (int i = 0; i < batch.numCols(); i++) {
      if (batch.column(i).getClass().getName().startsWith(RAPIDS)) {
        return;
      }
    }
    batch.closeIfFreeable();
  }

  /**
   * A vector of the child's for the next operator, which will call {@code closeIfFreeable} too: the
   * child's vector itself if that does nothing, else a view of it.
   *
   * @param rows of the vector
   */
  static ColumnVector lent(ColumnVector vector, int rows) {
    boolean ignoresClose =
        vector instanceof WritableColumnVector
            || vector instanceof ConstantColumnVector
            || vector instanceof BatchColumnVector
            || vector instanceof RowStoreVector
            || vector instanceof SelectedVector;
    return ignoresClose ? vector : new SelectedVector(vector, IntStream.range(0, rows).toArray());
  }
}
