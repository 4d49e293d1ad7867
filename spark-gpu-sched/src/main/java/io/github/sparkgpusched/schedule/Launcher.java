package io.github.sparkgpusched.schedule;

/** How one launch device computes the blocks of one job. Used by the device's owner thread. */
public interface Launcher extends AutoCloseable {
  /**
   * Copies what a block needs out of the job's memory into memory of the device's own. The job
   * lasts at least until this returns, so it must not wait for the device; nothing is launched yet.
   *
   * @param from first row
   * @param until the row after the last
   * @return the block; the caller closes it
   * @throws DeviceMemoryException if there is no room: the scheduler asks again with half the rows
   * @throws JobRefusedException if the device cannot compute this job: it leaves the job
   * @throws DeviceFailedException if the device has failed
   * @throws Exception anything else ends the job
   */
  Launch stage(long from, long until) throws Exception;

  /** Called when the device leaves the job or fails; the job's memory may be gone. */
  @Override
  default void close() {}
}
