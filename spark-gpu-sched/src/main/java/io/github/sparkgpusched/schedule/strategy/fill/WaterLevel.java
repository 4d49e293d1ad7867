package io.github.sparkgpusched.schedule.strategy.fill;

/**
 * When all devices would be done together. Computed anew now and then: to look at all devices and
 * segments takes longer than the rest of a decision. Guarded by the dealer's lock.
 */
final class WaterLevel {
  /** The level is computed anew after this many of the longest launches. */
  private static final double LEVEL_LAUNCHES = 0.5;

  /** Of sums of times: relative to what is added, and in last places of the clock. */
  private static final double ROUNDING = 1e-6;

  private static final double ROUNDING_OF_CLOCK = 4;

  private final FillUpDevice[] devices;
  private final Segments segments;
  private final Densities densities;
  private final double longestLaunchNanos;
  private double levelNanos;
  private double levelAtNanos = Double.NEGATIVE_INFINITY;
  private double costLeftPerSpeed;

  WaterLevel(
      FillUpDevice[] devices, Segments segments, Densities densities, double longestLaunchNanos) {
    this.devices = devices;
    this.segments = segments;
    this.densities = densities;
    this.longestLaunchNanos = longestLaunchNanos;
  }

  /** Time that a device has from when it is available to the level; 0 or less if it has none. */
  double roomNanos(FillUpDevice device, double nowNanos) {
    boolean stale = nowNanos - levelAtNanos > LEVEL_LAUNCHES * longestLaunchNanos;
    if (stale) {
      compute(nowNanos);
    }
    double available = device.availableNanos(nowNanos);
    if (levelNanos <= available + device.latencyNanos && !stale) {
      compute(nowNanos); // by an old level all devices might decline for good
    }
    double room = levelNanos - available;
    double rounding =
        Math.max(ROUNDING * device.latencyNanos, ROUNDING_OF_CLOCK * Math.ulp(available));
    return room < device.latencyNanos - rounding ? 0 : room;
  }

  private void compute(double nowNanos) {
    double work = 0;
    double cost = 0;
    boolean reopenedOnly = true;
    for (Segment segment : segments) {
      work += densities.work(segment);
      cost += segment.cost;
      reopenedOnly &= segment.reopened != null;
    }
    levelNanos = nanos(devices, work, nowNanos, reopenedOnly);
    levelAtNanos = nowNanos;
    double speeds = 0;
    for (FillUpDevice device : devices) {
      speeds += device.present ? device.speed() : 0;
    }
    costLeftPerSpeed = cost / speeds;
  }

  /** A device's part of the cost that is left to be claimed, as of the last level. */
  double costLeft(FillUpDevice device) {
    return costLeftPerSpeed * device.speed();
  }

  /**
   * The time at which the work is done if none of it goes to a device that would need longer than
   * that for its smallest block. Of those that would, the last to be done is left out first; what
   * one of them could still do is an upper bound for the others.
   *
   * @param work on a device of speed 1, in nanoseconds
   * @param stagedOnly true if only staged devices can do it
   */
  private static double nanos(
      FillUpDevice[] devices, double work, double nowNanos, boolean stagedOnly) {
    for (FillUpDevice device : devices) {
      device.levelAvailableNanos =
          device.present && (device.staged || !stagedOnly)
              ? device.availableNanos(nowNanos)
              : Double.POSITIVE_INFINITY;
    }
    double bound = Double.POSITIVE_INFINITY;
    while (true) {
      double level = nanos(devices, work);
      FillUpDevice last = null;
      for (FillUpDevice device : devices) {
        double available = device.levelAvailableNanos;
        boolean late = available < level && level < available + device.latencyNanos;
        if (late && (last == null || soonest(device) > soonest(last))) {
          last = device;
        }
      }
      if (last == null) {
        return Math.min(level, bound);
      }
      bound = Math.min(bound, soonest(last));
      last.levelAvailableNanos = Double.POSITIVE_INFINITY;
    }
  }

  /** When a device could be done with its smallest block. */
  private static double soonest(FillUpDevice device) {
    return device.levelAvailableNanos + device.latencyNanos;
  }

  /**
   * The time T at which the work is done if it flows like water to the devices that can still do
   * some: the sum of speed * max(0, T - available) over them is the work. Devices that are only
   * available after T get none. Linear in the number of devices for each of a few rounds.
   */
  private static double nanos(FillUpDevice[] devices, double work) {
    double level = Double.POSITIVE_INFINITY;
    while (true) {
      double speeds = 0;
      double weighted = 0;
      for (FillUpDevice device : devices) {
        double available = device.levelAvailableNanos;
        if (available < level) {
          speeds += device.speed();
          weighted += device.speed() * available;
        }
      }
      double lower = speeds == 0 ? level : (work + weighted) / speeds;
      // Leaving out a device that comes too late lowers the level; there are finitely many.
      if (!(lower < level)) {
        return level;
      }
      level = lower;
    }
  }
}
