package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.schedule.strategy.Pace;
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

  /** In the order of their worker indexes, which begin at {@code firstOwner}. */
  final List<DeviceOwner> owners;

  private final int firstOwner;

  /**
   * @param placed launch devices that may compute the job
   * @param hostsShare whether the submitter and the helpers compute from the start; true if there
   *     are no launch devices
   * @param hosts the submitter and as many helpers as may come
   * @param bytesPerRow that launch devices copy
   * @param pace what is known of the function
   */
  JobWorkers(
      Placement.Placed placed, boolean hostsShare, int hosts, double bytesPerRow, Pace pace) {
    this.owners = placed.owners();
    this.starters = placed.parts() + (hostsShare ? 1 : 0);
    this.submitter = hostsShare ? 0 : owners.size();
    this.firstOwner = hostsShare ? 1 : 0;
    this.firstHelper = owners.size() + 1;
    List<WorkerSpec> all = new ArrayList<>(owners.size() + hosts);
    for (DeviceOwner owner : owners) {
      double nanosPerRow = owner.device().transferNanosPerByte() * bytesPerRow;
      long latencyNanos = pace.latencyNanos(owner.device());
      all.add(owner.spec().withLatency(latencyNanos).withMoreTransfer(nanosPerRow));
    }
    all.add(submitter, WorkerSpec.host());
    for (int helper = 1; helper < hosts; helper++) {
      all.add(WorkerSpec.host());
    }
    this.specs = List.copyOf(all);
  }

  /** Whether rows were dealt to a worker from the start. */
  boolean isStarter(int worker) {
    return worker < starters;
  }

  boolean hostsShare() {
    return submitter == 0;
  }

  /** The worker index of a launch device; -1 if it does not take part. */
  int indexOf(DeviceOwner owner) {
    for (int i = 0; i < owners.size(); i++) {
      if (owners.get(i) == owner) {
        return firstOwner + i;
      }
    }
    return -1;
  }
}
