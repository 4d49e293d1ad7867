package io.github.sparkgpusched.schedule.strategy;

import java.util.List;
import java.util.Objects;

/**
 * One job as a strategy sees it.
 *
 * @param rows number of rows, at least 0
 * @param workers those that may take part, by worker index; at least one
 * @param starters how many of the first of them are there from the start; rows are dealt to these,
 *     others come by stealing
 * @param costs relative costs of rows
 * @param costError about how far those costs are off, as a relative error: 1 when nothing is known,
 *     0.1 for costs measured in an earlier run
 * @param targetNanos about how long a block of a worker without launch cost is to take
 * @param mayRunTwice true if rows may be computed by two workers, the first to commit them winning
 * @param pace what earlier jobs of the same function have taught
 */
public record Deal(
    long rows,
    List<WorkerSpec> workers,
    int starters,
    RangeCosts costs,
    double costError,
    long targetNanos,
    boolean mayRunTwice,
    Pace pace) {
  public Deal {
    workers = List.copyOf(workers);
    Objects.requireNonNull(costs, "costs");
    Objects.requireNonNull(pace, "pace");
    if (rows < 0) {
      throw new IllegalArgumentException("a job has at least 0 rows, not " + rows);
    }
    if (workers.isEmpty() || starters < 1 || starters > workers.size()) {
      throw new IllegalArgumentException(
          "of " + workers.size() + " workers " + starters + " cannot be there from the start");
    }
    if (targetNanos <= 0 || !(costError >= 0)) {
      throw new IllegalArgumentException(
          "target time " + targetNanos + " ns, error of costs " + costError);
    }
  }
}
