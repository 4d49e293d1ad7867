package io.github.sparkgpusched.sql.exec;

import java.util.concurrent.TimeUnit;

/**
 * How many rows the next batch should have. The first has few, as whoever reads the task's rows may
 * want no more, of which no plan tells: {@code take} and {@code isEmpty} of an RDD, {@code
 * mapPartitions}. The next has some thousands, if the first was quick, so that a small partition
 * holds little memory; then batches grow up to the target, and further, to what fills a launch
 * device, where one has computed the last. Below a LIMIT they grow more slowly, so that few rows
 * are computed that nobody wants. Not thread-safe.
 */
final class BatchSize {
  private static final int FIRST_ROWS = 64;

  /** Each batch costs a job, which tasks of few cheap rows feel. */
  private static final int SECOND_ROWS = 4096;

  /** A first batch that took longer has rows of 16 us or more: the second has twice as many. */
  private static final long QUICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Of a batch for a device, however many would fill it. */
  private static final int MOST_WAVE_ROWS = 1 << 20;

  private final int batchRows;
  private final boolean mayStopEarly;
  private int rows;
  private boolean first = true;

  /**
   * @param batchRows that a batch should have
   * @param mayStopEarly whether the task may be left before its last row, as a plan says
   */
  BatchSize(int batchRows, boolean mayStopEarly) {
    this.batchRows = batchRows;
    this.mayStopEarly = mayStopEarly;
    this.rows = Math.min(FIRST_ROWS, batchRows);
  }

  int rows() {
    return rows;
  }

  void set(int wanted) {
    rows = wanted;
  }

  /** The last batch had so many rows, which was too many. */
  int halve(int had) {
    first = false;
    rows = Math.max(1, had / 2);
    return rows;
  }

  /**
   * All went well with the last batch.
   *
   * @param waveRows as for {@link #most}
   * @param busyNanos what it took, summed over all who computed it
   */
  void grow(long waveRows, long busyNanos) {
    boolean quick = first && busyNanos < QUICK_NANOS;
    first = false;
    if (mayStopEarly) {
      rows = (int) Math.min(batchRows, 2L * rows);
    } else {
      long next = quick ? Math.max(SECOND_ROWS, 2L * rows) : 2L * rows;
      rows = (int) Math.min(most(batchRows, waveRows), next);
    }
  }

  /**
   * Rows of a batch that a launch device is to compute.
   *
   * @param batchRows of any other
   * @param waveRows that fill the device; 0 if there is none that wants more than cores do
   */
  static int most(int batchRows, long waveRows) {
    return (int) Math.max(batchRows, Math.min(waveRows, MOST_WAVE_ROWS));
  }
}
