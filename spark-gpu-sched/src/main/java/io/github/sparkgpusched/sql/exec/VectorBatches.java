package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.BatchColumnVector;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.columnar.SelectedVector;
import io.github.sparkgpusched.columnar.VectorCopier;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/**
 * Batches from a columnar child. The child's batches (4096 rows from Parquet) are put together up
 * to the target, which copies every column. If a column that is handed on is of a type that batches
 * cannot hold, each of the child's batches stays a batch of its own, or is handed on in parts, and
 * only arguments are copied.
 */
final class VectorBatches extends TaskBatches {
  /** What the child gives: of all who take turns at it, one reads at a time. */
  static final class Input {
    private final Iterator<ColumnarBatch> batches;

    /** The child's batch that is being read, and its next row. */
    private ColumnarBatch current;

    private int nextRow;

    Input(Iterator<ColumnarBatch> batches) {
      this.batches = new UntilEnd<>(batches);
    }

    private boolean hasRows() {
      while (current == null || nextRow >= current.numRows()) {
        if (current != null) {
          // Rows that were handed on have been read by now: the consumer has asked for the next
          // batch.
          ChildVectors.free(current);
          current = null;
        }
        if (!batches.hasNext()) {
          return false;
        }
        current = batches.next();
        nextRow = 0;
      }
      return true;
    }
  }

  private final Input input;
  private final boolean together;
  private final Map<Integer, VectorCopier> copiers = new LinkedHashMap<>();
  private final ColumnVector[] copies;

  /** Of a batch that is not put together, the child's row that is row 0. */
  private int firstRow;

  VectorBatches(BatchSpec spec, TaskLedger ledger, Input input) {
    super(spec, ledger);
    this.input = input;
    this.together = areCopies(spec);
    this.copies = new ColumnVector[spec.passed().size()];
    if (together) {
      for (int i = 0; i < copies.length; i++) {
        copies[i] = new BatchColumnVector(inputs.column(spec.passed().get(i)));
      }
    }
    for (Map.Entry<Integer, BatchColumn> column : inputs.byOrdinal().entrySet()) {
      copiers.put(column.getKey(), new VectorCopier(column.getValue(), memory));
    }
  }

  /** Whether batches are put together, and so do not need the child's any more. */
  static boolean areCopies(BatchSpec spec) {
    return spec.passed().stream()
        .allMatch(i -> ColumnType.ofArgument(spec.inputTypes().get(i)).isPresent());
  }

  @Override
  boolean hasInput() {
    return input.hasRows();
  }

  @Override
  void reserveMore(int rows) {}

  @Override
  void releaseMore() {
    copiers.values().forEach(VectorCopier::release);
  }

  @Override
  void dropFirst(int count, int filled) {
    inputs.byOrdinal().values().forEach(column -> column.dropFirst(count, filled));
    firstRow += count;
  }

  @Override
  int moreBytesPerRow() {
    return 0;
  }

  @Override
  int fill(int targetRows) throws BatchMemory.Refused {
    copiers.values().forEach(VectorCopier::beginBatch);
    firstRow = input.nextRow;
    int rows = 0;
    do {
      int count = Math.min(targetRows - rows, input.current.numRows() - input.nextRow);
      try {
        copy(rows, count);
      } catch (BatchMemory.Refused e) {
        if (rows == 0) {
          throw e;
        }
        break;
      }
      input.nextRow += count;
      rows += count;
    } while (together && rows < targetRows && bytes() < batchBytes && hasInput());
    return rows;
  }

  private long bytes() {
    return copiers.values().stream().mapToLong(VectorCopier::dataBytes).sum();
  }

  private void copy(int at, int count) throws BatchMemory.Refused {
    for (Map.Entry<Integer, VectorCopier> copier : copiers.entrySet()) {
      copier.getValue().copy(input.current.column(copier.getKey()), input.nextRow, at, count);
    }
  }

  @Override
  ColumnVector[] passed(int rows) {
    if (together) {
      return copies;
    }
    boolean whole = rows == input.current.numRows();
    int[] part = whole ? null : IntStream.range(firstRow, firstRow + rows).toArray();
    ColumnVector[] passed = new ColumnVector[copies.length];
    for (int i = 0; i < passed.length; i++) {
      ColumnVector column = input.current.column(spec.passed().get(i));
      passed[i] = whole ? ChildVectors.lent(column, rows) : new SelectedVector(column, part);
    }
    return passed;
  }
}
