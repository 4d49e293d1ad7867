package io.github.sparkgpusched.schedule;

/**
 * A core that nobody of this executor wants, for a thread that computes rows of another executor.
 * Used by that thread.
 */
public final class GuestSeat implements AutoCloseable {
  private final Scheduler scheduler;
  private final DeviceSeats seats;
  private int device;

  /** Of a core that was taken from the budget. */
  GuestSeat(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.seats = scheduler.cores().seats();
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
    return scheduler.helpers().budget().isOver() || scheduler.helpers().isNeeded();
  }

  /**
   * Computes a job by this thread, on this core, and by launch devices; it is to be one without
   * helpers. What {@link Scheduler#run} says is true of this.
   */
  public JobStats run(JobSpec spec) throws Exception {
    seats.giveBack(device); // the job takes one for its submitter
    try {
      return scheduler.run(spec);
    } finally {
      device = seats.take();
    }
  }

  /** Gives the core back. To be called once. */
  @Override
  public void close() {
    seats.giveBack(device);
    scheduler.guestLeft();
    scheduler.helpers().budget().add(-1);
    scheduler.helpers().wakeForAny();
  }
}
