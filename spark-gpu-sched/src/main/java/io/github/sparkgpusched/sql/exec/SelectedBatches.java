package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.SelectedVector;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/**
 * The rows of batches for which a predicate is true. A batch is valid until the next one is asked
 * for. One thread at a time.
 */
final class SelectedBatches extends ReadyIterator<ColumnarBatch> {
  private final Iterator<ColumnarBatch> input;
  private final BasePredicate predicate;
  private final int[] picked;
  private final SQLMetric rows;
  private int[] selection = new int[0];

  /** The child's batch that the batch made last reads. */
  private ColumnarBatch current;

  /**
   * @param picked the columns that are handed on
   * @param rows counts rows handed on
   */
  SelectedBatches(
      Iterator<ColumnarBatch> input, BasePredicate predicate, int[] picked, SQLMetric rows) {
    this.input = input;
    this.predicate = predicate;
    this.picked = picked;
    this.rows = rows;
  }

  @Override
  ColumnarBatch nextOrNull() {
    while (true) {
      if (current != null) {
        ChildVectors.free(current);
        current = null;
      }
      if (!input.hasNext()) {
        return null;
      }
      current = input.next();
      int selected = select(current);
      if (selected > 0) {
        rows.add(selected);
        return batch(selected);
      }
    }
  }

  private int select(ColumnarBatch batch) {
    int all = batch.numRows();
    if (selection.length < all) {
      selection = new int[all];
    }
    int selected = 0;
    for (int row = 0; row < all; row++) {
      if (predicate.eval(batch.getRow(row))) {
        selection[selected++] = row;
      }
    }
    return selected;
  }

  private ColumnarBatch batch(int selected) {
    ColumnVector[] vectors = new ColumnVector[picked.length];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = new SelectedVector(current.column(picked[i]), selection);
    }
    return new ColumnarBatch(vectors, selected);
  }
}
