package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;

/**
 * A device whose blocks are launched and end later, as a GPU's do. The scheduler runs one thread
 * for each such device, its owner, and calls {@link #open}, {@link #close}, the device's {@link
 * Launcher}s and their {@link Launch}es from that thread alone.
 */
public interface LaunchDevice extends Device {
  /**
   * What a strategy is told about it: its speed relative to a core, what a launch costs, and how
   * many launches may be in flight. Any thread.
   */
  WorkerSpec spec();

  /**
   * What each byte of a row's arguments and results adds to the time of a launch, in nanoseconds.
   * Any thread.
   */
  default double transferNanosPerByte() {
    return 0;
  }

  /**
   * How many rows fill it, of what it computed last, so that it is worth while to bring as many at
   * once; 0 if it is never too few. Any thread.
   */
  default long waveRows() {
    return 0;
  }

  /**
   * Whether a block can be launched now. A device that is absent gets none, and keeps its place in
   * jobs until it is there. Any thread.
   */
  default boolean isPresent() {
    return true;
  }

  /**
   * Whether it belongs to another executor, which lends it now and then. Such a device bounds by
   * itself how long a block may take.
   */
  default boolean isBorrowed() {
    return false;
  }

  /**
   * Whether it takes part in a job that is expected to take a core so long; 0 if nobody knows.
   * Asked of jobs that it can compute. Any thread.
   *
   * @param rows of the job
   */
  default boolean isWorth(double jobNanos, long rows) {
    return true;
  }

  /**
   * Gives the device a way to say that it is present again, or that a block may be done. Called
   * once, before {@link #open}.
   *
   * @param wake may be called by any thread
   * @return true if the device does so each time, and need not be asked again and again
   */
  default boolean wakesOwner(Runnable wake) {
    return false;
  }

  /**
   * Called once on the owner's thread before anything else. A device that is absent when the
   * scheduler is made, and wakes its owner, is opened once it is present; if that never happens, it
   * is closed without.
   *
   * @throws DeviceFailedException if the device cannot be used: it computes nothing then
   */
  default void open() throws DeviceFailedException {}

  /**
   * What the device says about itself now. Called on the owner's thread, after {@link #open} and
   * then about four times a second while it works.
   *
   * @throws DeviceFailedException if the device has failed
   */
  default DeviceFacts facts() throws DeviceFailedException {
    return DeviceFacts.UNKNOWN;
  }

  /**
   * What has gone on inside of the device so far, of the blocks that were published; null if its
   * parts share nothing. Called on the owner's thread, after each block.
   */
  default InnerLoad inner() {
    return null;
  }

  /**
   * Called on the owner's thread while it has nothing to do: the device may end what costs
   * something though nothing is computed.
   *
   * @return true if it wants to be asked again
   * @throws DeviceFailedException if the device has failed
   */
  default boolean rest() throws DeviceFailedException {
    return false;
  }

  /**
   * Called on the owner's thread after a call other than {@link #open} has thrown a {@link
   * DeviceFailedException}: releases all that the device holds, of a failed context too, and opens
   * it anew. Its launches and launchers have been closed before, and new ones are made afterwards.
   * Few failures in a short time are recovered from; then the device is given up. One that does not
   * answer in time is given up at once.
   *
   * @return true if the device can be used again; false if it is to be given up
   * @throws DeviceFailedException if it cannot be opened anew: it is given up
   */
  default boolean recover() throws DeviceFailedException {
    return false;
  }

  /** Called once on the owner's thread when the scheduler closes, unless that thread is stuck. */
  default void close() {}
}
