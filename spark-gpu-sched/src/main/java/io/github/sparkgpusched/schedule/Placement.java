package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.PlacementCandidate;
import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.api.PlacementPolicy;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Which launch devices take part in a job, and in which order its rows are dealt to them.
 * Thread-safe.
 */
final class Placement {
  /** A part of a job that takes less than so many launches is not worth a device of its own. */
  private static final int LAUNCHES_OF_A_PART = 4;

  private final PlacementPolicy policy;

  Placement(PlacementPolicy policy) {
    this.policy = policy;
  }

  /**
   * Why a device may not compute a job, or null if it may. A device whose facts are not known yet
   * is not kept from anything.
   */
  static String refusal(LaunchLoop loop, PlacementHints hints) {
    String name = loop.device().name();
    if (!loop.isActive()) {
      return name + " " + loop.whyInactive();
    }
    DeviceFacts facts = loop.facts();
    if (facts.freeBytes() >= 0 && facts.freeBytes() < hints.minFreeBytes()) {
      return name + " has " + facts.freeBytes() + " bytes free of " + hints.minFreeBytes();
    }
    if (facts.computeCapability() >= 0
        && facts.computeCapability() < hints.minComputeCapability()) {
      return name
          + " is of compute capability "
          + facts.computeCapability()
          + ", "
          + hints.minComputeCapability()
          + " is wanted";
    }
    return null;
  }

  /**
   * How many devices a job's rows are dealt to: all, unless the job is known to be so small that
   * launches would take much of its time.
   */
  static int parts(JobSpec spec, List<LaunchLoop> devices) {
    double nanosPerCost = spec.pace().nanosPerCost();
    double cost = spec.costs().between(0, spec.rows());
    if (devices.isEmpty() || !(nanosPerCost > 0) || !(cost > 0)) {
      return devices.size();
    }
    WorkerSpec device = devices.get(0).device().spec();
    double nanos = nanosPerCost * cost / device.speed();
    double worth = nanos / (LAUNCHES_OF_A_PART * Math.max(1, device.launchNanos()));
    return (int) Math.max(1, Math.min(devices.size(), worth));
  }

  /**
   * Orders devices by the policy's picks, one for each part of the job; those that get no part stay
   * behind. Counts the parts, until {@link #end}.
   *
   * @param parts how many devices rows are dealt to
   */
  List<LaunchLoop> place(PlacementHints hints, List<LaunchLoop> devices, int parts) {
    List<LaunchLoop> left = new ArrayList<>(devices);
    List<LaunchLoop> placed = new ArrayList<>(devices.size());
    while (placed.size() < parts) {
      LaunchLoop next = left.remove(pick(hints, left));
      next.addParts(1);
      placed.add(next);
    }
    placed.addAll(left);
    return placed;
  }

  private int pick(PlacementHints hints, List<LaunchLoop> left) {
    List<PlacementCandidate> candidates = new ArrayList<>(left.size());
    for (LaunchLoop loop : left) {
      candidates.add(loop.candidate());
    }
    int pick = policy.pick(hints, candidates);
    if (pick < 0 || pick >= left.size()) {
      throw new IllegalStateException(
          "the placement policy "
              + policy.getClass().getName()
              + " (spark.gpusched.placement) picked device "
              + pick
              + " of "
              + left.size()
              + ": it must return an index in its candidates");
    }
    return pick;
  }

  /** The job has ended: its parts load the devices no more. */
  static void end(List<LaunchLoop> placed, int parts) {
    for (LaunchLoop loop : placed.subList(0, parts)) {
      loop.addParts(-1);
    }
  }
}
