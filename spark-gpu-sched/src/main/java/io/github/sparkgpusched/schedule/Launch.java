package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.Transfers;

/**
 * One block on its way through a launch device: staged, started, done, published, closed. Used by
 * the device's owner thread. Only {@link #publish} touches the job's memory: a block whose job has
 * ended meanwhile is closed without it.
 */
public interface Launch extends AutoCloseable {
  /**
   * Launches the block, with those that were staged {@linkplain Launcher#stageBeside beside} it,
   * and returns without waiting for them. Of these others this is not called.
   *
   * @throws DeviceMemoryException if the device has no room: all of these are closed, and the block
   *     is staged anew, without the others or with half of its rows
   * @throws JobRefusedException if the device cannot compute this job: it leaves the job
   * @throws DeviceFailedException if the device has failed
   */
  void start() throws Exception;

  /**
   * Rows that may still go with this block in one launch, of other jobs with the same {@link
   * RangeBody#kernels}, until it fills the device. Asked after it was staged, and before it is
   * started.
   *
   * @return 0 or less if nothing is to go with it
   */
  default long roomRows() {
    return 0;
  }

  /**
   * True once the block's results can be published. Does not wait.
   *
   * @throws JobRefusedException if the device cannot compute this job after all: it leaves the job
   * @throws DeviceFailedException if the device has failed: its blocks run elsewhere
   * @throws Exception anything else ends the job
   */
  boolean isDone() throws Exception;

  /**
   * Once done: the first row that the device did not get to. It and those behind it are dealt anew,
   * to any device, and none of them is published; a row that the device cannot compute is no such
   * row, but left in {@link #publish}.
   */
  default long reached() {
    return Long.MAX_VALUE;
  }

  /**
   * Once done: how long the rows took, in nanoseconds, without launch, transfers, and waits for
   * earlier blocks; of a launch of several blocks this one's share, by its rows; negative if the
   * device cannot tell.
   */
  long computeNanos();

  /** Once done: what was copied for it. */
  Transfers transfers();

  /**
   * Once done: writes the results of rows {@code [from, until)}, a part of the block, into the
   * job's columns. Each row is published by one block only, whatever was launched twice. The rows
   * count as computed by now, so a device that has failed since then must not make this fail.
   *
   * @param left is told, in ascending order and each row once, those of these rows that the device
   *     could not compute, or at which the function failed. The job's threads compute them, by its
   *     body, after this has returned; whatever was written for them is written over. No function
   *     of the user's is to be called here: while it ran the device would stand still
   */
  void publish(long from, long until, RowsLeft left) throws Exception;

  /** Takes the rows that a device leaves to the job's threads. */
  @FunctionalInterface
  interface RowsLeft {
    /** Rows {@code [from, until)} are left. */
    void add(long from, long until);
  }

  /**
   * Gives all that the block holds back to the device. Called once, at any time after {@code
   * stage}: of a block that is not done the device may still be computing.
   */
  @Override
  void close();
}
