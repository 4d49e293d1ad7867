package io.github.sparkgpusched.schedule.strategy.fill;

/** When all devices would be done together. */
final class WaterLevel {
  private WaterLevel() {}

  /**
   * The time T at which the work is done if it flows like water to the devices that can still do
   * some: the sum of speed * max(0, T - available) over them is the work. Devices that are only
   * available after T get none. Linear in the number of devices for each of a few rounds.
   *
   * @param work on a device of speed 1, in nanoseconds
   * @param stagedOnly true if only staged devices can do it
   */
  static double nanos(FillUpDevice[] devices, double work, double nowNanos, boolean stagedOnly) {
    for (FillUpDevice device : devices) {
      device.levelAvailableNanos =
          device.present && (device.staged || !stagedOnly)
              ? device.availableNanos(nowNanos)
              : Double.POSITIVE_INFINITY;
    }
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
