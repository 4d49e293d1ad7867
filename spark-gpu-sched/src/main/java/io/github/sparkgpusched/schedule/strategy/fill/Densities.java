package io.github.sparkgpusched.schedule.strategy.fill;

/**
 * What the blocks of a job that ended have taught about the time its rows take. <em>Density</em> is
 * time per unit of cost on a device of speed 1, in nanoseconds. Guarded by the dealer's lock.
 */
final class Densities {
  /** Weight of older measurements in the regression. */
  private static final double DECAY = 0.95;

  /** What the regression starts from: neighbouring rows are taken to be 70% alike. */
  private static final double PRIOR_WEIGHT = 0.1;

  private static final double PRIOR_PERSISTENCE = 0.7;

  /** How far from the mean a density is taken to be at most, relative to it. */
  private static final double MAX_DEVIATION = 3;

  /** A surprise beyond this (e^1.5 = 4.5 times) is no more telling. */
  private static final double MAX_SURPRISE = 1.5;

  /** Weight of the newest block at a border, at least. */
  private static final double NEWEST = 0.4;

  private static final double NOISE_GAIN = 0.05;
  private static final double ERROR_GAIN = 0.1;
  private static final double MAX_ERROR = 2;

  private final FillUpDevice[] devices;
  private double seenCost;
  private double seenWork;
  private double xx = PRIOR_WEIGHT;
  private double xy = PRIOR_WEIGHT * PRIOR_PERSISTENCE;
  private double noise = 0.05;
  private double error;

  /**
   * Knows nothing.
   *
   * @param error expected relative error of costs
   */
  Densities(FillUpDevice[] devices, double error) {
    this.devices = devices;
    this.error = Math.min(0.3, error);
  }

  /** Remembers a mean density, which the first measurements outweigh. */
  void remember(double nanosPerCost, double cost) {
    seenCost = cost;
    seenWork = cost * nanosPerCost;
    for (FillUpDevice device : devices) {
      device.learnLatency(nanosPerCost);
    }
  }

  /** True as long as there is nothing to go by. */
  boolean isEmpty() {
    return seenCost == 0;
  }

  /** Mean density of all that was measured. */
  double mean() {
    return seenWork / seenCost;
  }

  /** Usual misprediction of a block's time, as the logarithm of the ratio, without its sign. */
  double usualError() {
    return error;
  }

  /**
   * Expected density at a border. A measurement counts only as far as measurements have turned out
   * to predict the next one; for the rest, the mean does.
   */
  double at(Border border) {
    if (border.by == Border.UNKNOWN) {
      return mean();
    }
    if (border.by == Border.GUESSED) {
      return border.nanosPerCost;
    }
    double mean = mean();
    return mean + persistence() * (measured(border) - mean);
  }

  /** Estimated work of a segment's rows: density changes from the one border to the other. */
  double work(Segment segment) {
    return segment.cost * (at(segment.left) + at(segment.right)) / 2;
  }

  private double measured(Border border) {
    return border.nanosPerCost * devices[border.by].speed();
  }

  /** Slope of a density against the one measured before it, both relative to the mean. */
  private double persistence() {
    return clamp(xy / xx, 0, 1);
  }

  /** Learns from a block that took so long, and keeps it at the border that it was taken from. */
  void learn(Flight flight, double cost, double nanos) {
    FillUpDevice device = flight.device;
    Border border = flight.border;
    device.took(nanos);
    double nanosOfRows = device.nanosOfRows(cost, nanos, isEmpty() ? 0 : at(border));
    double nanosPerCost = nanosOfRows / cost;
    if (border.isMeasured()) {
      learnSpeeds(device, devices[border.by], nanosPerCost * device.speed() / measured(border));
      double x = deviation(measured(border));
      xx = DECAY * xx + x * x;
      xy = DECAY * xy + x * deviation(nanosPerCost * device.speed());
    }
    if (flight.work > 0) {
      double surprise = nanosPerCost * device.speed() * flight.cost / flight.work;
      error += ERROR_GAIN * (Math.min(MAX_ERROR, Math.abs(Math.log(surprise))) - error);
    }
    seenCost += cost;
    seenWork += nanosOfRows * device.speed();
    for (FillUpDevice each : devices) {
      each.learnLatency(mean());
    }
    double kept = nanosPerCost;
    if (border.isMeasured() && !border.shared) {
      double weight = Math.max(NEWEST, cost / (cost + 0.3 * border.measuredCost));
      double before = measured(border) / device.speed();
      kept = before + weight * (nanosPerCost - before);
    }
    border.set(kept, device.index, cost);
  }

  private void learnSpeeds(FillUpDevice device, FillUpDevice other, double surprise) {
    double log = Math.log(surprise);
    if (device == other) {
      noise += NOISE_GAIN * (log * log - noise);
    } else {
      device.learnAgainst(other, clamp(log, -MAX_SURPRISE, MAX_SURPRISE), noise);
    }
  }

  private double deviation(double density) {
    return Math.min(MAX_DEVIATION, density / mean() - 1);
  }

  static double clamp(double value, double least, double most) {
    return Math.max(least, Math.min(most, value));
  }
}
