package io.github.sparkgpusched.schedule.strategy.fill;

import io.github.sparkgpusched.schedule.strategy.Claim;

/**
 * Where a device that fills up measures before it claims in earnest. A place that nobody has
 * measured may hold rows that are a thousand times as expensive as those around it, and a block
 * that is sized by the others would take many times what the whole job should. A probe costs a
 * launch, and finds all places wider than the distance between probes. Guarded by the dealer's
 * lock.
 */
final class Probes {
  /** The first probe after a device's first block wants room for this many launches. */
  private static final double FIRST_LAUNCHES = 10;

  /** Each further one wants this many more: probes cost at most 3% of the time. */
  private static final double FURTHER_LAUNCHES = 30;

  /** Places measured in all, about; with more devices than that, the first blocks will do. */
  private static final int PLACES = 16;

  /** For so many of its launches a device waits for what others measure. */
  private static final double PATIENCE_LAUNCHES = 1;

  /** And asks for it after this part of a launch. */
  static final double LOOK_LAUNCHES = 1.0 / 8;

  /** What a probe is taken from is worth so many of the smallest blocks. */
  private static final long LEAST_BLOCKS = 4;

  private final int devices;
  private final Segments segments;
  private final InFlight inFlight;
  private final Densities densities;
  private final BlockSizes sizes;

  /** When rows were first asked for; no number until then. */
  private double beginNanos = Double.NaN;

  /**
   * Measures nothing yet.
   *
   * @param devices number of devices of the job
   */
  Probes(int devices, Segments segments, InFlight inFlight, Densities densities, BlockSizes sizes) {
    this.devices = devices;
    this.segments = segments;
    this.inFlight = inFlight;
    this.densities = densities;
    this.sizes = sizes;
  }

  /**
   * True if a device had better wait for what light ones are about to measure: with few rows they
   * are done soon, and it takes its latency for a block, whatever it finds.
   */
  boolean awaitsLight(FillUpDevice[] all, FillUpDevice device, double nowNanos) {
    beginNanos = Double.isNaN(beginNanos) ? nowNanos : beginNanos;
    if (device.fullCost == 0
        || device.blocks > 0
        || nowNanos - beginNanos >= PATIENCE_LAUNCHES * device.launchNanos) {
      return false;
    }
    for (FillUpDevice other : all) {
      if (other.present && other.light && other.blocks == other.flights.size()) {
        return true;
      }
    }
    return false;
  }

  /** Nothing is known yet: each device measures one small block of its own rows. */
  boolean claimFirst(FillUpDevice device, Claim claim, double nowNanos) {
    if (device.own == null) {
      adoptOrphan(device);
    }
    if (device.own == null && device.light) {
      takeProbe(device);
    }
    if (device.own == null || !device.flights.isEmpty()) {
      return false;
    }
    return inFlight.take(device, device.own, true, sizes.probeCost(device), 0, claim, nowNanos);
  }

  /** Something is known, but not of places between: these may be far more expensive. */
  boolean claimFurther(FillUpDevice device, double roomLaunches, Claim claim, double nowNanos) {
    if (isWorthFarEnd(device, roomLaunches)) {
      Segment own = device.own;
      device.probes++;
      double cost = sizes.furtherProbeCost(device);
      return inFlight.take(device, own, false, cost, densities.at(own.right), claim, nowNanos);
    }
    Segment gap = isWorthPlaceWithin(device, roomLaunches) ? widestGap(device) : null;
    if (gap == null) {
      return false;
    }
    long middle = segments.reach(gap, gap.cost / 2);
    long cut = Math.max(gap.from + 1, Math.min(middle, gap.until - 1));
    Segment far = segments.cutOff(gap, cut, Border.unknown(true));
    far.owner = gap.owner;
    segments.add(far);
    device.probes++;
    double cost = sizes.furtherProbeCost(device);
    return inFlight.take(device, far, true, cost, densities.mean(), claim, nowNanos);
  }

  /** Takes some of the rows that others were dealt for a first block. */
  private void takeProbe(FillUpDevice device) {
    Segment most = null;
    for (Segment segment : segments) {
      if (inFlight.mayTake(device, segment) && (most == null || segment.cost > most.cost)) {
        most = segment;
      }
    }
    if (most == null) {
      return;
    }
    long cut = segments.cutAtEnd(most, false, sizes.probeCost(device));
    if (cut == most.from) {
      segments.own(most, device);
      return;
    }
    Segment far = segments.cutOff(most, cut, Border.unknown(true));
    far.right = far.left;
    segments.add(far, device);
  }

  /** Takes rows on that were handed back, or whose device has left. */
  private void adoptOrphan(FillUpDevice device) {
    for (Segment segment : segments) {
      if (segment.owner == Segment.NOBODY && inFlight.mayTake(device, segment)) {
        segments.own(segment, device);
        return;
      }
    }
  }

  /** True if nobody has measured the far end of a device's rows, and it had better be known. */
  private static boolean isWorthFarEnd(FillUpDevice device, double roomLaunches) {
    return device.blocks == 1
        && device.own != null
        && device.own.right.by == Border.UNKNOWN
        && roomLaunches > FIRST_LAUNCHES;
  }

  /** True if a place within a device's rows had better be known. */
  private boolean isWorthPlaceWithin(FillUpDevice device, double roomLaunches) {
    return device.blocks > 0
        && device.probes < PLACES / devices - 1
        && roomLaunches > FIRST_LAUNCHES + FURTHER_LAUNCHES * device.probes;
  }

  /**
   * Rows of a device between the two places that are furthest apart; null if none are so far apart
   * that another place between them would tell more.
   */
  private Segment widestGap(FillUpDevice device) {
    Segment widest = null;
    for (Segment segment : segments) {
      boolean mine = segment.owner == device.index && segment.reopened == null;
      boolean wide =
          segment.rows() >= LEAST_BLOCKS * device.fullRows
              && 2 * PLACES * segment.cost > segments.jobCost();
      if (mine && wide && (widest == null || segment.cost > widest.cost)) {
        widest = segment;
      }
    }
    return widest;
  }
}
