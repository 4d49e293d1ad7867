package io.github.sparkgpusched.schedule.strategy.fill;

import io.github.sparkgpusched.schedule.strategy.Claim;

/**
 * Where a device claims: in rows of its own, or in the far part of the segment with most time left,
 * cut so that both devices would end together. Guarded by the dealer's lock.
 */
final class Takeovers {
  /** How much of what was measured at a segment's borders a cut inside is trusted for. */
  private static final double TRUST_OF_CUT = 0.1;

  /** What a light device takes of others' rows takes it so many of the longest launches. */
  private static final double NIBBLE_LAUNCHES = 1;

  private final FillUpDevice[] devices;
  private final Segments segments;
  private final InFlight inFlight;
  private final Densities densities;
  private final double longestLaunchNanos;

  Takeovers(
      FillUpDevice[] devices,
      Segments segments,
      InFlight inFlight,
      Densities densities,
      double longestLaunchNanos) {
    this.devices = devices;
    this.segments = segments;
    this.inFlight = inFlight;
    this.densities = densities;
    this.longestLaunchNanos = longestLaunchNanos;
  }

  /**
   * Where a device claims: its own segment, or one that it takes over. Null if none is worth it.
   */
  Segment segmentFor(FillUpDevice device, Claim claim, double nowNanos) {
    if (device.own == null) {
      device.own = segments.heaviestOf(device, densities);
    }
    if (device.own != null) {
      return device.own;
    }
    claim.triesToSteal();
    Segment most = null;
    double mostNanos = 0;
    for (Segment segment : segments) {
      if (!inFlight.mayTake(device, segment)) {
        continue;
      }
      double nanos = densities.work(segment);
      if (segment.owner != Segment.NOBODY) {
        FillUpDevice owner = devices[segment.owner];
        nanos = nanos / owner.speed() + owner.availableNanos(nowNanos) - nowNanos;
      } else {
        nanos /= device.speed();
      }
      if (most == null || nanos > mostNanos) {
        mostNanos = nanos;
        most = segment;
      }
    }
    return most == null ? null : takeOver(most, device, nowNanos);
  }

  /** Gives a device the far part of a segment, so that it and the owner would end together. */
  private Segment takeOver(Segment segment, FillUpDevice thief, double nowNanos) {
    if (segment.owner == Segment.NOBODY) {
      segments.own(segment, thief);
      return segment;
    }
    FillUpDevice owner = devices[segment.owner];
    double work = densities.work(segment);
    double byOwner = work / owner.speed();
    double byThief = work / thief.speed();
    double late = owner.availableNanos(nowNanos) - thief.availableNanos(nowNanos);
    double part = Densities.clamp((late + byOwner) / (byOwner + byThief), 0, 1);
    if (thief.light) {
      part = Math.min(part, NIBBLE_LAUNCHES * longestLaunchNanos / byThief);
    }
    double left = densities.at(segment.left);
    double right = densities.at(segment.right);
    double cutCost = costWithWork(left, right, segment.cost, (1 - part) * work);
    long cut = part >= 1 ? segment.from : segments.reach(segment, Math.max(0, cutCost));
    cut = Math.min(cut, segment.until - 1);
    if (cut <= segment.from) {
      if (segment.rows() == 1 || part >= 1) {
        segments.own(segment, thief);
        return segment;
      }
      cut = segment.from + 1;
    }
    double there = left + (right - left) * Densities.clamp(cutCost / segment.cost, 0, 1);
    double trusted = TRUST_OF_CUT * Math.max(segment.left.measuredCost, segment.right.measuredCost);
    if (thief.light) {
      trusted = Math.max(trusted, segment.right.measuredCost); // the cut is close to that
    }
    Segment far = segments.cutOff(segment, cut, Border.guess(there, trusted, true));
    if (thief.light) {
      far.right = far.left; // what is measured of so few rows tells of those beside them
    }
    segments.add(far, thief);
    return far;
  }

  /** Cost from the left on that has so much work, if density goes in a straight line. */
  private static double costWithWork(double left, double right, double cost, double work) {
    double slope = (right - left) / cost;
    if (Math.abs(slope) * cost < 1e-9 * left) {
      return work / left;
    }
    return (Math.sqrt(Math.max(0, left * left + 2 * slope * work)) - left) / slope;
  }
}
