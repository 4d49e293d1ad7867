package io.github.sparkgpusched.schedule;

import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/**
 * One job from when its submitter begins to take part to its end, as that thread sees it. Used by
 * that thread.
 *
 * <p><b>When a job is over.</b> Claimed is not done. A helper is inside the job's {@link JobGate}
 * until its last claimed block has run. The submitter, when it finds nothing to claim, closes the
 * gate, gives its core back and waits until the gate is empty. Helpers that left early (their core
 * was wanted) may have left rows, one that found its rows to cost more than thought may have handed
 * some back, and a launch device may have left some that it could not compute; then the gate is
 * opened again and all of this repeats. A run does not return or throw by any way before the gate
 * is empty, so its caller may free the memory that the rows are in.
 */
final class JobRun {
  /**
   * How often a thread that waits for helpers looks whether its task was cancelled, and whether
   * rows were handed back just before it began to wait, which woke nobody.
   */
  private static final long CANCEL_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * The last blocks of helpers end soon. A thread that sleeps meanwhile may be woken on a helper's
   * processor, and share it for milliseconds, though its own is idle.
   */
  private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  static final String FALLBACK_HINT =
      ". Set spark.gpusched.hostFallback=true to have cores compute it then";

  private final Helpers helpers;
  private final LaunchPolicy launching;
  private final Job job;

  /** The submitter's part in this job; null until it computes. */
  private Participant self;

  /** Time that the submitter waited. */
  private long nanos;

  private boolean interrupted;

  /** True once the submitter is to compute what launch devices were to. */
  private boolean fallsBack;

  JobRun(Helpers helpers, LaunchPolicy launching, Job job) {
    this.helpers = helpers;
    this.launching = launching;
    this.job = job;
  }

  /** Computes the job until it is over, well or not. Throws nothing. */
  void run() {
    job.gate.submit();
    try {
      if (job.workers.hostsShare()) {
        takePart(true);
      }
      while (!waitUntilOver()) {
        boolean claims = job.workers.hostsShare() || fallsBack;
        if (self == null) {
          takePart(claims);
          continue;
        }
        if (claims && !self.claims()) {
          self.beginToClaim();
        }
        self.work();
      }
    } finally {
      if (self != null) {
        self.leave();
      }
    }
  }

  /** The submitter begins to compute. */
  private void takePart(boolean claims) {
    self = Participant.enter(helpers, job, job.workers.submitter, claims);
    helpers.wakeFor(job);
    self.work();
  }

  /**
   * What the job took, once it is over.
   *
   * @throws Exception what its body threw first
   */
  JobStats result() throws Exception {
    Throwable failure = job.failure();
    if (failure == null) {
      return job.stats(nanos);
    }
    if (interrupted && !(failure instanceof InterruptedException)) {
      Thread.currentThread().interrupt();
    }
    throw JobRun.<RuntimeException>asIs(failure);
  }

  /** Throws anything as it is, as the body may have thrown what no signature declares. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T asIs(Throwable failure) throws T {
    throw (T) failure;
  }

  /**
   * Closes the job's gate and waits until the job is over, or there are rows to claim; then the
   * gate is open again. Throws nothing.
   *
   * @return true if the job is over
   */
  private boolean waitUntilOver() {
    job.gate.close();
    if (isOver()) {
      return true;
    }
    // Whether it waits or not: who may ask again at once, and is refused each time, is to see a
    // device hang.
    if (!job.isStopped()) {
      watchLaunchDevices();
    }
    long start = System.nanoTime();
    helpers.budget().add(-1);
    helpers.wakeForAny();
    boolean over = false;
    // The flag is cleared as it is seen: while it is set no wait would wait.
    while (!over && !mayClaim()) {
      if (job.workers.owners.isEmpty() && System.nanoTime() - start < SPIN_NANOS) {
        Thread.onSpinWait();
      } else {
        job.gate.await(self == null ? CANCEL_POLL_NANOS : self.waitNanos(CANCEL_POLL_NANOS));
      }
      if (Thread.interrupted()) {
        interrupted = true;
        if (!helpers.stop(
            job, new InterruptedException("interrupted while other threads computed"))) {
          helpers.interrupt(job); // again: a body may have swallowed the first
        }
      } else if (!job.isStopped()) {
        stopIfCancelled();
        watchLaunchDevices();
      }
      over = isOver();
    }
    helpers.budget().add(1);
    nanos += System.nanoTime() - start;
    if (!over) {
      job.gate.reopen();
    }
    return over;
  }

  /** True once nobody touches the job any more, nor ever will. */
  private boolean isOver() {
    return (job.isStopped() || job.isComplete()) && job.gate.end();
  }

  private boolean mayClaim() {
    if (job.isStopped()) {
      return false;
    }
    if (self != null && self.claims()) {
      return self.mayClaim(System.nanoTime());
    }
    fallsBack = mustFallBack();
    return fallsBack || job.left.isWaiting();
  }

  /** True if the submitter is to compute what the launch devices were to. */
  private boolean mustFallBack() {
    if (job.hasLaunchDevices() || job.isCommitted()) {
      return false;
    }
    boolean coresCan = job.spec.body().runsOnCores();
    if (coresCan && launching.hostFallback()) {
      job.shareWithCores();
      return true;
    }
    helpers.stop(
        job,
        new NoDeviceException(
            "no device is left to compute this batch: "
                + job.whyNoLaunchDevices()
                + (coresCan ? FALLBACK_HINT : "")));
    return false;
  }

  private void watchLaunchDevices() {
    long now = System.nanoTime();
    for (DeviceOwner owner : job.workers.owners) {
      owner.watch(now);
    }
  }

  private void stopIfCancelled() {
    try {
      if (job.spec.cancelled().getAsBoolean()) {
        helpers.stop(job, new CancellationException("the task was cancelled"));
      }
    } catch (RuntimeException | Error e) {
      helpers.stop(job, e);
    }
  }
}
