package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Who may work on one job, by the worker index that its dealer knows them by. First come those that
 * rows are dealt to: the submitter, if cores share in the work, and the launch devices that a part
 * was placed on. Then the other launch devices, the submitter if it was not first, and the helpers.
 * Immutable.
 */
final class JobWorkers {
  /** Rows are dealt to so many of the first workers. */
  final int starters;

  /** Of the thread that called {@link Scheduler#run}. */
  final int submitter;

  /** The first of the helpers, which are the last workers. */
  final int firstHelper;

  final List<WorkerSpec> specs;

  /** In the order of their worker indexes, which begin at {@code firstLoop}. */
  final List<LaunchLoop> loops;

  private final int firstLoop;

  /**
   * @param loops launch devices that may compute the job, those with a part first
   * @param parts how many have one
   * @param hostsShare whether the submitter and the helpers compute from the start; true if there
   *     are no launch devices
   * @param hosts the submitter and as many helpers as may come
   * @param bytesPerRow that launch devices copy
   */
  JobWorkers(List<LaunchLoop> loops, int parts, boolean hostsShare, int hosts, double bytesPerRow) {
    this.loops = List.copyOf(loops);
    this.starters = parts + (hostsShare ? 1 : 0);
    this.submitter = hostsShare ? 0 : loops.size();
    this.firstLoop = hostsShare ? 1 : 0;
    this.firstHelper = loops.size() + 1;
    List<WorkerSpec> all = new ArrayList<>(loops.size() + hosts);
    for (LaunchLoop loop : loops) {
      LaunchDevice device = loop.device();
      all.add(device.spec().withMoreTransfer(device.transferNanosPerByte() * bytesPerRow));
    }
    all.add(submitter, WorkerSpec.host());
    for (int helper = 1; helper < hosts; helper++) {
      all.add(WorkerSpec.host());
    }
    this.specs = List.copyOf(all);
  }

  boolean hostsShare() {
    return submitter == 0;
  }

  /** The worker index of a launch device; -1 if it does not take part. */
  int indexOf(LaunchLoop loop) {
    for (int i = 0; i < loops.size(); i++) {
      if (loops.get(i) == loop) {
        return firstLoop + i;
      }
    }
    return -1;
  }
}
