package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.BatchColumnVector;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.BatchTooLargeException;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;

/**
 * The batches of one task: filled from the child, computed, handed on. A batch is valid until the
 * next one is asked for. Everything is freed when the task ends, however it ends.
 *
 * <p>Batches start small and double up to the target, so that a small partition holds little memory
 * and a LIMIT does not wait for rows that nobody wants. Methods are synchronized because Python's
 * writer threads may read while the task thread ends the task.
 */
abstract class TaskBatches extends AbstractIterator<ColumnarBatch> implements AutoCloseable {
  private static final int FIRST_BATCH_ROWS = 4096;
  private static final int FEWEST_ROWS = 16;

  final BatchSpec spec;
  final BatchMemory memory;
  final InputColumns inputs;
  private final TaskCalls calls;
  private int targetRows;
  private ColumnarBatch ready;
  private boolean closed;

  TaskBatches(BatchSpec spec, TaskContext task) {
    this.spec = spec;
    this.memory = new BatchMemory(task.taskMemoryManager());
    this.inputs = new InputColumns(spec.inputTypes(), memory);
    this.calls = new TaskCalls(spec, task, memory, inputs);
    this.targetRows = Math.min(FIRST_BATCH_ROWS, spec.batchRows());
    task.addTaskCompletionListener(
        context -> {
          spec.metrics().peakMemory().add(memory.peakBytes());
          close();
        });
  }

  /** True if the child has more rows. */
  abstract boolean hasInput();

  /**
   * Fills the input columns with the next rows, at most as many as reserved.
   *
   * @return the number of rows, at least 1
   */
  abstract int fill(int targetRows) throws BatchMemory.Refused;

  /** Makes room for a batch of rows. */
  abstract void reserveMore(int rows) throws BatchMemory.Refused;

  /** Bytes that {@link #reserveMore} takes a row. */
  abstract int moreBytesPerRow();

  /** The child's columns of the current batch. */
  abstract ColumnVector[] passed(int rows);

  @Override
  public synchronized boolean hasNext() {
    if (ready == null && !closed && hasInput()) {
      ready = nextBatch();
    }
    return ready != null;
  }

  @Override
  public synchronized ColumnarBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ColumnarBatch batch = ready;
    ready = null;
    return batch;
  }

  private ColumnarBatch nextBatch() {
    int rows = fillWhatFits();
    boolean settled = calls.compute(rows);
    targetRows =
        settled
            ? (int) Math.min(spec.batchRows(), 2L * targetRows)
            : Math.max(FEWEST_ROWS, targetRows / 2);
    ColumnVector[] passed = passed(rows);
    ColumnVector[] all = new ColumnVector[passed.length + calls.results().size()];
    System.arraycopy(passed, 0, all, 0, passed.length);
    for (int i = 0; i < calls.results().size(); i++) {
      all[passed.length + i] = new BatchColumnVector(calls.results().get(i));
    }
    return new ColumnarBatch(all, rows);
  }

  private int fillWhatFits() {
    long bytesPerRow = (long) inputs.bytesPerRow() + calls.resultBytesPerRow() + moreBytesPerRow();
    int rows = (int) Math.max(1, Math.min(targetRows, spec.batchBytes() / bytesPerRow));
    while (true) {
      try {
        reserve(rows);
        return fill(rows);
      } catch (BatchMemory.Refused e) {
        if (rows <= FEWEST_ROWS) {
          throw new BatchTooLargeException("a batch of " + rows + " rows", e.requestedBytes());
        }
        rows /= 2;
        targetRows = rows;
      }
    }
  }

  /** Makes room for a batch of rows in all columns. */
  void reserve(int rows) throws BatchMemory.Refused {
    inputs.reserve(rows);
    calls.reserve(rows);
    reserveMore(rows);
  }

  @Override
  public synchronized void close() {
    closed = true;
    ready = null;
    memory.close();
  }
}
