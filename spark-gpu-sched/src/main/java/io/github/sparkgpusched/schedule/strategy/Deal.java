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
 * @param together true if a worker computes rows together, by calls that may take their time
 *     however few rows they are for
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
    boolean together,
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

  /** A deal by name: all workers start, and of rows and their costs nothing is known. */
  public static Builder builder(long rows, List<WorkerSpec> workers) {
    return new Builder(rows, workers);
  }

  /** Makes a {@link Deal}; each method sets the component of its name. Not thread-safe. */
  public static final class Builder {
    private final long rows;
    private final List<WorkerSpec> workers;
    private int starters;
    private RangeCosts costs = RangeCosts.UNIFORM;
    private double costError = 1;
    private long targetNanos;
    private boolean mayRunTwice;
    private boolean together;
    private Pace pace = new Pace();

    private Builder(long rows, List<WorkerSpec> workers) {
      this.rows = rows;
      this.workers = workers;
      this.starters = workers.size();
    }

    public Builder starters(int value) {
      starters = value;
      return this;
    }

    public Builder costs(RangeCosts value) {
      costs = value;
      return this;
    }

    public Builder costError(double value) {
      costError = value;
      return this;
    }

    /** Must be set. */
    public Builder targetNanos(long value) {
      targetNanos = value;
      return this;
    }

    public Builder mayRunTwice(boolean value) {
      mayRunTwice = value;
      return this;
    }

    public Builder together(boolean value) {
      together = value;
      return this;
    }

    public Builder pace(Pace value) {
      pace = value;
      return this;
    }

    /**
     * The deal.
     *
     * @throws IllegalArgumentException if a component is out of range, or the target is not set
     */
    public Deal build() {
      return new Deal(
          rows, workers, starters, costs, costError, targetNanos, mayRunTwice, together, pace);
    }
  }
}
