package io.github.sparkgpusched.device.remote;

import java.util.concurrent.TimeUnit;

/** What must be true before rows travel: times that the advisor's replay of clusters has, too. */
public final class Waits {
  /** Whoever has not wanted cores for so long wants none, and may have some to lend. */
  public static final long LASTING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Who wants cores has wanted them for so long before it asks for some. */
  public static final long PATIENT_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

  /** A core is offered after it was idle for so long. */
  public static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** An executor that wants something looks so often whether it may ask. */
  public static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Rows that take less are not worth a journey. */
  public static final double LEAST_ROW_NANOS = 2_000;

  /**
   * Rows that take more stay: a lender that does not answer for twice as long is left, and some
   * rows take longer than others.
   */
  public static final double MOST_ROW_NANOS = 10e9;

  /** A shorter job is over before a core that is there is of use. */
  public static final double LEAST_JOB_NANOS = 5e6;

  /**
   * A core is looked for while jobs take this. One that is found in the middle of such a job is of
   * use to it, as the job may take longer than is thought; else to the next one.
   */
  public static final double LEAST_SEARCH_NANOS = 20e6;

  private Waits() {}
}
