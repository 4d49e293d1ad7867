package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.load.TaskWork;

/** The work of a job: computes rows of a range. Shared by all threads that work on the job. */
public interface RangeBody {
  /**
   * Called once by each thread that joins the job, on that thread, before its first range.
   *
   * @param device the device that the thread works for
   * @return what computes ranges on this thread; closed by the scheduler on the same thread when it
   *     leaves the job
   */
  Worker open(Device device) throws Exception;

  /**
   * True if a launch device can compute this job's rows, by {@link #launcher}. Called on the
   * submitter's thread before the job begins, once for each device.
   */
  default boolean runsOn(LaunchDevice device) {
    return false;
  }

  /** False if cores cannot compute this job's rows: then a launch device must. */
  default boolean runsOnCores() {
    return true;
  }

  /**
   * False if launch devices are to compute all of this job's rows, where there are some that can:
   * the same rows then have the same results whenever they are computed, although cores would give
   * others. Cores that can compute them do so where no launch device can, or is left.
   */
  default boolean sharesWithCores() {
    return runsOnCores();
  }

  /**
   * True if a core computes rows together, by calls that may take their time however few rows they
   * are for. Called on the submitter's thread before the job begins.
   */
  default boolean computesTogether() {
    return false;
  }

  /**
   * How a launch device computes this job's rows. Called for devices that {@link #runsOn} was true
   * for, on the device's owner thread, and again after it has failed and recovered. This may take
   * long, and the job may be over before it returns: it touches nothing of the job's memory, which
   * {@link Launcher#stage} may.
   *
   * @return closed by the scheduler, on the same thread, when the device leaves the job or fails
   */
  default Launcher launcher(LaunchDevice device) throws Exception {
    throw new UnsupportedOperationException("no launcher for " + device.name());
  }

  /**
   * What a launch device computes this job's rows with: blocks of jobs for which these are equal
   * may go in one launch. Called on the device's owner thread, and quick: it loads nothing. The job
   * may be over: it touches nothing of its memory.
   *
   * @return null if its blocks go alone
   */
  default Object kernels(LaunchDevice device) {
    return null;
  }

  /** For whom the devices count what they compute of this; null if nobody wants to know. */
  default TaskWork work() {
    return null;
  }

  /** One thread's share of a job. Not thread-safe. */
  interface Worker extends AutoCloseable {
    /**
     * Computes rows {@code [from, until)}, by one call. Ranges given to the workers of a job never
     * overlap.
     */
    void run(long from, long until) throws Exception;

    /**
     * What the scheduler calls where one call is not asked for: computes rows from {@code from} on,
     * at least one, and may hand back the others. A worker that can stop inside a block overrides
     * this, and stops when its rows take far longer than the block was sized for, so that idle
     * threads can take them.
     *
     * @return the first row that was not computed; {@code until} if all were
     */
    default long runOrHandBack(long from, long until) throws Exception {
      run(from, until);
      return until;
    }

    @Override
    default void close() {}
  }
}
