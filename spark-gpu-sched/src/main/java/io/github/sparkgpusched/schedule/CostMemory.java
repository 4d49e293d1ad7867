package io.github.sparkgpusched.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.util.Map;

/**
 * What jobs have taken that may come again: the same query's same batch, run once more. Keeps the
 * most recent, at most 4 MB. Thread-safe.
 */
final class CostMemory {
  private static final int MOST_JOBS = 256;

  /**
   * What a job took.
   *
   * @param rows of the job
   * @param costs in nanoseconds on a device of speed 1
   * @param error how far they may be off, as a relative error
   */
  record Kept(long rows, RangeCosts costs, double error) {}

  /** Least recently used first. */
  @GuardedBy("this")
  private final Map<Object, Kept> jobs = new RecentlyUsed<>(MOST_JOBS);

  /** What is known of a job; null if it is not known, or had another number of rows. */
  synchronized Kept recall(Object job, long rows) {
    Kept kept = jobs.get(job);
    return kept != null && kept.rows == rows ? kept : null;
  }

  /** Keeps what a job has taken, instead of what was known. */
  synchronized void keep(Object job, Kept kept) {
    jobs.put(job, kept);
  }
}
