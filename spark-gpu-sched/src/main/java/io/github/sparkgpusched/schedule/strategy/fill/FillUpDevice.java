package io.github.sparkgpusched.schedule.strategy.fill;

import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * One device as {@link FillUpDealer} knows it: how fast it seems to be, what is in flight on it,
 * and when it will have done that. Guarded by the dealer's lock.
 */
final class FillUpDevice {
  /** A launch is next to nothing if it is less than this part of the longest one. */
  private static final double LIGHT = 0.05;

  /** A block that takes so many times the latency has rows enough. */
  private static final double FULL = 1.2;

  /** A block that is late is expected to take this much of the time it has had once more. */
  private static final double OVERDUE_MORE = 0.5;

  /**
   * Variance of the logarithm of a speed before anything is measured: a device may well be twice as
   * fast, or half as fast, as declared.
   */
  private static final double UNKNOWN_VARIANCE = 0.5;

  /** Logarithm of a speed over what was declared: 1.5 times as fast, or as slow. */
  private static final double SPEEDS_DIFFER = 0.4;

  /** No device is taken for this much faster or slower than declared: e^4, 55 times. */
  private static final double MAX_LOG_ERROR = 4;

  final int index;
  final int depth;
  final double launchNanos;
  final double transferNanosPerRow;

  /** Rows with which it is at its full rate: fewer take as long. */
  final long fullRows;

  /**
   * True if its launches cost next to nothing beside others'. Such a device is dealt no rows: it
   * takes a few at a time of what others have, as often as it wants.
   */
  final boolean light;

  /** True if its blocks may be computed elsewhere, too. */
  final boolean staged;

  /** Blocks in flight, the oldest first. */
  final List<Flight> flights;

  /** Cost of so many mean rows; 0 if each row more takes longer. */
  double fullCost;

  /** What a block takes at least to be computed; 0 while nobody knows. */
  double latencyNanos;

  /** Cost of the rows that were dealt to it first, or that would have been. */
  double share;

  /** Where it claims; null if it has to look for rows of others. */
  Segment own;

  /** Blocks claimed so far. */
  long blocks;

  /** Blocks claimed to learn what rows take, after the first. */
  int probes;

  /** When it is available, as {@link WaterLevel} last saw it. */
  double levelAvailableNanos;

  /** True while it takes part. */
  boolean present;

  private final double knownLatencyNanos;

  /** The least that a block took to be computed: its latency is no more than that. */
  private double shortestNanos = Double.POSITIVE_INFINITY;

  private final double declaredLog;
  private double logError;
  private double variance = UNKNOWN_VARIANCE;
  private double speed;

  FillUpDevice(int index, WorkerSpec spec, double longestLaunchNanos) {
    this.index = index;
    this.depth = spec.depth();
    this.launchNanos = spec.launchNanos();
    this.transferNanosPerRow = spec.transferNanosPerRow();
    this.light = launchNanos < LIGHT * longestLaunchNanos;
    this.staged = spec.staged();
    this.fullRows = spec.fullRows();
    this.knownLatencyNanos = fullRows > 1 ? spec.latencyNanos() : 0;
    this.flights = new ArrayList<>(depth);
    this.declaredLog = Math.log(spec.speed());
    this.speed = spec.speed();
  }

  /** Estimated speed. */
  double speed() {
    return speed;
  }

  /** False if it has turned out to be much faster or slower than declared. */
  boolean isAsDeclared() {
    return Math.abs(logError) <= SPEEDS_DIFFER;
  }

  /** A block took so long to be computed. */
  void took(double nanos) {
    shortestNanos = Math.min(shortestNanos, nanos);
  }

  /** The mean row of the job is thought to be so expensive. */
  void learnLatency(double density) {
    if (fullCost > 0) {
      double thought = knownLatencyNanos > 0 ? knownLatencyNanos : fullCost * density / speed;
      latencyNanos = Math.min(shortestNanos, thought);
    }
  }

  /**
   * What a block's rows would take this device as a part of a full block. One that took no longer
   * than any would says only what it is not more than.
   *
   * @param density expected of the rows; 0 if nothing is known
   */
  double nanosOfRows(double cost, double nanos, double density) {
    if (fullCost == 0 || (latencyNanos > 0 && nanos > FULL * latencyNanos)) {
      return nanos;
    }
    double thought = density > 0 ? cost * density / speed : nanos * cost / fullCost;
    return Math.min(nanos, thought);
  }

  /**
   * Two devices measured one place, and this one took longer than the other's measurement says:
   * either it is slower, or the other is faster, or the rows differ. A scalar Kalman filter shares
   * the surprise out by what is least certain.
   *
   * @param logSurprise logarithm of measured to expected time
   * @param noise variance of the surprise where speeds are known
   */
  void learnAgainst(FillUpDevice other, double logSurprise, double noise) {
    double sum = variance + other.variance + noise;
    adjust(-logSurprise, variance / sum);
    other.adjust(logSurprise, other.variance / sum);
  }

  private void adjust(double surprise, double gain) {
    logError = Densities.clamp(logError + gain * surprise, -MAX_LOG_ERROR, MAX_LOG_ERROR);
    variance *= 1 - gain;
    speed = Math.exp(declaredLog + logError);
  }

  /** What it takes it to compute a block of so much work. */
  double computeNanos(double work) {
    return Math.max(latencyNanos, work / speed);
  }

  /** When the device will have computed the block at this place in its queue. */
  double endNanos(int place, double nowNanos) {
    double end = 0;
    for (int i = 0; i <= place; i++) {
      Flight flight = flights.get(i);
      double start = Math.max(end, flight.readyNanos);
      end = start + computeNanos(flight.work);
      if (i == 0 && nowNanos > end) {
        end = nowNanos + OVERDUE_MORE * (nowNanos - start);
      }
    }
    return end;
  }

  /** When it will have computed all that is in flight. */
  double drainedNanos(double nowNanos) {
    return flights.isEmpty()
        ? nowNanos
        : Math.max(nowNanos, endNanos(flights.size() - 1, nowNanos));
  }

  /** When it could begin to compute a block that it claimed now. */
  double availableNanos(double nowNanos) {
    double drained = drainedNanos(nowNanos);
    return depth == 1 ? drained + launchNanos : Math.max(drained, nowNanos + launchNanos);
  }
}
