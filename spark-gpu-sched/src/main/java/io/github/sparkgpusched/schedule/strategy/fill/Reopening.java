package io.github.sparkgpusched.schedule.strategy.fill;

/**
 * Has rows that are in flight computed once more, where nothing is left to claim: so neither a
 * device that hangs nor a slow one with a last large block holds up the job. Guarded by the
 * dealer's lock.
 */
final class Reopening {
  /** Rows are opened again if that gains this part of the time they would take longer. */
  private static final double WORTH_REOPENING = 0.2;

  private final FillUpDevice[] devices;
  private final InFlight inFlight;
  private final Densities densities;

  Reopening(FillUpDevice[] devices, InFlight inFlight, Densities densities) {
    this.devices = devices;
    this.inFlight = inFlight;
    this.densities = densities;
  }

  /**
   * Opens the block again that will end last, if idle devices would be done with it clearly sooner.
   */
  boolean reopenLatest(FillUpDevice device, double nowNanos) {
    if (!device.staged) {
      return false;
    }
    double idleSpeed = 0;
    for (FillUpDevice other : devices) {
      boolean idle = other.present && other.staged && other.flights.isEmpty();
      idleSpeed += idle ? other.speed() : 0;
    }
    Flight latest = null;
    double latestNanos = 0;
    for (Flight flight : inFlight) {
      if (flight.reopened
          || flight.device == device
          || !flight.device.staged
          || flight.isCommittedByOthers()) {
        continue;
      }
      flight.estimate(densities.mean());
      double end = flight.device.endNanos(flight.device.flights.indexOf(flight), nowNanos);
      double again =
          nowNanos + device.launchNanos + Math.max(device.latencyNanos, flight.work / idleSpeed);
      if (end - again > WORTH_REOPENING * (end - nowNanos) && end > latestNanos) {
        latestNanos = end;
        latest = flight;
      }
    }
    if (latest == null) {
      return false;
    }
    latest.hasTaken(nowNanos);
    inFlight.reopen(latest, device);
    return true;
  }
}
