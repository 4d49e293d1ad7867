package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.schedule.BatchChoice;

/**
 * Two batches of a task that take turns: while idle cores and launch devices compute one, the task
 * fills the other. Where nobody would compute meanwhile, one batch does: it is filled, computed and
 * handed on before the next is begun.
 *
 * <pre>
 *   rows given:     batch 0 | batch 1 |         | batch 2 |         | batch 3 ...
 *   computed:                 batch 0 . . . . . | batch 1 . . . . . | batch 2 ...
 *   handed on:                          batch 0 |           batch 1 |
 * </pre>
 *
 * <p>Rows leave in the order in which they came. The second batch is begun only if Spark grants all
 * the memory that it wants; else the first goes on alone, as a row that needs more than is left
 * must find what the second would hold. For the thread that reads the task's rows.
 */
final class BatchTurns {
  private final BatchSpec spec;
  private final TaskLedger ledger;
  private final BatchChoice choice;

  /** Rows are given to it. */
  private GivenRowBatches filling;

  /** Null until it is first needed. */
  private GivenRowBatches other;

  /** Whether the other's rows have been started to be computed, and are to be handed on first. */
  private boolean otherIsAhead;

  /** Whether the rows of the one that was filled are to be handed on next, whatever comes. */
  private boolean fillingWaits;

  /** Whether more rows may come, and may be read before those at hand are handed on. */
  private boolean goesOn;

  /** The one whose rows are handed on, or null. */
  private GivenRowBatches draining;

  BatchTurns(BatchSpec spec, TaskLedger ledger, BatchChoice choice) {
    this.spec = spec;
    this.ledger = ledger;
    this.choice = choice;
    this.filling = new GivenRowBatches(spec, ledger);
  }

  /** The batch that rows are given to while none is {@linkplain #draining handed on}. */
  GivenRowBatches filling() {
    return filling;
  }

  /** The batch whose rows are to be handed on before the next row is given, or null. */
  GivenRowBatches draining() {
    return draining;
  }

  /** The batch at hand is full, or no more rows come. */
  void submit() {
    goesOn = filling.isFull() && !filling.isShort() && !spec.mayStopEarly() && choice.isBatching();
    if (!filling.hasRows()) {
      draining = otherIsAhead ? other : null;
    } else if (otherIsAhead) {
      if (!filling.hasOneLargeRow()) { // for which there is no memory before the other's is back
        filling.start();
      }
      fillingWaits = true;
      draining = other;
    } else {
      draining = filling;
      if (goesOn) {
        filling.start();
        goOnFilling();
      }
    }
  }

  /** If others compute the batch that was filled, and there is memory, the other is filled now. */
  private void goOnFilling() {
    if (!choice.overlaps(filling.isShared())) {
      return;
    }
    if (other == null) {
      other = new GivenRowBatches(spec, ledger);
    }
    if (other.prepare(choice.batchRows())) {
      swap();
    }
  }

  /** The one that was filled is now ahead, and the other is filled. */
  private void swap() {
    GivenRowBatches filled = filling;
    filling = other;
    other = filled;
    otherIsAhead = true;
    fillingWaits = false;
    draining = null;
  }

  /** No more rows come: gives the memory back, unless a limit has left rows that are computed. */
  void end() {
    if (draining == null && !otherIsAhead) {
      filling.inputEnded();
      if (other != null) {
        other.inputEnded();
      }
    }
  }

  /** All rows of the batch have been handed on, and {@link BatchChoice#batchDone} was told. */
  void drained() {
    draining.end();
    if (draining == filling) {
      draining = null;
      fillingWaits = false;
      return;
    }
    otherIsAhead = false;
    draining = fillingWaits ? filling : null;
    if (fillingWaits && goesOn && choice.isBatching()) {
      goOnFilling();
    }
    if (draining != null) {
      other.giveBack();
    }
  }
}
