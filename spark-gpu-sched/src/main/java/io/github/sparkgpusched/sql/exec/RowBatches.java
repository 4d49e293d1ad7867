package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.BatchMemory;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import scala.collection.Iterator;

/** Batches of the rows that an iterator gives. */
final class RowBatches extends StoredRowBatches {
  private final Iterator<InternalRow> input;
  private UnsafeProjection toUnsafe;

  /**
   * A row that the batch before had no room for; the child's, valid until it is asked for the next.
   */
  private UnsafeRow pending;

  RowBatches(BatchSpec spec, TaskContext task, Iterator<InternalRow> input) {
    super(spec, task);
    this.input = input;
  }

  @Override
  boolean hasInput() {
    return pending != null || input.hasNext();
  }

  @Override
  int fill(int targetRows) throws BatchMemory.Refused {
    rows.reset();
    while (rows.rows() < targetRows && rows.bytes() < batchBytes && hasInput()) {
      if (pending == null) {
        pending = unsafe(input.next());
      }
      try {
        rows.add(pending);
      } catch (BatchMemory.Refused e) {
        if (rows.rows() == 0) {
          throw e;
        }
        break;
      }
      pending = null;
    }
    extract();
    return rows.rows();
  }

  private UnsafeRow unsafe(InternalRow row) {
    if (row instanceof UnsafeRow unsafe) {
      return unsafe;
    }
    if (toUnsafe == null) {
      toUnsafe = UnsafeProjection.create(spec.inputTypes().toArray(DataType[]::new));
    }
    return toUnsafe.apply(row);
  }
}
