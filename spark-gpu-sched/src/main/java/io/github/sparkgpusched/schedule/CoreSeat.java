package io.github.sparkgpusched.schedule;

/**
 * A core that a thread goes by while it computes rows in place, outside of any job. Whoever took it
 * closes it.
 */
public final class CoreSeat implements AutoCloseable {
  private final DeviceSeats seats;
  private final int device;

  CoreSeat(DeviceSeats seats) {
    this.seats = seats;
    this.device = seats.take();
  }

  /** Its index among the devices. */
  public int device() {
    return device;
  }

  /** Lets others go by it. To be called once. */
  @Override
  public void close() {
    seats.giveBack(device);
  }
}
