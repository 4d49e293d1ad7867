package io.github.sparkgpusched.bench.simulate.cluster;

import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which borrowed cores a job has, as {@code RemoteDevice.isWorth} and {@code Placement} say.
 *
 * @param owners those that rows are dealt to first
 * @param parts how many rows are dealt to
 */
record Placed(List<Owner> owners, int parts) {
  private static final int LAUNCHES_OF_A_PART = 4;

  /**
   * @param jobNanos what it takes a core, as far as is known; 0 if it is not
   */
  static Placed place(Node node, double jobNanos) {
    Rules rules = node.setting.rules;
    if (jobNanos >= rules.leastSearchNanos && node.setting.borrowed > 0) {
      node.serving.needCores();
    }
    List<Owner> present = new ArrayList<>();
    List<Owner> absent = new ArrayList<>();
    for (Owner owner : node.owners) {
      if (owner.isPresent() && jobNanos >= rules.leastJobNanos) {
        present.add(owner);
      } else if (jobNanos >= rules.leastSearchNanos
          && jobNanos >= (owner.index + 1) * rules.leastJobNanos) {
        absent.add(owner);
      }
    }
    int most = mostParts(jobNanos, present);
    present.sort(Comparator.comparingInt(Owner::inFlight));
    List<Owner> placed = new ArrayList<>();
    List<Owner> others = new ArrayList<>();
    double speed = 0;
    for (Owner owner : present) {
      double with = speed + owner.spec().speed();
      if (placed.size() < most && (placed.isEmpty() || isWorth(jobNanos, with, owner.spec()))) {
        placed.add(owner);
        speed = with;
      } else {
        others.add(owner);
      }
    }
    int parts = placed.size();
    placed.addAll(others);
    placed.addAll(absent);
    return new Placed(placed, parts);
  }

  private static int mostParts(double jobNanos, List<Owner> owners) {
    List<WorkerSpec> specs = new ArrayList<>();
    owners.forEach(owner -> specs.add(owner.spec()));
    specs.sort(Comparator.comparingDouble(WorkerSpec::launchNanos));
    int most = 0;
    double speed = 0;
    for (WorkerSpec spec : specs) {
      speed += spec.speed();
      if (most > 0 && !isWorth(jobNanos, speed, spec)) {
        break;
      }
      most++;
    }
    return most;
  }

  private static boolean isWorth(double jobNanos, double speed, WorkerSpec spec) {
    return !(jobNanos > 0) || jobNanos / speed >= LAUNCHES_OF_A_PART * (double) spec.launchNanos();
  }
}
