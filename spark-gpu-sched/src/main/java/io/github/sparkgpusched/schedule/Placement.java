package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.PlacementCandidate;
import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.api.PlacementPolicy;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Which launch devices take part in a job, and in which order its rows are dealt to them.
 * Thread-safe.
 */
final class Placement {
  /** A part of a job that takes less than so many launches is not worth a device of its own. */
  private static final int LAUNCHES_OF_A_PART = 4;

  private final LaunchPolicy launching;
  private final List<DeviceOwner> owners;

  /**
   * @param owners of all launch devices
   */
  Placement(LaunchPolicy launching, List<DeviceOwner> owners) {
    this.launching = launching;
    this.owners = owners;
  }

  /**
   * The devices of a job; none if cores are to do it alone.
   *
   * @throws NoDeviceException if no device may compute it
   */
  Placed place(JobSpec spec) {
    return place(spec, ableTo(spec));
  }

  private List<DeviceOwner> ableTo(JobSpec spec) {
    List<DeviceOwner> able = new ArrayList<>(owners.size());
    StringJoiner refusals = new StringJoiner("; ");
    double nanos = nanos(spec);
    for (DeviceOwner owner : owners) {
      // Of what it cannot compute a device is not asked further: it might look for a lender.
      if (spec.body().runsOn(owner.device()) && owner.device().isWorth(nanos, spec.rows())) {
        String refusal = refusal(owner, spec.hints());
        if (refusal == null) {
          able.add(owner);
        } else {
          refusals.add(refusal);
        }
      }
    }
    if (able.isEmpty() && !spec.body().runsOnCores()) {
      throw new NoDeviceException(
          "no device may compute this batch" + (refusals.length() > 0 ? ": " + refusals : ""));
    }
    if (able.isEmpty() && refusals.length() > 0) {
      checkFallback(refusals.toString());
    }
    return able;
  }

  private void checkFallback(String reasons) {
    if (!launching.hostsShare() && !launching.hostFallback()) {
      throw new NoDeviceException(
          "no device may compute this batch: " + reasons + JobRun.FALLBACK_HINT);
    }
  }

  /**
   * Why a device may not compute a job, or null if it may. A device whose facts are not known yet
   * is not kept from anything.
   */
  private static String refusal(DeviceOwner owner, PlacementHints hints) {
    String name = owner.device().name();
    if (owner.isLost()) {
      return name + " " + owner.whyLost();
    }
    DeviceFacts facts = owner.standing().facts();
    if (lacksMemory(facts, hints)) {
      facts = owner.standing().freshFacts(owner::wake);
    }
    if (lacksMemory(facts, hints)) {
      return name + " has " + facts.freeBytes() + " bytes free of " + hints.minFreeBytes();
    }
    for (Map.Entry<String, Integer> need : hints.least().entrySet()) {
      Integer has = facts.properties().get(need.getKey());
      if (has != null && has < need.getValue()) {
        return name + " has " + need.getKey() + " " + has + " of " + need.getValue();
      }
    }
    return null;
  }

  private static boolean lacksMemory(DeviceFacts facts, PlacementHints hints) {
    return facts.freeBytes() >= 0 && facts.freeBytes() < hints.minFreeBytes();
  }

  /**
   * The devices of a job. Those with a part count it until {@link #end}.
   *
   * @param owners those that rows are dealt to first, and then the others
   * @param parts how many rows are dealt to
   */
  record Placed(List<DeviceOwner> owners, int parts) {
    Placed {
      owners = List.copyOf(owners);
    }

    /** The job has ended: its parts load the devices no more. */
    void end() {
      for (DeviceOwner owner : owners.subList(0, parts)) {
        owner.standing().addParts(-1);
      }
    }
  }

  /**
   * Orders devices by the policy's picks, one for each part of the job; those that get no part stay
   * behind. All get one, unless the job is known to be so small that launches would take much of
   * its time.
   */
  Placed place(JobSpec spec, List<DeviceOwner> devices) {
    double nanos = nanos(spec);
    List<DeviceOwner> left = new ArrayList<>(devices);
    List<DeviceOwner> absent = new ArrayList<>(devices);
    left.removeIf(owner -> !owner.device().isPresent());
    absent.removeAll(left);
    int most = mostParts(nanos, left);
    List<DeviceOwner> placed = new ArrayList<>(devices.size());
    List<DeviceOwner> unworthy = new ArrayList<>();
    double speed = 0;
    while (placed.size() < most && !left.isEmpty()) {
      DeviceOwner next = left.remove(pick(spec.hints(), left));
      WorkerSpec device = next.spec();
      if (placed.isEmpty() || isWorthPart(nanos, speed + device.speed(), device)) {
        placed.add(next);
        speed += device.speed();
      } else {
        unworthy.add(next);
      }
    }
    // Now that the policy cannot fail any more: nobody would take them back.
    placed.forEach(owner -> owner.standing().addParts(1));
    int parts = placed.size();
    placed.addAll(unworthy);
    placed.addAll(left);
    placed.addAll(absent);
    return new Placed(placed, parts);
  }

  /** What a job takes a core, as far as is known; 0 or no number if it is not. */
  private static double nanos(JobSpec spec) {
    return spec.pace().nanosPerCost() * spec.costs().between(0, spec.rows());
  }

  /** To how many devices a job of so much work can be dealt at most, whichever they are. */
  private static int mostParts(double nanos, List<DeviceOwner> devices) {
    List<WorkerSpec> specs = new ArrayList<>();
    devices.forEach(owner -> specs.add(owner.spec()));
    specs.sort(Comparator.comparingDouble(WorkerSpec::launchNanos));
    int most = 0;
    double speed = 0;
    for (WorkerSpec device : specs) {
      speed += device.speed();
      if (most > 0 && !isWorthPart(nanos, speed, device)) {
        break;
      }
      most++;
    }
    return most;
  }

  /**
   * True if a device's launches take little of the time of a job.
   *
   * @param nanos that the job takes a device of speed 1; 0 or no number if that is not known
   * @param speed of all devices together
   */
  private static boolean isWorthPart(double nanos, double speed, WorkerSpec device) {
    return !(nanos > 0)
        || nanos / speed >= (double) LAUNCHES_OF_A_PART * Math.max(1, device.launchNanos());
  }

  private int pick(PlacementHints hints, List<DeviceOwner> left) {
    List<PlacementCandidate> candidates = new ArrayList<>(left.size());
    for (DeviceOwner owner : left) {
      candidates.add(owner.standing().candidate());
    }
    PlacementPolicy policy = launching.placement();
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
}
