package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.AppendedColumns;
import io.github.sparkgpusched.load.Work;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.schedule.BatchChoice;
import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.TaskFailureListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of one task at an {@link AdaptiveUdfsExec}, of which some are computed where they are,
 * by code that Spark fuses with what is before and after, and some are collected into batches. That
 * code is the caller: for each row it asks {@link #next} and {@link #isBatched}, and computes the
 * row or adds it to a {@linkplain #row batch}. A batch that is full is {@linkplain #compute
 * computed}, and drained, row by row, before another row comes; or others compute it while rows of
 * the next are added ({@link BatchTurns}). One thread at a time.
 */
public final class InlineRows {
  /** That of the planner's words on calls, at the level that users see by default. */
  private static final Logger LOG = LoggerFactory.getLogger("io.github.sparkgpusched.explain");

  /** What it takes to read the clock twice, which is no part of what lies between. */
  private static final long CLOCK_NANOS = clockNanos();

  private final int cores;
  private final BatchTurns turns;
  private final BatchChoice choice;
  private final InlineTally tally;

  /** Rows to be computed in place until the choice is asked, of how many. */
  private int left;

  private int stretch;

  /** One if the row before the stretch was computed in place. */
  private int before;

  private long timedFrom;

  private ColumnarBatch batch;
  private int batchRow = -1;
  private int batchRows;

  // Of the whole task, so far.
  private long inlineRows;
  private long batchedRows;

  // Of the batch that is being drained.
  private int doneRows;
  private long wallNanos;
  private long coreRows;
  private long coreNanos;

  private InlineRows(InlineSpec spec, TaskContext task) {
    ExecutorRuntime runtime = ExecutorRuntime.current();
    TaskLedger ledger = new TaskLedger(spec.batches(), task);
    this.cores = runtime.cores();
    this.choice = BatchChoices.of(spec, runtime, task);
    this.turns = new BatchTurns(spec.batches(), ledger, choice);
    this.tally = new InlineTally(ledger, runtime.scheduler());
    beginStretch(0);
    // Comes before completion. The row at hand may not have been computed: it does not count.
    task.addTaskFailureListener((TaskFailureListener) (context, error) -> endStretch(1));
    task.addTaskCompletionListener(
        (TaskCompletionListener)
            context -> {
              endStretch(0);
              tally.close(System.nanoTime());
              if (spec.explained()) {
                explain(spec, context);
              }
            });
  }

  /** For generated code: begins the rows of the task that runs on the calling thread. */
  public static InlineRows begin(Serializable spec) {
    return new InlineRows((InlineSpec) spec, TaskContext.get());
  }

  /** Whether the next row is to be computed, and nothing else; if not, ask {@link #isBatched}. */
  public boolean next() {
    return --left >= 0;
  }

  /**
   * Whether the row is to be added to the batch; if not, it is to be computed, and {@link #timed}
   * called then.
   */
  public boolean isBatched() {
    left = 0;
    if (choice.isBatching()) {
      return true;
    }
    choice.look(stretch);
    endStretch(0);
    long now = System.nanoTime();
    if (choice.isBatching()) {
      tally.end(now);
      return true;
    }
    tally.look(now);
    beginStretch(1);
    timedFrom = System.nanoTime();
    return false;
  }

  /** The row's calls have been computed. */
  public void timed() {
    long nanos = Math.max(1, System.nanoTime() - timedFrom - CLOCK_NANOS);
    tally.timed(nanos);
    choice.timed(nanos);
  }

  private void beginStretch(int rowsBefore) {
    stretch = choice.isBatching() ? 0 : choice.rowsToLook();
    left = stretch;
    before = rowsBefore;
  }

  private void explain(InlineSpec spec, TaskContext task) {
    LOG.warn(
        "UDF '%s' in task %s of stage %s: %s rows inline, %s batched; %s"
            .formatted(
                spec.udfs(),
                task.taskAttemptId(),
                task.stageId(),
                inlineRows,
                batchedRows,
                choice));
  }

  /** Counts the rows of the stretch so far, but for the unfinished; the stretch has ended then. */
  private void endStretch(int unfinished) {
    int rows = Math.max(0, stretch - Math.max(0, left) + before - unfinished);
    tally.add(rows);
    inlineRows += rows;
    stretch = 0;
    left = 0;
    before = 0;
  }

  /** Begins a row of the batch, whose values are then to be set. */
  public AppendedColumns row() {
    return turns.filling().row(choice.batchRows());
  }

  /**
   * Ends a row that the batch had no memory for.
   *
   * @param row all of its values; copied
   */
  public void keep(UnsafeRow row) {
    turns.filling().keep(row);
  }

  /** Whether the batch must be computed before the next row is begun. */
  public boolean isFull() {
    return turns.filling().isFull();
  }

  /** Adds a row, which is copied, to the batch. */
  void add(UnsafeRow row) {
    turns.filling().add(row, choice.batchRows());
  }

  /**
   * Has the rows of a batch that is full computed, or of all batches if no more rows come. What is
   * to be handed on before the next row is given, {@link #nextOfBatch} says.
   */
  public void compute() {
    if (turns.draining() == null) {
      turns.submit();
    }
  }

  /** No more rows come, and all have been handed on: gives back what batches held. */
  public void end() {
    turns.end();
  }

  /** Whether rows of a batch are being handed on, or about to be. */
  boolean isDraining() {
    return turns.draining() != null;
  }

  /** Moves to the next row of the batch; false if all have been taken. */
  public boolean nextOfBatch() {
    return turns.draining() != null && (++batchRow < batchRows || nextPart());
  }

  /** The part of a batch that there was memory for the results of is computed at once. */
  private boolean nextPart() {
    GivenRowBatches batches = turns.draining();
    long begin = System.nanoTime();
    if (batches.hasNext()) {
      batch = batches.next();
      wallNanos += System.nanoTime() - begin;
      Work byCores = batches.lastJob().byHosts(cores);
      coreRows += byCores.rows();
      coreNanos += byCores.busyNanos();
      batchRows = batch.numRows();
      doneRows += batchRows;
      batchRow = 0;
      return true;
    }
    tally.skip(System.nanoTime());
    batchedRows += doneRows;
    choice.batchDone(doneRows, wallNanos, coreRows, coreNanos);
    turns.drained();
    batch = null;
    batchRow = -1;
    batchRows = 0;
    doneRows = 0;
    wallNanos = 0;
    coreRows = 0;
    coreNanos = 0;
    if (turns.draining() != null) {
      return nextOfBatch();
    }
    beginStretch(0);
    return false;
  }

  /** The batch that is drained: the columns that it keeps of its rows, then the results. */
  public ColumnVector column(int i) {
    return batch.column(i);
  }

  /** The same. */
  ColumnarBatch batch() {
    return batch;
  }

  /** The row of it that {@link #nextOfBatch} has moved to. */
  public int batchRow() {
    return batchRow;
  }

  private static long clockNanos() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 1000; i++) {
      long begin = System.nanoTime();
      least = Math.min(least, System.nanoTime() - begin);
    }
    return least;
  }
}
