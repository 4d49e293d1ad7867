package io.github.sparkgpusched.schedule.strategy.fill;

/**
 * Where a device that fills up measures before it claims in earnest. A place that nobody has
 * measured may hold rows that are a thousand times as dear as those around it, and a block that is
 * sized by the others would take many times what the whole job should. A probe costs a launch, and
 * finds all places wider than the distance between probes.
 */
final class Probes {
  /** The first probe after a device's first block wants room for this many launches. */
  private static final double FIRST_LAUNCHES = 10;

  /** Each further one wants this many more: probes cost at most 3% of the time. */
  private static final double FURTHER_LAUNCHES = 30;

  /** Places measured in all, about; with more devices than that, the first blocks will do. */
  private static final int PLACES = 16;

  /** What a probe is taken from is worth so many of the smallest blocks. */
  private static final long LEAST_BLOCKS = 4;

  private Probes() {}

  /** True if nobody has measured the far end of a device's rows, and it had better be known. */
  static boolean isWorthFarEnd(FillUpDevice device, double roomLaunches) {
    return device.blocks == 1
        && device.own != null
        && device.own.right.by == Border.UNKNOWN
        && roomLaunches > FIRST_LAUNCHES;
  }

  /** True if a place within a device's rows had better be known. */
  static boolean isWorthPlaceWithin(FillUpDevice device, int devices, double roomLaunches) {
    return device.blocks > 0
        && device.probes < PLACES / devices - 1
        && roomLaunches > FIRST_LAUNCHES + FURTHER_LAUNCHES * device.probes;
  }

  /**
   * Rows of a device between the two places that are furthest apart; null if none are so far apart
   * that another place between them would tell more.
   */
  static Segment widestGap(FillUpDevice device, Segments segments, double jobCost) {
    Segment widest = null;
    for (Segment segment : segments) {
      boolean mine = segment.owner == device.index && segment.reopened == null;
      boolean wide =
          segment.rows() >= LEAST_BLOCKS * device.leastRows && 2 * PLACES * segment.cost > jobCost;
      if (mine && wide && (widest == null || segment.cost > widest.cost)) {
        widest = segment;
      }
    }
    return widest;
  }
}
