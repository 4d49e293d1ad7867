package io.github.sparkgpusched.schedule.strategy.fill;

/**
 * How large a block is that a device claims as it fills up: a part of its room, so that later
 * blocks can mend what earlier ones got wrong, between so much that launches do not eat up the gain
 * and so little that a wrong guess does no harm. Immutable.
 */
final class BlockSizes {
  /** A probe is this part of a device's first segment: 1/1024. */
  private static final double PROBE_PART = 1.0 / 1024;

  /**
   * And at least this part of the job: where many devices have a small segment each, 1/1024 of it
   * is a row or two, which tell next to nothing of the others, and blocks grow from there a launch
   * at a time.
   */
  private static final double PROBE_PART_OF_JOB = 1.0 / 65_536;

  /** The most of a segment that a probe is, and what it is where costs were measured before. */
  private static final double PROBE_PART_OF_KNOWN = 1.0 / 64;

  /**
   * Probes after a device's first are smaller: that may have been cheap, and this place expensive.
   */
  private static final double FURTHER_PROBE_SMALLER = 4;

  /** A light device can do with less, and more often. */
  private static final double LIGHT_PROBE_SMALLER = 64;

  /** A block's cost is at most this many times what was measured at its border. */
  private static final double MAX_GROWTH = 16;

  /** A block takes at least this many launches, unless there is no more room. */
  private static final double MIN_LAUNCHES = 4;

  /** The same where a block is computed while the next one is launched. */
  private static final double MIN_LAUNCHES_HIDDEN = 2;

  /** A block takes at most this many launches: 1.6% of overhead where a launch is not hidden. */
  private static final double MAX_LAUNCHES = 64;

  /** The same where a block is computed while the next one is launched. */
  private static final double MAX_LAUNCHES_HIDDEN = 24;

  /** Part of the room that a block takes where the launch is hidden: 1/6. */
  private static final double ROOM_PARTS_HIDDEN = 6;

  /** Where it is not: 1/3 when times are hard to predict, 2/3 when they are easy. */
  private static final double ROOM_PARTS = 3;

  private static final double ROOM_PARTS_EASY = 1.5;

  /** Times that are usually off by less than this are easy to predict. */
  private static final double EASY_ERROR = 0.1;

  /**
   * A block takes at least this part of a launch, by the densest that is thought of its rows: with
   * less, an idle device would pay a launch to help next to nothing.
   */
  private static final double LEAST_LAUNCH_PART = 0.5;

  /**
   * Where launches are hidden, and so cheap, a block has at most this part of the cost that is left
   * for its device, however cheap its rows are: what is cheap here may be dear a few rows on.
   */
  private static final double PARTS_OF_COST_LEFT = 12;

  /**
   * But it may have what takes so many launches at the job's mean: of rows at half the mean its
   * launches are hidden, too.
   */
  private static final double LAUNCHES_NEAR_MEAN = 2;

  /** A launch counts as at least this part of the longest one: decisions are not free. */
  private static final double MIN_LAUNCH_PART = 0.02;

  /** What is left of a segment goes with a block if it is less than this part of it. */
  private static final double CRUMB = 0.15;

  private final double leastProbeCost;
  private final double probePart;
  private final double longestLaunchNanos;

  /**
   * @param jobCost cost of all rows
   * @param costsAreKnown whether rows were measured before, as far as their costs go
   * @param longestLaunchNanos of all devices of the job
   */
  BlockSizes(double jobCost, boolean costsAreKnown, double longestLaunchNanos) {
    this.leastProbeCost = jobCost * PROBE_PART_OF_JOB;
    this.probePart = costsAreKnown ? PROBE_PART_OF_KNOWN : PROBE_PART;
    this.longestLaunchNanos = longestLaunchNanos;
  }

  /** A device's launch, or what counts as one. */
  double launchNanos(FillUpDevice device) {
    return Math.max(1, Math.max(device.launchNanos, MIN_LAUNCH_PART * longestLaunchNanos));
  }

  /** Cost of a device's first block, while nothing is known. */
  double probeCost(FillUpDevice device) {
    double share = device.light ? device.share / LIGHT_PROBE_SMALLER : device.share;
    double least = Math.min(leastProbeCost, PROBE_PART_OF_KNOWN * share);
    double cost = Math.max(probePart * share, least);
    return Math.max(cost, device.fullCost); // less takes as long
  }

  /** Cost of a block that is claimed to learn what rows take elsewhere. */
  double furtherProbeCost(FillUpDevice device) {
    return Math.max(probeCost(device) / FURTHER_PROBE_SMALLER, device.fullCost);
  }

  /**
   * Time of a block.
   *
   * @param room time that the device has
   * @param usualError of what is predicted
   */
  double blockNanos(FillUpDevice device, double room, double usualError) {
    double launch = launchNanos(device);
    boolean hidden = device.depth > 1;
    double least = (hidden ? MIN_LAUNCHES_HIDDEN : MIN_LAUNCHES) * launch;
    if (room <= least || room < 2 * device.latencyNanos) {
      return room;
    }
    double hard = Math.min(1, usualError / EASY_ERROR);
    double parts =
        hidden ? ROOM_PARTS_HIDDEN : ROOM_PARTS_EASY + (ROOM_PARTS - ROOM_PARTS_EASY) * hard;
    double most = (hidden ? MAX_LAUNCHES_HIDDEN : MAX_LAUNCHES) * launch;
    double nanos = Math.min(Math.max(least, room / parts), most);
    return Math.max(nanos, device.latencyNanos);
  }

  /**
   * A block's cost, not far from what it would be if its rows were as all rows are.
   *
   * @param cost by what is known of the rows there
   * @param costLeft to be claimed, the device's part
   * @param mean density of the job
   * @param densest density that is thought of its rows
   */
  double nearMean(FillUpDevice device, double cost, double costLeft, double mean, double densest) {
    double launch = launchNanos(device);
    double capped = cost;
    if (device.depth > 1) {
      double atMean = LAUNCHES_NEAR_MEAN * launch * device.speed() / mean;
      double most = Math.max(atMean, costLeft / PARTS_OF_COST_LEFT);
      capped = Math.min(cost, most);
    }
    double dense = Math.max(mean, densest);
    double least = LEAST_LAUNCH_PART * launch * device.speed() / dense;
    return Math.max(capped, Math.max(least, fullCost(device, dense)));
  }

  /** Most cost of a block at a border up to which so much was measured. */
  double mostCost(FillUpDevice device, Border border, double densest) {
    double probe = probeCost(device);
    double most =
        border.measuredCost > 0 ? MAX_GROWTH * Math.max(probe, border.measuredCost) : probe;
    return Math.max(most, fullCost(device, densest));
  }

  /** The same cost, or all of a segment of which a crumb would be left. */
  static double withCrumb(FillUpDevice device, Segment segment, double cost, double densest) {
    double rest = segment.cost - cost;
    boolean isCrumb = rest < CRUMB * cost || rest < fullCost(device, densest);
    return isCrumb ? segment.cost : cost;
  }

  /** Cost that takes a device its latency: less takes as long. */
  private static double fullCost(FillUpDevice device, double density) {
    return device.latencyNanos * device.speed() / density;
  }
}
