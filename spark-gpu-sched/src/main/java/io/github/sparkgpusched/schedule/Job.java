package io.github.sparkgpusched.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.CostProfile;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;

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

  /** A job is shared if it has more left, for each participant, than this many blocks of time. */
  private static final int WORTH_SHARING_BLOCKS = 2;

  final JobSpec spec;
  final RangeCosts costs;

  /** What is known of the time that costs stand for. */
  final Pace pace;

  final Dealer dealer;
  final JobWorkers workers;
  final WorkerSlots slots;
  final JobGate gate;

  /** What launch devices claimed and leave to threads. */
  final LeftRows left = new LeftRows();

  /** What rows take, to be kept for when the job comes again; null if it is not. */
  private final CostProfile profile;

  private final double worthSharingNanos;

  /** Of a row, on average. */
  private final double meanCost;

  /** True if cores compute. False to true, once, by the submitter, when launch devices are lost. */
  private volatile boolean coresShare;

  /** Null until it is set, once, by whoever sees the first reason to stop. */
  private volatile Throwable failure;

  /**
   * Nanoseconds that a unit of cost takes; 0 until known. Any participant writes its own estimate
   * when this one is far off; a lost write costs a wake-up too many or too few.
   */
  private volatile double nanosPerCost;

  /**
   * Until when rows that are left are not for cores: others will compute them sooner. Written by
   * any participant whose claim was refused; the last to write wins, as its refusal is the newest.
   */
  private volatile long coresRefusedUntilNanos = Claim.NEVER;

  /** Why launch devices left. Each adds itself at most once, with the first reason. */
  private final Map<DeviceOwner, String> lost = new ConcurrentHashMap<>();

  /** By device index. Changed by participants as they leave, and by owners for each block. */
  @GuardedBy("this")
  private final Tally[] tallies;

  /** A job that nobody computes yet. */
  Job(JobSpec spec, Strategy strategy, JobWorkers workers, CostMemory memory, Cores cores) {
    this.spec = spec;
    this.workers = workers;
    // Threads deal rows in so small blocks that they need no memory of what these took.
    boolean keeps = spec.repeats() != null && !workers.owners.isEmpty();
    CostMemory.Kept known = keeps ? memory.recall(spec.repeats(), spec.rows()) : null;
    this.costs = known != null ? known.costs() : RangeCosts.usable(spec.costs(), spec.rows());
    this.pace = known != null ? new Pace(0, 1) : spec.pace();
    this.profile = keeps ? new CostProfile(spec.rows(), costs) : null;
    this.dealer =
        strategy.deal(
            Deal.builder(spec.rows(), workers.specs)
                .starters(workers.starters)
                .costs(costs)
                .costError(known != null ? known.error() : pace.error())
                .targetNanos(cores.targetBlockNanos())
                .mayRunTwice(spec.mayRunTwice())
                .together(spec.body().computesTogether())
                .pace(pace)
                .build());
    this.slots = new WorkerSlots(workers.firstHelper, workers.specs.size() - workers.firstHelper);
    this.gate = new JobGate();
    this.worthSharingNanos = (double) WORTH_SHARING_BLOCKS * cores.targetBlockNanos();
    this.meanCost = costs.between(0, spec.rows()) / spec.rows();
    this.coresShare = workers.hostsShare();
    this.nanosPerCost = pace.nanosPerCost();
    this.tallies = Tally.array(cores.table().size());
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

  /** A worker took so long for rows {@code [from, until)}. */
  void measured(int worker, long from, long until, long nanos) {
    if (profile != null) {
      double declared = workers.specs.get(worker).speed();
      profile.add(from, until, (double) nanos, dealer.speed(worker, declared), declared);
    }
  }

  /** Keeps what the rows took, once all are done. */
  void keepCosts(CostMemory memory) {
    if (profile != null) {
      memory.keep(
          spec.repeats(), new CostMemory.Kept(spec.rows(), profile.costs(), profile.error()));
    }
  }

  /**
   * Estimated time left for each participant, in nanoseconds, if that is worth another one; else 0.
   * Unknown before the first block, and then 0.
   */
  double need() {
    if (isStopped()
        || gate.isClosed()
        || !coresShare
        || spec.withoutHelpers()
        || (areCoresRefused() && !left.isWaiting())) {
      return 0;
    }
    double cost = dealer.costLeft() + left.rows() * meanCost;
    double share = cost * nanosPerCost / (1 + gate.inside());
    return share > worthSharingNanos ? share : 0;
  }

  /**
   * A core has asked for rows and got none.
   *
   * @param untilNanos when it is worth asking again; {@link Claim#NEVER} if no rows are left
   */
  void refuseCores(long untilNanos) {
    if (untilNanos != coresRefusedUntilNanos) {
      coresRefusedUntilNanos = untilNanos;
    }
  }

  private boolean areCoresRefused() {
    long until = coresRefusedUntilNanos;
    return until != Claim.NEVER && System.nanoTime() < until;
  }

  /** Cores compute from now on. */
  void shareWithCores() {
    coresShare = true;
  }

  /** True if each row was committed. */
  boolean isCommitted() {
    return dealer.rowsCommitted() == spec.rows();
  }

  /** True if each row was committed, and those that were left to threads have been computed. */
  boolean isComplete() {
    return isCommitted() && left.areDone();
  }

  /** A launch device leaves for good. */
  void lose(DeviceOwner owner, String reason) {
    lost.putIfAbsent(owner, reason);
    gate.wakeSubmitter();
  }

  /** True if a launch device may still claim rows. */
  boolean hasLaunchDevices() {
    for (DeviceOwner owner : workers.owners) {
      if (!owner.isLost() && !lost.containsKey(owner)) {
        return true;
      }
    }
    return false;
  }

  /** Why no launch device may claim rows any more. */
  String whyNoLaunchDevices() {
    StringJoiner reasons = new StringJoiner("; ");
    for (DeviceOwner owner : workers.owners) {
      String reason = lost.get(owner);
      reasons.add(reason != null ? reason : owner.device().name() + " " + owner.whyLost());
    }
    return reasons.toString();
  }

  /** Adds a block that a launch device published. */
  synchronized void addBlock(
      int device, long rows, boolean stolen, long nanos, Transfers transfers) {
    tallies[device].addBlock(rows, stolen, nanos);
    tallies[device].transfers = tallies[device].transfers.plus(transfers);
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
