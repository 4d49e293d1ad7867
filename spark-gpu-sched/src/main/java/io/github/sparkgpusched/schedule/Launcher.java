package io.github.sparkgpusched.schedule;

/** How one launch device computes the blocks of one job. Used by the device's owner thread. */
public interface Launcher extends AutoCloseable {
  /**
   * Copies what a block needs out of the job's memory into memory of the device's own. The job
   * lasts at least until this returns, so it must not wait for the device, nor for calls of its
   * driver that may wait for kernels; nothing is launched yet.
   *
   * @param from first row
   * @param until the row after the last
   * @return the block; the caller closes it
   * @throws NoRoomYetException if it is to be asked again when that has made room, outside of what
   *     the job waits for
   * @throws DeviceMemoryException if there is no room: the scheduler asks again with half the rows
   * @throws JobRefusedException if the device cannot compute this job: it leaves the job
   * @throws DeviceFailedException if the device has failed
   * @throws Exception anything else ends the job
   */
  Launch stage(long from, long until) throws Exception;

  /**
   * As {@link #stage}, for the launch of another job's block, which has {@linkplain Launch#roomRows
   * room}, computes with the same {@link RangeBody#kernels} and was not started. The block is done,
   * published and closed by itself.
   *
   * @param first what was staged first for that launch
   * @return null if it does not fit into it
   */
  default Launch stageBeside(Launch first, long from, long until) throws Exception {
    return null;
  }

  /** Called when the device leaves the job or fails; the job's memory may be gone. */
  @Override
  default void close() {}
}
