package io.github.sparkgpusched.schedule.strategy.fill;

/**
 * What is known of the rows at one end of a {@link Segment}: how long a unit of cost takes there.
 * Kept as measured, in time on the device that measured it, and not as work: when that device's
 * speed turns out different, all that it has measured is corrected at once. Guarded by the dealer's
 * lock.
 *
 * <p>Two neighbouring segments begin with one border between them, so that what the one measures at
 * its front is known at the other's rear. The first to measure there goes on with a copy.
 */
final class Border {
  /** Nobody measured here: {@link #nanosPerCost} is a guess for a device of speed 1. */
  static final int GUESSED = -1;

  /** Nothing is known but the job's mean. */
  static final int UNKNOWN = -2;

  double nanosPerCost;

  /** Index of the device that measured, {@link #GUESSED} or {@link #UNKNOWN}. */
  int by = UNKNOWN;

  /** The largest block measured here, in cost: how far the measurement may be trusted to reach. */
  double measuredCost;

  /** True while two segments have this border in common. */
  boolean shared;

  static Border unknown(boolean shared) {
    Border border = new Border();
    border.shared = shared;
    return border;
  }

  static Border guess(double nanosPerCost, double trustedCost, boolean shared) {
    Border border = unknown(shared);
    border.nanosPerCost = nanosPerCost;
    border.by = GUESSED;
    border.measuredCost = trustedCost;
    return border;
  }

  boolean isMeasured() {
    return by >= 0;
  }

  void set(double newNanosPerCost, int device, double cost) {
    nanosPerCost = newNanosPerCost;
    by = device;
    measuredCost = Math.max(measuredCost, cost);
  }

  /** This border, for its measurer alone; the neighbour keeps the original. */
  Border detach() {
    shared = false;
    Border copy = new Border();
    copy.nanosPerCost = nanosPerCost;
    copy.by = by;
    copy.measuredCost = measuredCost;
    return copy;
  }
}
