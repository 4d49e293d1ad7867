package io.github.sparkgpusched.schedule;

import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * One job: rows {@code [0, rows)}, each to be computed exactly once, in any order.
 *
 * @param rows number of rows, at most {@link #MAX_ROWS}
 * @param body computes them; called by all threads that work on the job
 * @param costs relative costs of rows; costs that sum to 0 or to no number count as uniform ones
 * @param cancelled true once the job's task has been cancelled; called by all threads that work on
 *     the job, between blocks, so it must be cheap and thread-safe
 * @param pacer what the task has learned in earlier jobs with the same costs' unit
 */
public record JobSpec(
    long rows, RangeBody body, RangeCosts costs, BooleanSupplier cancelled, BlockPacer pacer) {
  /** The most rows of a job. */
  public static final int MAX_ROWS = Integer.MAX_VALUE - 8;

  public JobSpec {
    if (rows < 0 || rows > MAX_ROWS) {
      throw new IllegalArgumentException(
          "a job has from 0 to " + MAX_ROWS + " rows, not " + rows + ": use smaller batches");
    }
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(costs, "costs");
    Objects.requireNonNull(cancelled, "cancelled");
    Objects.requireNonNull(pacer, "pacer");
  }
}
