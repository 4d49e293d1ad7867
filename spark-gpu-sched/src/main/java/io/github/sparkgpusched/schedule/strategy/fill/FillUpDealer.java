package io.github.sparkgpusched.schedule.strategy.fill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;

/**
 * {@code adaptive} where a block costs a launch: each device fills up to the time at which, by all
 * that is known, all devices will be done together. Thread-safe: one lock per job. A decision takes
 * well under a microsecond for tens of devices, against launches of ten and more.
 *
 * <p><b>Segments.</b> Each device begins with rows of its own, in proportion to declared speeds,
 * and claims blocks at their two ends. One that has none left takes over the far part of the
 * segment with most time left, cut so that both would end together ({@link Takeovers}).
 * <em>Light</em> devices, whose launches cost next to nothing beside others', are dealt no rows:
 * they take a few at a time from the far ends of others' segments. So a device with expensive
 * launches never has to look for rows in many small segments that turn out to be too much for their
 * owners.
 *
 * <p><b>What is learned.</b> Each end of a segment has a {@link Border} with the time that rows
 * took there; what lies between is taken for a straight line from the one to the other. How far a
 * measurement is trusted over the job's mean is itself learned ({@link Densities}). Where two
 * devices measured one place, they differ in speed ({@link FillUpDevice}). The first block of each
 * device is a probe, small enough to do no harm; if there is time for more launches, others follow
 * at the far end of its segment and within ({@link Probes}). No block is far larger than what was
 * measured near it.
 *
 * <p><b>How large a block is</b> ({@link BlockSizes}). The <em>water level</em> ({@link
 * WaterLevel}) is the time at which all work left would be done if it flowed to the devices like
 * water: the sum over devices of speed times the time from when the device is available to the
 * level equals the work left. A device's <em>room</em> is the time from when it is available to the
 * level. It claims a fraction of it, so that later blocks can mend what earlier ones got wrong; at
 * least so much that launches do not eat up the gain, and at the end all of it. A device without
 * room claims nothing: others will do it sooner.
 *
 * <p><b>Two in flight.</b> A device of depth 2 claims its second block just in time: when what
 * remains of the first is about the launch, the transfer, and the usual error.
 *
 * <p><b>Run twice.</b> When nothing is left to claim and rows may run twice, the block in flight
 * that will end last is opened again for devices that are idle ({@link Reopening}); the first to
 * commit a row publishes it ({@link InFlight}). So neither a device that hangs nor a slow one with
 * a last large block holds up the job.
 *
 * <p>After a trial of the same idea whose figures the project keeps ({@code docs/scheduling.md}).
 */
public final class FillUpDealer implements Dealer {
  /** Costs with a relative error below this count as known. */
  private static final double KNOWN_ERROR = 0.2;

  /** As a relative error: the next job begins with what was declared, and its costs are off. */
  private static final double ERROR_OF_UNKNOWN_SPEEDS = 0.5;

  /** The heavier end of a segment goes first if it is this much heavier. */
  private static final double HEAVIER = 1.3;

  /** The second block is claimed when the first has so many launches and transfers left. */
  private static final double LEAD_LAUNCHES = 2;

  /** A device that got nothing asks again after this part of a launch. */
  private static final double RETRY_LAUNCHES = 1;

  /** A first block of all that takes so many launches makes idle devices think of the worst. */
  private static final double SILENT_LAUNCHES = 8;

  private final Deal deal;
  private final BlockSizes sizes;

  /** Whether the time that rows take is known before any was computed. */
  private final boolean remembers;

  @GuardedBy("this")
  private final FillUpDevice[] devices;

  @GuardedBy("this")
  private final Densities densities;

  /** Rows to claim. */
  @GuardedBy("this")
  private final Segments segments;

  @GuardedBy("this")
  private final InFlight inFlight;

  @GuardedBy("this")
  private final WaterLevel level;

  @GuardedBy("this")
  private final Probes probes;

  @GuardedBy("this")
  private final Takeovers takeovers;

  @GuardedBy("this")
  private final Reopening reopening;

  /** Who has claimed last; null at first. */
  @GuardedBy("this")
  private FillUpDevice lastToClaim;

  /**
   * When that one, or any at first, was first told that others had better compute what is left
   * though nothing was in flight; no number if it was not.
   */
  @GuardedBy("this")
  private double idleSinceNanos = Double.NaN;

  /** Whether the pace knows of this job; true once all rows are committed. */
  @GuardedBy("this")
  private boolean taught;

  /** A dealer of one job; nothing is claimed. */
  public FillUpDealer(Deal deal) {
    this.deal = deal;
    this.devices = new FillUpDevice[deal.workers().size()];
    double longestLaunchNanos =
        deal.workers().stream().mapToDouble(WorkerSpec::launchNanos).max().orElse(0);
    for (int i = 0; i < devices.length; i++) {
      devices[i] = new FillUpDevice(i, deal.workers().get(i), longestLaunchNanos);
    }
    this.segments =
        new Segments(RangeCosts.usable(deal.costs(), deal.rows()), deal.rows(), devices);
    this.sizes = new BlockSizes(segments.jobCost(), costsAreKnown(), longestLaunchNanos);
    this.densities = new Densities(devices, deal.costError());
    this.remembers = costsAreKnown() && deal.pace().isKnown();
    segments.deal(deal.rows(), deal.starters());
    if (remembers) {
      densities.remember(deal.pace().nanosPerCost(), 1e-6 * segments.jobCost());
    }
    this.inFlight = new InFlight(segments);
    this.level = new WaterLevel(devices, segments, densities, longestLaunchNanos);
    this.probes = new Probes(devices.length, segments, inFlight, densities, sizes);
    this.takeovers = new Takeovers(devices, segments, inFlight, densities, longestLaunchNanos);
    this.reopening = new Reopening(devices, inFlight, densities);
  }

  private boolean costsAreKnown() {
    return deal.costError() < KNOWN_ERROR;
  }

  @Override
  public synchronized void join(int worker) {
    devices[worker].present = true;
  }

  @Override
  public synchronized void leave(int worker) {
    devices[worker].present = false;
    segments.leave(devices[worker]);
  }

  @Override
  public synchronized boolean claim(int worker, long now, Claim claim) {
    claim.begin();
    FillUpDevice device = devices[worker];
    boolean claimed = claim(device, claim, (double) now);
    if (claimed && lastToClaim != device) {
      lastToClaim = device;
      idleSinceNanos = Double.NaN;
    }
    return claimed;
  }

  @GuardedBy("this")
  private boolean claim(FillUpDevice device, Claim claim, double nowNanos) {
    if (device.flights.size() == device.depth) {
      return claim.none(Claim.NEVER);
    }
    if (!remembers && probes.awaitsLight(devices, device, nowNanos)) {
      return claim.none((long) Math.ceil(nowNanos + Probes.LOOK_LAUNCHES * device.launchNanos));
    }
    if (densities.isEmpty() && !presume(nowNanos)) {
      return probes.claimFirst(device, claim, nowNanos) || claim.none(retryNanos(device, nowNanos));
    }
    if (!device.flights.isEmpty()) {
      double soonest = device.drainedNanos(nowNanos) - leadNanos(device);
      if (soonest > nowNanos + 1) {
        return claim.none((long) Math.ceil(soonest));
      }
    }
    if (segments.isEmpty() && !(deal.mayRunTwice() && reopening.reopenLatest(device, nowNanos))) {
      return claim.none(retryNanos(device, nowNanos));
    }
    double room = level.roomNanos(device, nowNanos);
    if (room <= 0 && inFlight.isEmpty() && idleTooLong(device, nowNanos)) {
      // Work that counts as none, or that another device had better do and does not: somebody must.
      room = sizes.launchNanos(device) + device.latencyNanos;
    }
    if (!costsAreKnown()
        && probes.claimFurther(device, room / sizes.launchNanos(device), claim, nowNanos)) {
      return true;
    }
    Segment segment = room <= 0 ? null : takeovers.segmentFor(device, claim, nowNanos);
    return segment == null
        ? claim.none(retryNanos(device, nowNanos))
        : claimFrom(segment, device, room, claim, nowNanos);
  }

  /**
   * True if nothing is in flight, and those who would sooner be done with it have not asked for
   * what this device could have computed meanwhile: they may be busy with other jobs, or in
   * trouble.
   */
  @GuardedBy("this")
  private boolean idleTooLong(FillUpDevice device, double nowNanos) {
    if (Double.isNaN(idleSinceNanos)) {
      idleSinceNanos = nowNanos;
    }
    return device.latencyNanos == 0
        || nowNanos - idleSinceNanos >= device.latencyNanos + sizes.launchNanos(device);
  }

  /**
   * True if all rows are in flight, nothing is known, and the oldest block takes so long that its
   * device may have stopped: then a row is presumed to take what it has taken so far.
   */
  @GuardedBy("this")
  private boolean presume(double nowNanos) {
    if (!segments.isEmpty() || inFlight.isEmpty()) {
      return false;
    }
    Flight oldest = inFlight.oldest();
    double elapsed = nowNanos - oldest.readyNanos;
    if (elapsed < SILENT_LAUNCHES * sizes.launchNanos(oldest.device)) {
      return false;
    }
    densities.remember(elapsed / oldest.cost, 1e-6 * oldest.cost);
    return true;
  }

  /** How long before the end of the block in flight the next one should be claimed. */
  @GuardedBy("this")
  private double leadNanos(FillUpDevice device) {
    Flight last = device.flights.get(device.flights.size() - 1);
    double transfer = device.transferNanosPerRow * (last.until - last.from);
    return LEAD_LAUNCHES * (device.launchNanos + transfer)
        + densities.usualError() * last.work / device.speed();
  }

  @GuardedBy("this")
  private long retryNanos(FillUpDevice device, double nowNanos) {
    // Who publishes rows as it computes them cannot run what is in flight once more.
    boolean twice = deal.mayRunTwice() && device.staged;
    if (segments.isEmpty() && (!twice || inFlight.isEmpty())) {
      return Claim.NEVER;
    }
    return (long) Math.ceil(nowNanos + Math.max(1, RETRY_LAUNCHES * sizes.launchNanos(device)));
  }

  @GuardedBy("this")
  private boolean claimFrom(
      Segment segment, FillUpDevice device, double room, Claim claim, double nowNanos) {
    double left = densities.at(segment.left);
    double right = densities.at(segment.right);
    boolean front = right <= HEAVIER * left;
    double density = front ? left : right;
    double cost = sizes.blockNanos(device, room, densities.usualError()) * device.speed() / density;
    double densest = Math.max(left, right);
    cost = Math.min(cost, room * device.speed() / densest);
    cost = sizes.nearMean(device, cost, level.costLeft(device), densities.mean(), densest);
    if (!remembers) {
      Border border = front ? segment.left : segment.right;
      cost = Math.min(cost, sizes.mostCost(device, border, densest));
    }
    cost = BlockSizes.withCrumb(device, segment, cost, densest);
    return inFlight.take(device, segment, front, cost, density, claim, nowNanos);
  }

  @Override
  public synchronized void commit(int worker, Claim claim, long reached, long nanos, long now) {
    claim.wonNothing();
    double nowNanos = now;
    Flight flight = inFlight.land(claim, nowNanos);
    if (flight == null) {
      return; // it was handed back meanwhile: others have these rows
    }
    inFlight.publish(flight, reached, claim);
    learn(flight, reached, Math.max(1, nanos));
    if (reached < flight.until) {
      inFlight.putBack(flight, reached);
    }
    if (!taught && inFlight.committedRows() == deal.rows()) {
      taught = true;
      teach();
    }
  }

  @GuardedBy("this")
  private void teach() {
    double error = densities.usualError();
    for (FillUpDevice device : devices) {
      error = device.isAsDeclared() ? error : Math.max(error, ERROR_OF_UNKNOWN_SPEEDS);
    }
    deal.pace().learnJob(densities.mean(), error);
  }

  @GuardedBy("this")
  private void learn(Flight flight, long reached, long nanos) {
    densities.learn(flight, segments.cost(flight.from, reached), (double) nanos);
    Border border = flight.border;
    if (border.shared) {
      Border own = border.detach();
      if (flight.front && flight.segment.left == border) {
        flight.segment.left = own;
      } else if (!flight.front && flight.segment.right == border) {
        flight.segment.right = own;
      }
    }
  }

  @Override
  public synchronized void handBack(int worker, Claim claim, long now) {
    double nowNanos = now;
    Flight flight = inFlight.land(claim, nowNanos);
    if (flight != null) {
      inFlight.putBack(flight, flight.from);
    }
  }

  @Override
  public synchronized long queuedRows(int worker) {
    return segments.rowsOf(worker);
  }

  @Override
  public synchronized long rowsLeft() {
    return segments.rows();
  }

  @Override
  public synchronized double costLeft() {
    return segments.cost();
  }

  @Override
  public synchronized double speed(int worker, double declared) {
    return devices[worker].speed();
  }

  @Override
  public synchronized long rowsCommitted() {
    return inFlight.committedRows();
  }
}
