package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.load.Work;
import java.util.Arrays;

/** What a job that has ended took, in all and by device index. Immutable. */
public final class JobStats {
  private final Work[] devices;
  private final Work total;

  /** Of the time that a device was busy, that in which its threads had a core. */
  private final long[] coreNanos;

  private final Transfers[] transfers;
  private final long waitNanos;

  JobStats(Tally[] tallies, long waitNanos) {
    Tally sum = new Tally();
    devices = new Work[tallies.length];
    coreNanos = new long[tallies.length];
    transfers = new Transfers[tallies.length];
    for (int i = 0; i < tallies.length; i++) {
      devices[i] = tallies[i].work();
      coreNanos[i] = Math.min(tallies[i].busyNanos, tallies[i].coreNanos);
      transfers[i] = tallies[i].transfers;
      sum.add(tallies[i]);
    }
    this.total = sum.work();
    this.waitNanos = waitNanos;
  }

  static JobStats empty(int devices) {
    return new JobStats(Tally.array(devices), 0);
  }

  /** What a device computed. */
  public Work work(int device) {
    return devices[device];
  }

  /**
   * What the host devices computed. Where others took part, threads that copy and send rows take
   * the cores away now and then, which is not the rows' time: then busy is a thread only while it
   * has a core.
   *
   * @param hosts how many there are; they are the first devices
   */
  public Work byHosts(int hosts) {
    Work sum = Work.NONE;
    long hadNanos = 0;
    for (int i = 0; i < hosts; i++) {
      sum = sum.plus(devices[i]);
      hadNanos += coreNanos(i);
    }
    return sum.rows() == rows()
        ? sum
        : new Work(sum.rows(), sum.blocks(), sum.stolenBlocks(), hadNanos);
  }

  /** How long a device was busy and had a core, in nanoseconds. */
  long coreNanos(int device) {
    return coreNanos[device];
  }

  /** Rows computed. */
  public long rows() {
    return total.rows();
  }

  /** Rows computed by a device. */
  public long rows(int device) {
    return devices[device].rows();
  }

  /** Blocks computed. */
  public long blocks() {
    return total.blocks();
  }

  /** Blocks computed elsewhere than their rows were first dealt to. */
  public long stolenBlocks() {
    return total.stolenBlocks();
  }

  /** Time spent computing blocks, summed over the threads, in nanoseconds. */
  public long busyNanos() {
    return total.busyNanos();
  }

  /** Time that the thread which ran the job waited for others, in nanoseconds. */
  public long waitNanos() {
    return waitNanos;
  }

  /** What was copied to and from a device. */
  public Transfers transfers(int device) {
    return transfers[device];
  }

  /** Number of the scheduler's devices, those without a part in the job too. */
  public int devices() {
    return devices.length;
  }

  @Override
  public String toString() {
    return "JobStats[" + Arrays.toString(devices) + ", waitNanos=" + waitNanos + "]";
  }
}
