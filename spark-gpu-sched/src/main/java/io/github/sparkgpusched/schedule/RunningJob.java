package io.github.sparkgpusched.schedule;

import java.util.concurrent.CancellationException;

/**
 * A job that has been {@linkplain Scheduler#start started}. Idle cores and launch devices compute
 * its rows already; whoever started it takes part once it calls {@link #finish}. Either that or
 * {@link #cancel} must be called, once, and nobody may free the memory that the rows are in before
 * it has returned. One thread at a time, which need not be the one that started the job.
 */
public final class RunningJob {
  private final Helpers helpers;
  private final Placement.Placed placed;
  private final CostMemory memory;
  private final Job job;
  private final JobRun run;

  RunningJob(
      Helpers helpers,
      LaunchPolicy launching,
      Placement.Placed placed,
      CostMemory memory,
      Job job) {
    this.helpers = helpers;
    this.placed = placed;
    this.memory = memory;
    this.job = job;
    this.run = new JobRun(helpers, launching, job);
  }

  /**
   * Whether others compute the job, or will, or have: else it waits for whoever started it. A
   * snapshot, as helpers come and go.
   */
  public boolean isShared() {
    return job.gate.inside() > 0
        || job.isComplete()
        || (helpers.budget().isIdle() && job.need() > 0)
        || job.workers.owners.stream().anyMatch(owner -> owner.device().isPresent());
  }

  /** The submitter has other things to do first: whoever is idle may begin. */
  void wakeHelpers() {
    helpers.wakeFor(job);
  }

  /**
   * Computes what rows are left, on the calling thread too, and returns when each has been computed
   * exactly once: what {@link Scheduler#run} says, where it also stands what is thrown.
   */
  public JobStats finish() throws Exception {
    end();
    JobStats stats = run.result();
    job.keepCosts(memory);
    return stats;
  }

  /**
   * Has no more rows computed. Helpers that are inside are interrupted. Returns when no thread is
   * inside the job's body any more; throws nothing.
   */
  public void cancel() {
    helpers.stop(job, new CancellationException("nobody wants the job any more"));
    end();
  }

  private void end() {
    try {
      run.run();
    } finally {
      helpers.jobs().remove(job);
      placed.end();
    }
  }
}
