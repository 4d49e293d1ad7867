package io.github.sparkgpusched.schedule.strategy;

/**
 * Deals the rows of one job to its workers: who computes which rows, in blocks of what size. A
 * strategy is an implementation of this, and nothing else knows how rows are dealt. Thread-safe;
 * what a worker does is done by one thread at a time.
 *
 * <p>A row is claimed by a worker, and then either committed or handed back by the same worker.
 * Only a row that has been handed back, or whose worker was declared lost, or, where the job
 * allows, one that is in flight on another worker, is claimed again. Of several that commit a row
 * one is told that it has won.
 *
 * <p>Times are in nanoseconds on one clock of the caller's, which may be a simulated one.
 */
public interface Dealer {
  /**
   * A worker takes part from now on, if it was not there from the start.
   *
   * @param worker an index of {@link Deal#workers}
   */
  default void join(int worker) {}

  /** A worker leaves; it has nothing in flight. The rows that were dealt to it stay claimable. */
  default void leave(int worker) {}

  /**
   * Claims a block for a worker.
   *
   * @param claim filled with the block, or with the time at which to ask again
   * @return true if at least one row was claimed
   */
  boolean claim(int worker, long nowNanos, Claim claim);

  /**
   * A worker has computed rows of its block from the first on. Rows that it has not are handed
   * back.
   *
   * @param claim the block; says afterwards which rows the worker is to publish
   * @param reached the first row that was not computed: above the first, at most {@code until}
   * @param nanos time that the rows took; launch, transfer and waits for the worker's earlier
   *     blocks are not counted
   */
  void commit(int worker, Claim claim, long reached, long nanos, long nowNanos);

  /** A worker hands back a whole block of which it has published nothing, and never will. */
  void handBack(int worker, Claim claim, long nowNanos);

  /** Rows that this worker would claim next without looking for others' rows; for show. */
  long queuedRows(int worker);

  /** Rows that nobody has claimed; each place is read once, one after the other. */
  long rowsLeft();

  /** Cost of those rows, in the unit of the job's costs. */
  double costLeft();

  /**
   * How fast a worker is beside others, as far as the dealer has found out.
   *
   * @param declared what was said of it
   */
  default double speed(int worker, double declared) {
    return declared;
  }

  /** Rows committed so far; the job is done when these are all. */
  long rowsCommitted();
}
