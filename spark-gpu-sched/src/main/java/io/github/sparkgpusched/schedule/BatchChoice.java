package io.github.sparkgpusched.schedule;

/**
 * Decides for one task and its calls whether the next rows are computed in place, one by one as
 * they come, or collected into batches that others can share. Rows begin in place unless {@link
 * #isBatching} says otherwise. Task thread only.
 */
public interface BatchChoice {
  /** Makes the choice of a task. */
  interface Maker {
    /**
     * A choice for one task, which is one thread's.
     *
     * @param prices of the calls, shared with other tasks
     * @param seed of what is drawn by chance
     */
    BatchChoice make(LearnedChoice.Setting setting, CallPrices prices, long seed);
  }

  /** True if the next row belongs to a batch. Changes in {@link #look} and {@link #batchDone}. */
  boolean isBatching();

  /** Rows to be computed in place until {@link #look} is called next, at least 0. */
  int rowsToLook();

  /**
   * Called before a row that would be computed in place. If rows are still to be computed in place
   * after it, this row is timed: {@link #timed} follows.
   *
   * @param rows computed in place since the last row that was timed, or the last batch
   */
  void look(long rows);

  /** The calls of one row, computed in place, took so long. */
  void timed(long nanos);

  /** Rows that the next batch should have, at least 1. */
  int batchRows();

  /**
   * Whether the task is to fill the next batch before it computes what is left of one that is full.
   *
   * @param shared whether others compute that one
   */
  default boolean overlaps(boolean shared) {
    return shared;
  }

  /**
   * A batch has been computed and its rows handed on. The next one may have been filled meanwhile;
   * if there are to be no more, that one is handed on all the same, and this is called for it, too.
   *
   * @param wallNanos how long computing it took, from when it was filled to when all was there
   * @param coreRows rows of it that cores computed
   * @param coreNanos what they took for these, summed over the cores
   */
  void batchDone(int rows, long wallNanos, long coreRows, long coreNanos);
}
