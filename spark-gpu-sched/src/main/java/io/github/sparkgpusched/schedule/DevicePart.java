package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.strategy.Dealer;

/** A launch device's part in one job. Used by the device's owner thread. */
final class DevicePart {
  final Job job;
  final Dealer dealer;

  /** The device's index among the dealer's workers. */
  final int worker;

  /** How the device computes the job; null until it is first needed, and after a failure. */
  Launcher launcher;

  private Object kernels;
  private boolean knowsKernels;

  /** True once the device has failed at a launch of several blocks, one of which was this job's. */
  boolean goesAlone;

  /** True once the dealer knows that the device takes part. */
  boolean joined;

  /** True once it claims no more rows of the job. */
  boolean left;

  /** True if it has not told the dealer so, which it does with nothing in flight. */
  boolean mustLeaveDealer;

  /** What has turned out to fit into the device's memory. */
  long mostRows = Long.MAX_VALUE;

  /**
   * @param joined true if rows were dealt to the device from the start
   */
  DevicePart(Job job, Dealer dealer, int worker, boolean joined) {
    this.job = job;
    this.dealer = dealer;
    this.worker = worker;
    this.joined = joined;
  }

  /** What the device computes it with; null if its blocks go alone. Asked for once. */
  Object kernels(LaunchDevice device) {
    if (!knowsKernels) {
      knowsKernels = true;
      try {
        kernels = job.spec.body().kernels(device);
      } catch (Throwable e) {
        kernels = null; // what is wrong with it is its own: whoever makes its launcher sees it, too
      }
    }
    return goesAlone ? null : kernels;
  }

  /** For whom it computes; null if nobody wants to know, or if it is of no job, as in a test. */
  TaskWork work() {
    return job == null ? null : job.spec.body().work();
  }
}
