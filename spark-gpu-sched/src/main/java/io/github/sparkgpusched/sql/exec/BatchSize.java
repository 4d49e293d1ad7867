package io.github.sparkgpusched.sql.exec;

/**
 * How many rows the next batch should have. Batches start small and grow up to the target, so that
 * a small partition holds little memory; they grow further, to what fills a launch device, where
 * one has computed the last; below a LIMIT they start smaller still, so that few rows are computed
 * that nobody wants. Not thread-safe.
 */
final class BatchSize {
  /** Each batch costs a job, which tasks of few cheap rows feel. */
  private static final int FIRST_ROWS = 4096;

  /** Where the consumer may stop early. */
  private static final int FIRST_ROWS_BELOW_LIMIT = 64;

  /** Of a batch for a device, however many would fill it. */
  private static final int MOST_WAVE_ROWS = 1 << 20;

  private final BatchSpec spec;
  private int rows;

  BatchSize(BatchSpec spec) {
    this.spec = spec;
    this.rows =
        Math.min(spec.mayStopEarly() ? FIRST_ROWS_BELOW_LIMIT : FIRST_ROWS, spec.batchRows());
  }

  int rows() {
    return rows;
  }

  void set(int wanted) {
    rows = wanted;
  }

  /** The last batch had so many rows, which was too many. */
  int halve(int had) {
    rows = Math.max(1, had / 2);
    return rows;
  }

  /**
   * All went well with the last batch.
   *
   * @param waveRows as for {@link #most}
   */
  void grow(long waveRows) {
    int most = spec.mayStopEarly() ? spec.batchRows() : most(spec, waveRows);
    rows = (int) Math.min(most, 2L * rows);
  }

  /**
   * Rows of a batch that a launch device is to compute.
   *
   * @param waveRows that fill the device; 0 if there is none that wants more than cores do
   */
  static int most(BatchSpec spec, long waveRows) {
    return (int) Math.max(spec.batchRows(), Math.min(waveRows, MOST_WAVE_ROWS));
  }
}
