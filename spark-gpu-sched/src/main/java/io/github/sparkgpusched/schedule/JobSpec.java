package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.PlacementHints;
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
 * @param account what the job's device time is charged to: its task's
 * @param hints what launch devices must have to compute it
 * @param mayRunTwice true if two launch devices may compute the same rows, of which one publishes:
 *     the function is deterministic and has no effects besides its result
 * @param repeats what the same job has as well when it comes again, with equals and hashCode; null
 *     if that is not to be expected. Where launches are dear, what its rows took is kept by it
 * @param bytesPerRow of a row's arguments and results, on average: what launch devices have to copy
 */
public record JobSpec(
    long rows,
    RangeBody body,
    RangeCosts costs,
    BooleanSupplier cancelled,
    Pace pace,
    Account account,
    PlacementHints hints,
    boolean mayRunTwice,
    Object repeats,
    double bytesPerRow) {
  public JobSpec {
    if (rows < 0) {
      throw new IllegalArgumentException("a job has at least 0 rows, not " + rows);
    }
    if (!(bytesPerRow >= 0)) {
      throw new IllegalArgumentException("a row has at least 0 bytes, not " + bytesPerRow);
    }
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(costs, "costs");
    Objects.requireNonNull(cancelled, "cancelled");
    Objects.requireNonNull(pace, "pace");
    Objects.requireNonNull(account, "account");
    Objects.requireNonNull(hints, "hints");
  }

  /** A job that is not expected again, of which little has to be copied. */
  public JobSpec(
      long rows,
      RangeBody body,
      RangeCosts costs,
      BooleanSupplier cancelled,
      Pace pace,
      Account account,
      PlacementHints hints,
      boolean mayRunTwice) {
    this(rows, body, costs, cancelled, pace, account, hints, mayRunTwice, null, 0);
  }

  /** A job of a task of usual weight that has no other jobs, without needs, and not run twice. */
  public JobSpec(
      long rows, RangeBody body, RangeCosts costs, BooleanSupplier cancelled, Pace pace) {
    this(rows, body, costs, cancelled, pace, new Account(1), PlacementHints.NONE, false);
  }
}
