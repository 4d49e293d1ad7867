package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.AppendedColumns;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.BatchTooLargeException;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.sql.plan.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Batches of rows that are given one by one. A batch is begun by its first row and computed when
 * {@link #hasNext} is asked; until all of its rows are handed on, no row is given. Rows are given
 * by the thread that reads the task's rows.
 */
final class GivenRowBatches extends TaskBatches {
  /** Of the child's columns those that no call reads; null elsewhere, and for the others. */
  private final BatchColumn[] unread;

  private final AppendedColumns columns;
  private final ColumnVector[] passed;

  /** Made when first needed. */
  private UnsafeProjection toOthers;

  /** Rows that there is room for; 0 before the first row of a batch. */
  private int room;

  /** Whether the rows are in a batch that has been begun to be handed on. */
  private boolean handedOn;

  /** A copy of a row that the batch had no memory for, which gets one of its own after it. */
  private UnsafeRow pending;

  GivenRowBatches(BatchSpec spec, TaskLedger ledger) {
    super(spec, ledger);
    List<DataType> types = spec.inputTypes();
    BatchColumn[] all = new BatchColumn[types.size()];
    this.unread = new BatchColumn[all.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = inputs.byOrdinal().get(i);
      if (all[i] == null && !AppendedColumns.isOther(types.get(i))) {
        ColumnType type = ColumnType.ofArgument(types.get(i)).orElseThrow();
        all[i] = unread[i] = new BatchColumn(type, types.get(i), memory);
      }
    }
    this.columns = new AppendedColumns(all, types, memory);
    this.passed = columns.vectors();
  }

  /**
   * Begins a row, whose values are then to be set.
   *
   * @param targetRows what a batch that begins with this row should have
   */
  AppendedColumns row(int targetRows) {
    if (room == 0) {
      begin(targetRows);
    }
    return columns;
  }

  /** Ends a row that the batch had no memory for; it is copied. */
  void keep(UnsafeRow row) {
    pending = row.copy();
  }

  /** Whether the batch must be computed before another row is given. */
  boolean isFull() {
    return columns.rows() >= room || columns.bytes() >= batchBytes || pending != null;
  }

  /** Adds a row, which is copied. */
  void add(UnsafeRow row, int targetRows) {
    row(targetRows);
    columns.setFrom(row);
    if (columns.hasOthers()) {
      columns.setOthers(othersOf(row));
    }
    if (!columns.endRow()) {
      keep(row);
    }
  }

  private UnsafeRow othersOf(UnsafeRow row) {
    if (toOthers == null) {
      List<Expression> others = new ArrayList<>();
      for (int i = 0; i < unread.length; i++) {
        DataType type = spec.inputTypes().get(i);
        if (AppendedColumns.isOther(type)) {
          others.add(new BoundReference(i, type, true));
        }
      }
      toOthers = UnsafeProjection.create(Scala.<Expression>seq(others));
    }
    return toOthers.apply(row);
  }

  private synchronized void begin(int targetRows) {
    setTargetRows(targetRows);
    begun(reserveWhatFits());
  }

  private void begun(int rows) {
    room = rows;
    columns.begin(room);
    handedOn = false;
  }

  /**
   * Makes room for the next batch, unless Spark does not grant all of it.
   *
   * @return whether there is room; else nothing is held
   */
  synchronized boolean prepare(int targetRows) {
    setTargetRows(targetRows);
    int rows = reserveIfGranted();
    if (rows > 0) {
      begun(rows);
    }
    return rows > 0;
  }

  @Override
  synchronized void giveBack() {
    super.giveBack();
    room = 0;
  }

  /** A batch of one row takes what it needs, if Spark grants it. */
  private synchronized void beginWithPending() {
    releaseAll();
    UnsafeRow row = pending;
    pending = null;
    begin(1);
    add(row, 1);
    if (columns.refused() != null) {
      throw new BatchTooLargeException("a batch of 1 row", columns.refused().requestedBytes());
    }
  }

  /** True if rows are waiting for their batch to be computed. */
  boolean hasRows() {
    return room > 0 && !handedOn && (columns.rows() > 0 || pending != null);
  }

  /** Whether there was no memory for a row, which gets a batch of its own behind the others. */
  boolean isShort() {
    return pending != null;
  }

  /** Whether that row is all that there is. */
  boolean hasOneLargeRow() {
    return pending != null && columns.rows() == 0;
  }

  /** All rows have been handed on: the next one begins a new batch. */
  void end() {
    room = 0;
  }

  @Override
  boolean hasInput() {
    if (pending != null && (handedOn || columns.rows() == 0)) {
      beginWithPending();
    }
    return hasRows();
  }

  @Override
  int fillWhatFits() {
    handedOn = true;
    return columns.rows();
  }

  @Override
  int fill(int targetRows) {
    throw new IllegalStateException("rows are given, not asked for");
  }

  @Override
  void reserveMore(int count) throws BatchMemory.Refused {
    for (BatchColumn column : unread) {
      if (column != null) {
        column.reserve(count);
      }
    }
    columns.reserve(count);
  }

  @Override
  void releaseMore() {
    for (BatchColumn column : unread) {
      if (column != null) {
        column.release();
      }
    }
    columns.release();
  }

  @Override
  void dropFirst(int count, int filled) {
    columns.dropFirst(count);
  }

  @Override
  int moreBytesPerRow() {
    int bytes = columns.bytesPerRow();
    for (BatchColumn column : unread) {
      bytes += column == null ? 0 : column.bytesPerRow();
    }
    return bytes;
  }

  @Override
  ColumnVector[] passed(int count) {
    return passed;
  }
}
