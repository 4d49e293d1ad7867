package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.RowStore;
import io.github.sparkgpusched.columnar.RowStoreVector;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import scala.collection.Iterator;

/**
 * Batches of the rows that an iterator gives. Each row is copied once, whole; columns are read from
 * the copy.
 */
final class RowBatches extends TaskBatches {
  /** What the child gives: of all who take turns at it, one reads at a time. */
  static final class Input {
    private final Iterator<InternalRow> rows;
    private final List<DataType> types;
    private UnsafeProjection toUnsafe;

    /**
     * A row that the batch before had no room for; the child's, valid until it is asked for the
     * next.
     */
    private UnsafeRow pending;

    Input(BatchSpec spec, Iterator<InternalRow> rows) {
      this.rows = new UntilEnd<>(rows);
      this.types = spec.inputTypes();
    }

    private UnsafeRow row() {
      if (pending == null) {
        pending = unsafe(rows.next());
      }
      return pending;
    }

    private UnsafeRow unsafe(InternalRow row) {
      if (row instanceof UnsafeRow unsafe) {
        return unsafe;
      }
      if (toUnsafe == null) {
        toUnsafe = UnsafeProjection.create(types.toArray(DataType[]::new));
      }
      return toUnsafe.apply(row);
    }
  }

  private final Input input;
  private final RowStore rows;
  private final ColumnVector[] passed;

  RowBatches(BatchSpec spec, TaskLedger ledger, Input input) {
    super(spec, ledger);
    this.input = input;
    this.rows = new RowStore(spec.inputTypes().size(), memory);
    this.passed = new ColumnVector[spec.passed().size()];
    for (int i = 0; i < passed.length; i++) {
      int column = spec.passed().get(i);
      passed[i] = new RowStoreVector(rows, column, spec.inputTypes().get(column));
    }
  }

  @Override
  boolean hasInput() {
    return input.pending != null || input.rows.hasNext();
  }

  @Override
  int fill(int targetRows) throws BatchMemory.Refused {
    rows.reset();
    while (rows.rows() < targetRows && rows.bytes() < batchBytes && hasInput()) {
      try {
        rows.add(input.row());
      } catch (BatchMemory.Refused e) {
        if (rows.rows() == 0) {
          throw e;
        }
        break;
      }
      input.pending = null;
    }
    inputs.byOrdinal().forEach(rows::extract);
    return rows.rows();
  }

  @Override
  void reserveMore(int count) throws BatchMemory.Refused {
    rows.reserve(count);
  }

  @Override
  void releaseMore() {
    rows.release();
  }

  @Override
  void dropFirst(int count, int filled) {
    rows.dropFirst(count);
    // Not extracted once more: a device may still read what was lent to it.
    inputs.byOrdinal().values().forEach(column -> column.dropFirst(count, filled));
  }

  @Override
  int moreBytesPerRow() {
    return RowStore.bytesPerRow();
  }

  @Override
  ColumnVector[] passed(int count) {
    return passed;
  }
}
