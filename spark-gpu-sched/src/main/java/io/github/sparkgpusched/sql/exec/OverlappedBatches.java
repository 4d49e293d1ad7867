package io.github.sparkgpusched.sql.exec;

import java.util.function.Supplier;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The batches of a task that reads its child itself. While idle cores and launch devices compute
 * one, the task reads the next, as in {@link BatchTurns}, and as there only if Spark grants the
 * memory. A batch is valid until the next one is asked for. One thread at a time.
 */
final class OverlappedBatches extends ReadyIterator<ColumnarBatch> {
  private final Supplier<TaskBatches> maker;
  private final boolean overlaps;

  /** Whose batch is handed on next. */
  private TaskBatches first;

  /** Null until it is first needed. */
  private TaskBatches second;

  /** Whether the second has been filled and started. */
  private boolean isAhead;

  /**
   * @param maker of batches of one input, each of which goes on where another has ended
   * @param overlaps whether the next batch may be read before the one at hand is handed on
   */
  OverlappedBatches(Supplier<TaskBatches> maker, boolean overlaps) {
    this.maker = maker;
    this.overlaps = overlaps;
    this.first = maker.get();
  }

  @Override
  ColumnarBatch nextOrNull() {
    if (isAhead && !first.hasRowsLeft()) {
      TaskBatches done = first;
      first = second;
      second = done;
      isAhead = false;
    }
    if (overlaps) {
      first.start();
    }
    if (overlaps && !isAhead && first.isShared()) {
      second = second == null ? maker.get() : second;
      isAhead = second.startIfGranted();
    }
    if (!isAhead && second != null) {
      second.giveBack(); // a row that needs more than is left must find what it would hold
    }
    if (first.hasNext()) {
      return first.next();
    }
    first.inputEnded(); // the task may go on with other partitions
    if (second != null) {
      second.inputEnded();
    }
    return null;
  }
}
