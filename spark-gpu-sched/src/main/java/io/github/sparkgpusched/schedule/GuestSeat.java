package io.github.sparkgpusched.schedule;

/**
 * A core that nobody of this executor wants, for a thread that computes rows of another executor.
 * Used by that thread.
 */
public final class GuestSeat implements AutoCloseable {
  private final Helpers helpers;
  private final DeviceSeats seats;
  private final int device;

  /** Of a core that was taken from the budget. */
  GuestSeat(Helpers helpers, DeviceSeats seats) {
    this.helpers = helpers;
    this.seats = seats;
    this.device = seats.take();
  }

  /** The core's index among the devices. */
  public int device() {
    return device;
  }

  /**
   * Whether the thread is to leave after the rows at hand: a task has started that the core belongs
   * to, or a job of this executor has rows for it.
   */
  public boolean isWanted() {
    return helpers.budget().isOver() || helpers.isNeeded();
  }

  /** Gives the core back. To be called once. */
  @Override
  public void close() {
    seats.giveBack(device);
    helpers.budget().add(-1);
    helpers.wakeForAny();
  }
}
