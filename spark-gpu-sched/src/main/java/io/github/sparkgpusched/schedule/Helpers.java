package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.schedule.strategy.Claim;
import java.util.List;

/**
 * The helpers of one scheduler: threads that take part in other threads' jobs while cores are idle.
 * Thread-safe.
 *
 * <p><b>When a helper is woken.</b> When a job has enough estimated time left and a core is idle.
 * Participants look after each block; and since one of them may be inside a long block, everything
 * that frees a core looks too. A helper first takes a core, then looks for a job, and gives the
 * core back before it looks whether someone needed it meanwhile. Every change (rows to share, a
 * core freed, a wake-up consumed) is thus made before its maker looks at the other conditions, and
 * of two makers at least one sees both changes: no wake-up is lost, and helpers can wait without a
 * time-out.
 */
final class Helpers {
  private final Cores cores;
  private final FairQueue<Job> jobs;
  private final CoreBudget budget;
  private final HelperPool pool;

  /** False to true, once, in {@link #close}. */
  private volatile boolean closed;

  Helpers(Cores cores, FairQueue<Job> jobs) {
    this.cores = cores;
    this.jobs = jobs;
    this.budget = new CoreBudget(cores.count());
    this.pool = new HelperPool(cores.count() - 1, this::help, budget::isIdle);
  }

  /** The devices that threads go by. */
  Cores cores() {
    return cores;
  }

  /** The jobs that run. */
  FairQueue<Job> jobs() {
    return jobs;
  }

  /** Who uses how many of the executor's cores. */
  CoreBudget budget() {
    return budget;
  }

  /** What a helper does when it is woken: takes part in jobs as long as one needs it. */
  private void help(Helper helper) {
    while (!closed && budget.tryTake()) {
      Job job = neediest();
      boolean joined = job != null && job.gate.join();
      if (!joined) {
        budget.add(-1);
        // Somebody may have seen no idle core because this helper held it for a moment.
        wakeForAny();
        if (job == null) {
          return;
        }
        continue;
      }
      Participant self = null;
      try {
        jobs.served(job);
        wakeForAny();
        helper.enter(job);
        self = Participant.enter(this, job, slotOf(job), true);
        self.work();
      } catch (Throwable e) {
        stop(job, e);
      } finally {
        if (self != null) {
          self.leave();
        }
        helper.exit();
        if (self == null || !self.hasYielded()) {
          budget.add(-1); // before the submitter goes on and takes its own core back
        }
        job.gate.leave();
        wakeForAny();
      }
    }
  }

  private static int slotOf(Job job) {
    int slot = job.slots.enter();
    if (slot < 0) {
      // There are as many slots as devices, and one helper less than that.
      throw new IllegalStateException("a job has more participants than slots");
    }
    return slot;
  }

  /**
   * The job to help, if one is worth joining: of those whose tasks have had the least device time
   * for their weight, give or take a turn, the one with most estimated time left for each
   * participant.
   */
  private Job neediest() {
    double least = Double.POSITIVE_INFINITY;
    for (Job job : jobs.all()) {
      if (job.need() > 0) {
        least = Math.min(least, jobs.charged(job));
      }
    }
    if (least == Double.POSITIVE_INFINITY) {
      return null;
    }
    Job best = null;
    double most = 0;
    for (Job job : jobs.all()) {
      double need = jobs.charged(job) <= least + HelperTurn.NANOS ? job.need() : 0;
      if (need > most) {
        most = need;
        best = job;
      }
    }
    return best;
  }

  /** True if another task has had less device time than this job's by a turn, and needs help. */
  boolean hasMoreRight(Job job) {
    Job other = neediest();
    return other != null && jobs.charged(other) + HelperTurn.NANOS < jobs.charged(job);
  }

  /** True if a job has rows for one more core. */
  boolean isNeeded() {
    return neediest() != null;
  }

  /** Rows can be claimed again: whoever waits for some is woken. */
  void rowsHandedBack(Job job) {
    job.gate.wakeSubmitter();
    job.refuseCores(Claim.NEVER); // who was refused did not know of them
    wakeFor(job);
    for (DeviceOwner owner : job.workers.owners) {
      owner.wakeForRows();
    }
  }

  /**
   * Wakes a helper if a core is idle and this job has work for it. One volatile read if none is.
   */
  void wakeFor(Job job) {
    if (budget.isIdle() && !pool.isPending() && job.need() > 0) {
      pool.wake();
    }
  }

  /** Wakes a helper if a core is idle and any job has work for it. */
  void wakeForAny() {
    if (budget.isIdle() && !pool.isPending() && neediest() != null) {
      pool.wake();
    }
  }

  /**
   * Stops a job; whoever is the first to do so interrupts the helpers inside.
   *
   * @return true for the first
   */
  boolean stop(Job job, Throwable reason) {
    boolean first = job.stop(reason);
    if (first) {
      pool.interrupt(job);
    }
    return first;
  }

  /** Interrupts the helpers inside of a job. */
  void interrupt(Job job) {
    pool.interrupt(job);
  }

  /** Has the helpers end: each is interrupted in whatever job it is inside of. */
  void close() {
    closed = true;
    pool.close();
  }

  /** The helper threads so far. */
  List<Thread> threads() {
    return pool.threads();
  }
}
