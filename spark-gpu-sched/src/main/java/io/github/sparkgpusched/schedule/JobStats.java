package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.Transfers;

/** What a job that has ended took, in all and by device index. Immutable. */
public final class JobStats {
  private final Tally[] devices;
  private final Tally total = new Tally();
  private final long waitNanos;

  /** Keeps the tallies, which nobody changes any more. */
  JobStats(Tally[] devices, long waitNanos) {
    this.devices = devices;
    this.waitNanos = waitNanos;
    for (Tally device : devices) {
      total.add(device);
    }
  }

  static JobStats empty(int devices) {
    return new JobStats(Tally.array(devices), 0);
  }

  /** Rows computed. */
  public long rows() {
    return total.rows;
  }

  /** Blocks computed. */
  public long blocks() {
    return total.blocks;
  }

  /**
   * Blocks computed by another thread than the one whose segment their rows were first dealt to.
   */
  public long stolenBlocks() {
    return total.stolenBlocks;
  }

  /** Time that threads spent computing blocks, summed over the threads, in nanoseconds. */
  public long busyNanos() {
    return total.busyNanos;
  }

  /** Time that the thread which ran the job waited for others, in nanoseconds. */
  public long waitNanos() {
    return waitNanos;
  }

  /** What was copied to and from devices. */
  public Transfers transfers() {
    return total.transfers;
  }

  /** Number of the scheduler's devices, those without a part in the job too. */
  public int devices() {
    return devices.length;
  }

  /** Rows computed by a device. */
  public long rows(int device) {
    return devices[device].rows;
  }

  /** Blocks computed by a device. */
  public long blocks(int device) {
    return devices[device].blocks;
  }

  /** Those of {@link #stolenBlocks()} that a device computed. */
  public long stolenBlocks(int device) {
    return devices[device].stolenBlocks;
  }

  /** Time that a device spent computing blocks, in nanoseconds. */
  public long busyNanos(int device) {
    return devices[device].busyNanos;
  }

  @Override
  public String toString() {
    return "JobStats[rows="
        + rows()
        + ", blocks="
        + blocks()
        + ", stolenBlocks="
        + stolenBlocks()
        + ", busyNanos="
        + busyNanos()
        + ", waitNanos="
        + waitNanos
        + "]";
  }
}
