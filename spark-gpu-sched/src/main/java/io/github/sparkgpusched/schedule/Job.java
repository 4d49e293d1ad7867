package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/** What all participants of one job share. Thread-safe. */
final class Job {
  private static final VarHandle FAILURE;

  static {
    try {
      FAILURE = MethodHandles.lookup().findVarHandle(Job.class, "failure", Throwable.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A hint may be anything. */
  private static final double UNKNOWN_ERROR = 1;

  final JobSpec spec;
  final RangeCosts costs;
  final Dealer dealer;
  final WorkerSlots slots;
  final JobGate gate;

  private final double worthSharingNanos;

  /** Null to not null, once, by whoever sees the first reason to stop. */
  private volatile Throwable failure;

  /**
   * Nanoseconds that a unit of cost takes; 0 until known. Any participant writes its own estimate
   * when this one is far off; a lost write costs a wake-up too many or too few.
   */
  private volatile double nanosPerCost;

  /** By device index. Changed under this object's lock by participants as they leave. */
  private final Tally[] tallies;

  Job(
      JobSpec spec,
      Strategy strategy,
      List<WorkerSpec> workers,
      long targetBlockNanos,
      Thread submitter,
      double worthSharingNanos) {
    this.spec = spec;
    this.costs = RangeCosts.usable(spec.costs(), spec.rows());
    this.dealer =
        strategy.deal(
            new Deal(
                spec.rows(),
                workers,
                1, // all rows start with the submitter
                costs,
                UNKNOWN_ERROR,
                targetBlockNanos,
                false,
                spec.pace()));
    this.slots = new WorkerSlots(workers.size());
    this.gate = new JobGate(submitter);
    this.worthSharingNanos = worthSharingNanos;
    this.nanosPerCost = spec.pace().nanosPerCost();
    this.tallies = Tally.array(workers.size());
  }

  /**
   * Ends the job: participants leave after the block they are in.
   *
   * @return true if this was the first reason; a later one is added to the first as suppressed
   */
  boolean stop(Throwable reason) {
    Throwable first = (Throwable) FAILURE.compareAndExchange(this, null, reason);
    if (first == null) {
      return true;
    }
    if (first != reason) {
      first.addSuppressed(reason);
    }
    return false;
  }

  boolean isStopped() {
    return failure != null;
  }

  /** The first reason to stop, or null. */
  Throwable failure() {
    return failure;
  }

  /** A participant's estimate of the time a unit of cost takes. */
  void learn(double estimate) {
    double seen = nanosPerCost;
    // Written only when far off: every participant reads it, and most estimates agree.
    if (!(estimate < 2 * seen && estimate * 2 > seen)) {
      nanosPerCost = estimate;
    }
  }

  /**
   * Estimated time left for each participant, in nanoseconds, if that is worth another one; else 0.
   * Unknown before the first block, and then 0.
   */
  double need() {
    if (isStopped() || gate.isClosed()) {
      return 0;
    }
    double share = dealer.costLeft() * nanosPerCost / (1 + gate.helpers());
    return share > worthSharingNanos ? share : 0;
  }

  /** Adds what a participant did for a device, when it leaves. */
  synchronized void add(int device, Tally done) {
    tallies[device].add(done);
  }

  /**
   * The job's figures, once it has ended without a failure.
   *
   * @throws IllegalStateException if rows are missing or were computed twice: a defect of this
   *     package
   */
  synchronized JobStats stats(long waitNanos) {
    JobStats stats = new JobStats(tallies, waitNanos);
    if (stats.rows() != spec.rows()) {
      throw new IllegalStateException(
          "a job of " + spec.rows() + " rows ended with " + stats.rows() + " computed");
    }
    return stats;
  }
}
