package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.schedule.BatchChoice;
import java.util.function.IntSupplier;

/**
 * All rows alike: all computed in place, or all in batches, which are larger while launch devices
 * compute them. Task thread only.
 */
final class FixedChoice implements BatchChoice {
  private final boolean batches;
  private final int rows;
  private final IntSupplier onDevices;

  /** Asked for with each row, and so looked up once a batch. */
  private int batchRows;

  /**
   * @param rows of a batch
   * @param onDevices the same once devices have computed some of the last one
   */
  FixedChoice(boolean batches, int rows, IntSupplier onDevices) {
    this.batches = batches;
    this.rows = rows;
    this.onDevices = onDevices;
    this.batchRows = rows;
  }

  @Override
  public boolean isBatching() {
    return batches;
  }

  @Override
  public int batchRows() {
    return batchRows;
  }

  @Override
  public int rowsToLook() {
    return Short.MAX_VALUE;
  }

  @Override
  public void look(long rows) {}

  @Override
  public void timed(long nanos) {}

  @Override
  public void batchDone(int done, long wallNanos, long coreRows, long coreNanos) {
    batchRows = coreRows < done ? onDevices.getAsInt() : rows;
  }
}
