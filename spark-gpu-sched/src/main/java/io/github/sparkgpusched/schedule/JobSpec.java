package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** One job: rows {@code [0, rows)}, each to be computed exactly once, in any order. Immutable. */
public final class JobSpec {
  private final long rows;
  private final RangeBody body;
  private final RangeCosts costs;
  private final BooleanSupplier cancelled;
  private final Pace pace;
  private final Account account;
  private final PlacementHints hints;
  private final boolean mayRunTwice;
  private final Object repeats;
  private final double bytesPerRow;
  private final Strategy strategy;
  private final boolean withoutHelpers;

  private JobSpec(Builder builder) {
    this.rows = builder.rows;
    this.body = builder.body;
    this.costs = builder.costs;
    this.cancelled = builder.cancelled;
    this.pace = builder.pace;
    this.account = builder.account;
    this.hints = builder.hints;
    this.mayRunTwice = builder.mayRunTwice;
    this.repeats = builder.repeats;
    this.bytesPerRow = builder.bytesPerRow;
    this.strategy = builder.strategy;
    this.withoutHelpers = builder.withoutHelpers;
  }

  /**
   * A job of rows of equal cost, which is never cancelled, of a task of usual weight that has no
   * other jobs and has learned nothing; it needs nothing of a device, is not run twice, and not
   * expected again. The builder changes any of this.
   *
   * @param rows number of rows, at least 0
   * @param body computes them; called by all threads that work on the job
   * @throws IllegalArgumentException if there are less than 0 rows
   */
  public static Builder of(long rows, RangeBody body) {
    return new Builder(rows, body);
  }

  long rows() {
    return rows;
  }

  RangeBody body() {
    return body;
  }

  RangeCosts costs() {
    return costs;
  }

  BooleanSupplier cancelled() {
    return cancelled;
  }

  Pace pace() {
    return pace;
  }

  Account account() {
    return account;
  }

  PlacementHints hints() {
    return hints;
  }

  boolean mayRunTwice() {
    return mayRunTwice;
  }

  /** Null if the job is not expected again. */
  Object repeats() {
    return repeats;
  }

  double bytesPerRow() {
    return bytesPerRow;
  }

  /** How its rows are dealt; null if as the scheduler deals those of other jobs. */
  Strategy strategy() {
    return strategy;
  }

  /** True if of the cores only the submitter's computes it. */
  boolean withoutHelpers() {
    return withoutHelpers;
  }

  /** Makes a job. Not thread-safe. */
  public static final class Builder {
    private final long rows;
    private final RangeBody body;
    private RangeCosts costs = RangeCosts.UNIFORM;
    private BooleanSupplier cancelled = () -> false;
    private Pace pace = new Pace();
    private Account account = new Account(1);
    private PlacementHints hints = PlacementHints.NONE;
    private boolean mayRunTwice;
    private Object repeats;
    private double bytesPerRow;
    private Strategy strategy;
    private boolean withoutHelpers;

    private Builder(long rows, RangeBody body) {
      if (rows < 0) {
        throw new IllegalArgumentException("a job has at least 0 rows, not " + rows);
      }
      this.rows = rows;
      this.body = Objects.requireNonNull(body, "body");
    }

    /** Relative costs of rows; costs that sum to 0 or to no number count as uniform ones. */
    public Builder costs(RangeCosts value) {
      costs = Objects.requireNonNull(value, "costs");
      return this;
    }

    /**
     * True once the job's task has been cancelled. Called by all threads that work on the job,
     * between blocks, so it must be cheap and thread-safe.
     */
    public Builder cancelled(BooleanSupplier value) {
      cancelled = Objects.requireNonNull(value, "cancelled");
      return this;
    }

    /** What the task has learned in earlier jobs with the same costs' unit. */
    public Builder pace(Pace value) {
      pace = Objects.requireNonNull(value, "pace");
      return this;
    }

    /** What the job's device time is charged to: its task's. */
    public Builder account(Account value) {
      account = Objects.requireNonNull(value, "account");
      return this;
    }

    /** What launch devices must have to compute it. */
    public Builder hints(PlacementHints value) {
      hints = Objects.requireNonNull(value, "hints");
      return this;
    }

    /**
     * True if two launch devices may compute the same rows, of which one publishes: the function is
     * deterministic and has no effects besides its result.
     */
    public Builder mayRunTwice(boolean value) {
      mayRunTwice = value;
      return this;
    }

    /**
     * What the same job has as well when it comes again, with equals and hashCode; null if that is
     * not to be expected. Where launches are expensive, what its rows took is kept by it.
     */
    public Builder repeats(Object value) {
      repeats = value;
      return this;
    }

    /**
     * Bytes of a row's arguments and results, on average: what launch devices have to copy.
     *
     * @throws IllegalArgumentException if that is below 0 or no number
     */
    public Builder bytesPerRow(double value) {
      if (!(value >= 0)) {
        throw new IllegalArgumentException("a row has at least 0 bytes, not " + value);
      }
      bytesPerRow = value;
      return this;
    }

    /** How its rows are dealt, in place of the scheduler's way. */
    public Builder strategy(Strategy value) {
      strategy = Objects.requireNonNull(value, "strategy");
      return this;
    }

    /** True if no core but the submitter's is to compute it. Nobody then waits for cores. */
    public Builder withoutHelpers(boolean value) {
      withoutHelpers = value;
      return this;
    }

    /** The job. */
    public JobSpec build() {
      return new JobSpec(this);
    }
  }
}
