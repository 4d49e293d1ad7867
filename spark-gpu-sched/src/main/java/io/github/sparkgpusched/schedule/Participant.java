package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.load.FirstLine;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.RunningPace;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/**
 * One thread's part in one job, the submitter's or a helper's: from the thread's entry to its leave
 * it has a slot of the job and goes by a device. Used by that thread only.
 */
final class Participant {
  /** After so long it is worth asking for rows that are kept for others. */
  static final long KEPT_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** The calling thread's innermost part in a job: a function may itself submit one. */
  private static final ThreadLocal<Participant> CURRENT = new ThreadLocal<>();

  private final Helpers helpers;
  private final Cores cores;
  private final Job job;
  private final int slot;

  /** Of a helper, whose slot is its own to give back; null for the submitter. */
  private final HelperTurn turn;

  /** The thread's part in another job that it is inside of, or null. */
  private final Participant outer;

  private final Claim claim = new Claim();
  private final Tally tally = new Tally();

  /** True if this job was submitted from inside a block of another job of this scheduler. */
  private final boolean nested;

  private final int device;
  private final LoadEntry load;

  /** Null until the first {@link #work}. */
  private RangeBody.Worker worker;

  private final RunningPace pace;

  /** False while the thread is there only for what launch devices leave to it. */
  private boolean claims;

  /** What this participant has added to its device's queue depth and not taken back. */
  private long depth;

  /** True while the body computes a block, or if it threw. */
  private boolean inBlock;

  private long blockStartNanos;

  /** When it is worth looking for rows again, after {@link #work} found none. */
  private long askAgainNanos = Claim.NEVER;

  /**
   * The calling thread enters a job, as a helper through a gate that has let it in.
   *
   * @param slot its worker index in the job
   * @param claims false if it computes only what launch devices leave, until {@link #beginToClaim}
   */
  static Participant enter(Helpers helpers, Job job, int slot, boolean claims) {
    Participant self = new Participant(helpers, job, slot);
    if (claims) {
      self.beginToClaim();
    }
    CURRENT.set(self);
    return self;
  }

  private Participant(Helpers helpers, Job job, int slot) {
    this.helpers = helpers;
    this.cores = helpers.cores();
    this.job = job;
    this.slot = slot;
    this.turn = slot >= job.workers.firstHelper ? new HelperTurn(helpers, job) : null;
    this.outer = CURRENT.get();
    this.nested = outer != null && outer.helpers == helpers;
    this.device = nested ? outer.device : cores.seats().take();
    this.load = cores.table().entry(device);
    this.pace = new RunningPace(job.pace.nanosPerCost());
  }

  /** From now on this takes part in all of the job's rows. */
  void beginToClaim() {
    claims = true;
    if (!job.workers.isStarter(slot)) {
      job.dealer.join(slot);
    }
  }

  boolean claims() {
    return claims;
  }

  /**
   * Computes blocks until none is left to claim, the job is stopped, or, for a helper, its core is
   * wanted. Whatever goes wrong stops the job and is not thrown.
   */
  void work() {
    long begun = ThreadTime.nanos();
    computeBlocks();
    tally.coreNanos += ThreadTime.nanos() - begun;
  }

  private void computeBlocks() {
    try {
      if (worker == null && !job.isStopped()) {
        worker =
            Objects.requireNonNull(job.spec.body().open(cores.devices().get(device)), "worker");
      }
      // The clock is read as rarely as can be: it is most of what a block costs.
      long now = System.nanoTime();
      while (!job.isStopped()) {
        if (job.spec.cancelled().getAsBoolean()) {
          helpers.stop(job, new CancellationException("the task was cancelled"));
          return;
        }
        if (job.left.isWaiting()) {
          now = computeLeft(now);
          if (turn != null && turn.isOver(now)) {
            return;
          }
          continue;
        }
        if (!claims) {
          return;
        }
        boolean claimed = job.dealer.claim(slot, now, claim);
        load.addSteals(claim.stealsTried(), claimed && claim.stealsTried() > 0);
        if (!claimed) {
          askAgainNanos = askAgain(claim.retryNanos());
          job.refuseCores(askAgainNanos);
          return;
        }
        now = compute();
        if (turn != null && turn.isOver(now)) {
          return;
        }
        helpers.wakeFor(job);
      }
    } catch (Throwable e) {
      // Errors too: the submitter must hear of them, and a helper must live on for other jobs.
      helpers.stop(job, e);
      if (inBlock) {
        inBlock = false;
        showFailure(blockStartNanos, System.nanoTime(), FirstLine.of(e));
      }
    }
  }

  /**
   * When to ask again, after a claim that was refused until then. Rows that are left may be kept
   * for a worker that never comes: who asked at once, again and again, would be in everybody's way.
   */
  private long askAgain(long retryNanos) {
    boolean kept = retryNanos == Claim.NEVER && job.dealer.rowsLeft() > 0;
    return kept ? System.nanoTime() + KEPT_NANOS : retryNanos;
  }

  /** Computes the claimed block; returns when that ended. */
  private long compute() throws Exception {
    long from = claim.from();
    long until = claim.until();
    showDepth(job.dealer.queuedRows(slot));
    long start = System.nanoTime();
    if (!nested) {
      load.beginBlock(start);
    }
    inBlock = true;
    blockStartNanos = start;
    long reached = compute(from, until);
    inBlock = false;
    long end = System.nanoTime();
    long nanos = end - start;
    showBlock(reached - from, start, end);
    tally.addBlock(reached - from, claim.foreign(), nanos);
    job.spec.account().charge(nested ? 0 : nanos); // else it is in the outer block's time
    pace.learn(job.costs.between(from, reached), nanos);
    job.learn(pace.nanosPerCost());
    job.dealer.commit(slot, claim, reached, nanos, end);
    job.measured(slot, from, reached, nanos);
    if (reached < until) {
      helpers.rowsHandedBack(job);
    }
    return end;
  }

  private long compute(long from, long until) throws Exception {
    if (claim.oneCall()) {
      worker.run(from, until);
      return until;
    }
    return checkReached(from, until, worker.runOrHandBack(from, until));
  }

  /**
   * Computes some of what launch devices left, for about as long as a block takes; returns when
   * that ended. Such rows tell nothing of what others take.
   */
  private long computeLeft(long start) throws Exception {
    LeftRows.Range range = job.left.take();
    if (range == null) {
      return start; // somebody else was faster
    }
    if (!nested) {
      load.beginBlock(start);
    }
    inBlock = true;
    blockStartNanos = start;
    long rows = 0;
    long end;
    do {
      long reached = worker.runOrHandBack(range.from(), range.until());
      checkReached(range.from(), range.until(), reached);
      job.left.computed(range, reached);
      rows += reached - range.from();
      end = System.nanoTime();
      boolean goesOn = end - start < cores.targetBlockNanos() && !job.isStopped();
      range = goesOn ? job.left.take() : null;
    } while (range != null);
    inBlock = false;
    if (nested) {
      load.addInnerBlock(rows, false, job.spec.body().work());
    } else {
      load.endBlock(rows, start, end, false, job.spec.body().work());
    }
    tally.addBlock(rows, false, end - start);
    job.spec.account().charge(nested ? 0 : end - start);
    return end;
  }

  private static long checkReached(long from, long until, long reached) {
    if (reached <= from || reached > until) {
      throw new IllegalStateException(
          "a worker that was given rows " + from + " to " + until + " says it reached " + reached);
    }
    return reached;
  }

  /** True if rows may be claimable by now that {@link #work} did not get. */
  boolean mayClaim(long now) {
    if (job.left.isWaiting()) {
      return true;
    }
    if (!claims) {
      return false;
    }
    return askAgainNanos == Claim.NEVER ? job.dealer.rowsLeft() > 0 : now >= askAgainNanos;
  }

  /** How long to wait until rows may be claimable, at most so long. */
  long waitNanos(long mostNanos) {
    long nanos = askAgainNanos == Claim.NEVER ? mostNanos : askAgainNanos - System.nanoTime();
    return Math.max(1, Math.min(mostNanos, nanos));
  }

  /** True if this helper gave its core back already, because too many were in use. */
  boolean hasYielded() {
    return turn != null && turn.hasYielded();
  }

  /** Closes the worker and gives slot and device back. Throws nothing; an error stops the job. */
  void leave() {
    try {
      if (worker != null) {
        worker.close();
      }
    } catch (Throwable e) {
      helpers.stop(job, e);
    }
    try {
      showDepth(0);
      job.add(device, tally);
      if (claims) {
        job.dealer.leave(slot);
      }
    } catch (Throwable e) {
      helpers.stop(job, e); // what follows is owed to other jobs
    }
    if (turn != null) {
      job.slots.leave(slot);
    }
    if (!nested) {
      cores.seats().giveBack(device);
    }
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
  }

  /** A nested block's time is already in the outer one's. */
  private void showBlock(long rows, long start, long end) {
    if (nested) {
      load.addInnerBlock(rows, claim.foreign(), job.spec.body().work());
    } else {
      load.endBlock(rows, start, end, claim.foreign(), job.spec.body().work());
    }
  }

  private void showFailure(long start, long end, String error) {
    if (nested) {
      load.addInnerFailure(job.spec.body().work(), error);
    } else {
      load.endFailure(start, end, job.spec.body().work(), error);
    }
  }

  private void showDepth(long rows) {
    if (rows != depth) {
      load.addQueueDepth(rows - depth);
      depth = rows;
    }
  }
}
