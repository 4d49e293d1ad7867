package io.github.sparkgpusched.schedule;

import java.util.concurrent.TimeUnit;

/**
 * A helper's stay with a job: it lasts until its core is wanted, or another task has more right to
 * it. Used by the helper's thread.
 */
final class HelperTurn {
  /** How long a helper stays with a job before it looks whether another task should have it. */
  static final long NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Helpers helpers;
  private final Job job;

  /** When the helper looks next whether another task has more right to it. */
  private long endsNanos = System.nanoTime() + NANOS;

  private boolean yielded;

  HelperTurn(Helpers helpers, Job job) {
    this.helpers = helpers;
    this.job = job;
  }

  /** True if the helper must leave the job. Asked after each block. */
  boolean isOver(long now) {
    if (helpers.budget().tryYield()) {
      yielded = true;
      return true;
    }
    if (now < endsNanos) {
      return false;
    }
    endsNanos = now + NANOS;
    return helpers.hasMoreRight(job);
  }

  /** True if the helper gave its core back already, because too many were in use. */
  boolean hasYielded() {
    return yielded;
  }
}
