package io.github.sparkgpusched.sql.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.columnar.BatchColumnVector;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.BatchTooLargeException;
import io.github.sparkgpusched.columnar.SlabPool;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.schedule.JobStats;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;

/**
 * The batches of one task: filled from the child, computed, handed on. A batch is valid until the
 * next one is asked for. Everything is freed when the task ends, however it ends.
 *
 * <p>Methods are synchronized because Python's writer threads may read while the task thread ends
 * the task.
 */
abstract class TaskBatches extends AbstractIterator<ColumnarBatch> implements AutoCloseable {
  /** Of a task's share of the execution memory, the part that a node's batches may hold. */
  private static final int PART_OF_SHARE = 8;

  final BatchSpec spec;
  final BatchMemory memory;
  final InputColumns inputs;
  private final TaskCalls calls;

  /** Bytes that the input columns of a batch may take; as much again is for results. */
  final long batchBytes;

  @GuardedBy("this")
  private final BatchSize size;

  /** Rows in the input columns, and how many of them, the first, have been handed on. */
  @GuardedBy("this")
  private int filled;

  @GuardedBy("this")
  private int handedOn;

  @GuardedBy("this")
  private ColumnarBatch ready;

  @GuardedBy("this")
  private boolean closed;

  TaskBatches(BatchSpec spec, TaskLedger ledger) {
    TaskContext task = ledger.task();
    this.spec = spec;
    this.memory = new BatchMemory(task.taskMemoryManager(), slabs(task.partitionId()));
    this.inputs = new InputColumns(spec.inputTypes(), memory);
    this.calls = new TaskCalls(spec, ledger, memory, inputs);
    this.size = new BatchSize(spec.batchRows(), spec.mayStopEarly());
    // The task's other operators cannot make a batch spill: leave them room.
    this.batchBytes =
        Math.min(spec.batchBytes(), Math.max(1, ledger.shareOfMemory() / PART_OF_SHARE / 2));
    ledger.own(this);
  }

  /** Those of a device that has some now: of several, tasks use each in turn. */
  private static SlabPool slabs(int partition) {
    List<SlabPool> pools =
        ExecutorRuntime.current().launchDevices().stream()
            .map(CallDevice::slabs)
            .filter(SlabPool::hasRegions)
            .toList();
    return pools.isEmpty() ? SlabPool.NONE : pools.get(partition % pools.size());
  }

  /** The next batch has so many rows, if there is memory for them. */
  final synchronized void setTargetRows(int rows) {
    size.set(rows);
  }

  /** Whether others compute a batch that was started, or will, or have. */
  final boolean isShared() {
    return calls.isShared();
  }

  /** The job that computed the last batch. */
  final JobStats lastJob() {
    return calls.lastJob();
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

  /** Gives back what {@link #reserveMore} and {@link #fill} took. */
  abstract void releaseMore();

  /** Forgets the first of the rows that are filled; the others move up. */
  abstract void dropFirst(int count, int filled);

  /** Bytes that {@link #reserveMore} takes a row. */
  abstract int moreBytesPerRow();

  /** The columns of the current batch that are passed on. */
  abstract ColumnVector[] passed(int rows);

  /**
   * Begins to have the next batch computed, if there is one: whoever is idle computes until {@link
   * #hasNext} is asked, which takes part, and waits for them. Meanwhile nothing of it may be
   * touched.
   */
  final synchronized void start() {
    if (!closed && handedOn == filled && hasInput()) {
      filled = fillWhatFits();
      handedOn = 0;
      int rows = Math.min(filled, size.rows());
      limitMemory(rows);
      calls.start(rows);
    }
  }

  /**
   * Does the same, unless there is no memory for all of it: then nothing is held, and no row has
   * been read.
   *
   * @return whether there are rows now
   */
  final synchronized boolean startIfGranted() {
    if (!closed && handedOn == filled && hasInput()) {
      int rows = reserveIfGranted();
      if (rows > 0) {
        try {
          filled = fill(rows);
          handedOn = 0;
          calls.start(Math.min(filled, size.rows()));
        } catch (BatchMemory.Refused e) {
          releaseAll();
        }
      }
    }
    return handedOn < filled;
  }

  /** Whether rows have been filled that are not handed on. */
  final synchronized boolean hasRowsLeft() {
    return handedOn < filled;
  }

  @Override
  public synchronized boolean hasNext() {
    if (closed) {
      // Of a task that has ended: its last batch has been read. No column may think that it has
      // memory still, should whoever asks go on with rows.
      inputEnded();
      memory.close();
    }
    if (ready == null && !closed && (handedOn < filled || hasInput())) {
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

  @GuardedBy("this")
  private ColumnarBatch nextBatch() {
    if (calls.isStarted()) {
      return computed();
    }
    if (handedOn < filled) {
      dropFirst(handedOn, filled);
      filled -= handedOn;
    } else {
      filled = fillWhatFits();
    }
    handedOn = 0; // until they are computed
    return computed();
  }

  @GuardedBy("this")
  private ColumnarBatch computed() {
    handedOn = computeWhatFits();
    ColumnVector[] passed = passed(handedOn);
    ColumnVector[] all = new ColumnVector[passed.length + calls.results().size()];
    System.arraycopy(passed, 0, all, 0, passed.length);
    for (int i = 0; i < calls.results().size(); i++) {
      all[passed.length + i] = new BatchColumnVector(calls.results().get(i));
    }
    return new ColumnarBatch(all, handedOn);
  }

  /**
   * Computes the first of the rows that are filled, as many as there is memory for the results of.
   */
  @GuardedBy("this")
  private int computeWhatFits() {
    int rows = Math.min(filled, size.rows());
    while (true) {
      limitMemory(rows);
      try {
        if (!calls.isStarted()) {
          calls.start(rows);
        }
        if (calls.finish()) {
          size.grow(calls.waveRows(), calls.lastJob().busyNanos());
        } else {
          size.halve(size.rows());
        }
        return rows;
      } catch (BatchTooLargeException e) {
        if (rows == 1) {
          throw e;
        }
        calls.releaseResults();
        rows = size.halve(rows);
      }
    }
  }

  /** Fills a batch with as many of the next rows as there is memory for, and gives their number. */
  @GuardedBy("this")
  int fillWhatFits() {
    while (true) {
      int rows = reserveWhatFits();
      try {
        return fill(rows);
      } catch (BatchMemory.Refused e) {
        halve(rows, e);
      }
    }
  }

  /** Makes room for a batch of as many rows as are wanted; 0 if Spark does not grant that. */
  @GuardedBy("this")
  final int reserveIfGranted() {
    int rows = wantedRows();
    limitMemory(rows);
    try {
      reserve(rows);
      return rows;
    } catch (BatchMemory.Refused e) {
      releaseAll();
      return 0;
    }
  }

  /** As many rows as are wanted, and as the task may hold. */
  @GuardedBy("this")
  private int wantedRows() {
    long bytesPerRow = (long) inputs.bytesPerRow() + calls.resultBytesPerRow() + moreBytesPerRow();
    return (int) Math.max(1, Math.min(size.rows(), batchBytes / bytesPerRow));
  }

  /** Makes room for a batch of as many rows as there is memory for, and gives their number. */
  @GuardedBy("this")
  final int reserveWhatFits() {
    while (true) {
      int rows = wantedRows();
      limitMemory(rows);
      try {
        reserve(rows);
        return rows;
      } catch (BatchMemory.Refused e) {
        halve(rows, e);
      }
    }
  }

  /** Gives back all that a batch of so many rows took: the next one has half of them. */
  @GuardedBy("this")
  final void halve(int rows, BatchMemory.Refused refused) {
    if (rows == 1) {
      throw new BatchTooLargeException("a batch of 1 row", refused.requestedBytes());
    }
    releaseAll();
    size.halve(rows);
  }

  /** Gives the memory back, between batches. */
  synchronized void giveBack() {
    releaseAll();
  }

  /** No more rows come: gives back the literals, too, which the next batch would have needed. */
  final synchronized void inputEnded() {
    giveBack();
    inputs.releaseLiterals();
  }

  /** Gives back what batches take, before the next one is begun. */
  final void releaseAll() {
    inputs.release();
    calls.release();
    releaseMore();
  }

  /** One row is computed whatever it takes, if Spark grants it. */
  private void limitMemory(int rows) {
    memory.setLimit(rows > 1 ? 2 * batchBytes : Long.MAX_VALUE);
  }

  /** Makes room for a batch of rows in all columns. */
  private void reserve(int rows) throws BatchMemory.Refused {
    inputs.reserve(rows);
    calls.reserve(rows);
    reserveMore(rows);
  }

  /** The task has ended. */
  final void taskEnded() {
    spec.metrics().peakMemory.add(memory.peakBytes());
    close();
  }

  @Override
  public synchronized void close() {
    closed = true;
    ready = null;
    calls.cancel();
    memory.endTask();
  }
}
