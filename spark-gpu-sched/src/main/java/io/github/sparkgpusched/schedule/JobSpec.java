package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * One job: rows {@code [0, rows)}, each to be computed exactly once, in any order.
 *
 * @param rows number of rows, at least 0
 * @param body computes them; called by all threads that work on the job
 * @param costs relative costs of rows; costs that sum to 0 or to no number count as uniform ones
 * @param cancelled true once the job's task has been cancelled; called by all threads that work on
 *     the job, between blocks, so it must be cheap and thread-safe
 * @param pace what the task has learned in earlier jobs with the same costs' unit
 */
public record JobSpec(
    long rows, RangeBody body, RangeCosts costs, BooleanSupplier cancelled, Pace pace) {
  public JobSpec {
    if (rows < 0) {
      throw new IllegalArgumentException("a job has at least 0 rows, not " + rows);
    }
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(costs, "costs");
    Objects.requireNonNull(cancelled, "cancelled");
    Objects.requireNonNull(pace, "pace");
  }
}
