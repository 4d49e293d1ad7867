package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.BatchMemory;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Batches of rows that are given one by one. A batch is begun by its first row and computed when
 * {@link #hasNext} is asked; until all of its rows are handed on, no row is given. Rows are given
 * by the thread that reads the task's rows.
 */
final class GivenRowBatches extends StoredRowBatches {
  /** Rows that there is room for; 0 before the first row of a batch. */
  private int room;

  /** Whether the rows are in a batch that has been begun to be handed on. */
  private boolean handedOn;

  /** A copy of a row that the batch had no memory for, which gets one of its own after it. */
  private UnsafeRow pending;

  GivenRowBatches(BatchSpec spec, TaskContext task) {
    super(spec, task);
  }

  /**
   * Adds a row, which is copied.
   *
   * @param targetRows what a batch that begins with this row should have
   * @return true if the batch is full
   */
  boolean add(UnsafeRow row, int targetRows) {
    if (room == 0) {
      begin(targetRows);
    }
    if (rows.rows() == 0) {
      addFirst(row);
    } else if (!tryAdd(row)) {
      pending = row.copy();
      return true;
    }
    return rows.rows() >= room || rows.bytes() >= batchBytes;
  }

  private synchronized void begin(int targetRows) {
    setTargetRows(targetRows);
    room = reserveWhatFits();
    rows.reset();
    handedOn = false;
  }

  /** A batch of one row takes what it needs, if Spark grants it. */
  private synchronized void addFirst(UnsafeRow row) {
    while (true) {
      try {
        rows.add(row);
        return;
      } catch (BatchMemory.Refused e) {
        halve(room, e);
        room = reserveWhatFits();
        rows.reset();
      }
    }
  }

  private boolean tryAdd(UnsafeRow row) {
    try {
      rows.add(row);
      return true;
    } catch (BatchMemory.Refused e) {
      return false;
    }
  }

  /** True if rows are waiting for their batch to be computed. */
  boolean hasRows() {
    return room > 0 && !handedOn;
  }

  /** All rows have been handed on: the next one begins a new batch. */
  void end() {
    room = 0;
  }

  @Override
  boolean hasInput() {
    if (pending != null && handedOn) {
      UnsafeRow last = pending;
      pending = null;
      begin(1);
      addFirst(last);
    }
    return room > 0 && !handedOn;
  }

  @Override
  int fillWhatFits() {
    extract();
    handedOn = true;
    return rows.rows();
  }

  @Override
  int fill(int targetRows) {
    throw new IllegalStateException("rows are given, not asked for");
  }
}
