package io.github.sparkgpusched.schedule.strategy.fill;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code adaptive} where a block costs a launch: each device fills up to the time at which, by all
 * that is known, all devices will be done together. Thread-safe: one lock a job. A decision takes
 * well under a microsecond for tens of devices, against launches of ten and more.
 *
 * <p><b>Segments.</b> Each device begins with rows of its own, in proportion to declared speeds,
 * and claims blocks at their two ends. One that has none left takes over the far part of the
 * segment with most time left, cut so that both would end together. <em>Light</em> devices, whose
 * launches cost next to nothing beside others', are dealt no rows: they take a few at a time from
 * the far ends of others' segments. So a device with dear launches never has to look for rows in
 * many small segments that turn out to be too much for their owners.
 *
 * <p><b>What is learned.</b> Each end of a segment has a {@link Border} with the time that rows
 * took there; what lies between is taken for a straight line from the one to the other. How far a
 * measurement is trusted over the job's mean is itself learned ({@link Densities}). Where two
 * devices measured one place, they differ in speed ({@link FillUpDevice}). The first block of each
 * device is a probe, small enough to do no harm; if there is time for more launches, others follow
 * at the far end of its segment and within ({@link Probes}). No block is far larger than what was
 * measured near it.
 *
 * <p><b>How large a block is.</b> The <em>water level</em> is the time at which all work left would
 * be done if it flowed to the devices like water: the sum over devices of speed times the time from
 * when the device is available to the level equals the work left. A device's <em>room</em> is the
 * time from when it is available to the level. It claims a fraction of it, so that later blocks can
 * mend what earlier ones got wrong; at least so much that launches do not eat up the gain, and at
 * the end all of it. A device without room claims nothing: others will do it sooner.
 *
 * <p><b>Two in flight.</b> A device of depth 2 claims its second block just in time: when what
 * remains of the first is about the launch, the transfer, and the usual error.
 *
 * <p><b>Run twice.</b> When nothing is left to claim and rows may run twice, the block in flight
 * that will end last is opened again for devices that are idle; the first to commit a row publishes
 * it. So neither a device that hangs nor a slow one with a last large block holds up the job.
 *
 * <p>After a trial of the same idea whose figures the project keeps ({@code docs/scheduling.md}).
 */
public final class FillUpDealer implements Dealer {
  /** Costs with a relative error below this count as known. */
  private static final double KNOWN_ERROR = 0.2;

  /** How much of what was measured at a segment's borders a cut inside is trusted for. */
  private static final double TRUST_OF_CUT = 0.1;

  /** The heavier end of a segment goes first if it is this much heavier. */
  private static final double HEAVIER = 1.3;

  /** The second block is claimed when the first has so many launches and transfers left. */
  private static final double LEAD_LAUNCHES = 1.25;

  /** The level is computed anew after this many of the longest launches. */
  private static final double LEVEL_LAUNCHES = 0.5;

  /** A device that got nothing asks again after this part of a launch. */
  private static final double RETRY_LAUNCHES = 1;

  /** What a light device takes of others' rows takes it so many of the longest launches. */
  private static final double NIBBLE_LAUNCHES = 1;

  /** A first block of all that takes so many launches makes idle devices think of the worst. */
  private static final double SILENT_LAUNCHES = 8;

  /** Rows are opened again if that gains this part of the time they would take longer. */
  private static final double WORTH_REOPENING = 0.2;

  private final Deal deal;
  private final FillUpDevice[] devices;
  private final Densities densities;
  private final BlockSizes sizes;
  private final double longestLaunchNanos;

  /** Rows to claim. */
  private final Segments segments;

  /** Blocks that are neither committed nor handed back, in the order of their claims. */
  private final List<Flight> flights = new ArrayList<>();

  private double nowNanos;
  private double levelNanos;
  private double levelAtNanos = Double.NEGATIVE_INFINITY;
  private long committedRows;

  /** A dealer of one job; nothing is claimed. */
  public FillUpDealer(Deal deal) {
    this.deal = deal;
    this.devices = new FillUpDevice[deal.workers().size()];
    this.longestLaunchNanos =
        deal.workers().stream().mapToDouble(WorkerSpec::launchNanos).max().orElse(0);
    for (int i = 0; i < devices.length; i++) {
      devices[i] = new FillUpDevice(i, deal.workers().get(i), longestLaunchNanos);
    }
    this.sizes = new BlockSizes(costsAreKnown(), longestLaunchNanos);
    this.segments =
        new Segments(RangeCosts.usable(deal.costs(), deal.rows()), deal.rows(), devices);
    this.densities = new Densities(devices, deal.costError());
    if (costsAreKnown() && deal.pace().isKnown()) {
      densities.remember(deal.pace().nanosPerCost(), 1e-6 * segments.jobCost());
    }
    segments.deal(deal.rows(), deal.starters());
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
    nowNanos = now;
    claim.begin();
    FillUpDevice device = devices[worker];
    if (device.flights.size() == device.depth) {
      return claim.none(Claim.NEVER);
    }
    if (densities.isEmpty() && !presume()) {
      return claimProbe(device, claim);
    }
    if (!device.flights.isEmpty()) {
      double soonest = device.drainedNanos(nowNanos) - leadNanos(device);
      if (soonest > nowNanos + 1) {
        return claim.none((long) Math.ceil(soonest));
      }
    }
    if (segments.isEmpty() && !reopenLatest(device)) {
      return claim.none(retryNanos(device));
    }
    double room = roomNanos(device);
    if (room <= 0 && flights.isEmpty()) {
      room = sizes.launchNanos(device); // work that counts as none has to be done, too, by somebody
    }
    if (!costsAreKnown() && claimFurtherProbe(device, room / sizes.launchNanos(device), claim)) {
      return true;
    }
    Segment segment = room <= 0 ? null : segmentFor(device, claim);
    return segment == null
        ? claim.none(retryNanos(device))
        : claimFrom(segment, device, room, claim);
  }

  /** Nothing is known yet: each device measures one small block of its own rows. */
  private boolean claimProbe(FillUpDevice device, Claim claim) {
    if (device.own == null) {
      adoptOrphan(device);
    }
    if (device.own == null && device.light) {
      takeProbe(device);
    }
    if (device.own == null || !device.flights.isEmpty()) {
      return claim.none(retryNanos(device));
    }
    return take(device, device.own, true, sizes.probeCost(device), 0, claim);
  }

  /** Something is known, but not of places between: these may be far dearer. */
  private boolean claimFurtherProbe(FillUpDevice device, double roomLaunches, Claim claim) {
    if (Probes.isWorthFarEnd(device, roomLaunches)) {
      Segment own = device.own;
      device.probes++;
      return take(
          device, own, false, sizes.furtherProbeCost(device), densities.at(own.right), claim);
    }
    Segment gap =
        Probes.isWorthPlaceWithin(device, devices.length, roomLaunches)
            ? Probes.widestGap(device, segments, segments.jobCost())
            : null;
    if (gap == null) {
      return false;
    }
    long middle = segments.reach(gap, gap.cost / 2);
    long cut = Math.max(gap.from + 1, Math.min(middle, gap.until - 1));
    Segment far = segments.cutOff(gap, cut, Border.unknown(true));
    far.owner = gap.owner;
    segments.add(far);
    device.probes++;
    return take(device, far, true, sizes.furtherProbeCost(device), densities.mean(), claim);
  }

  /** Takes some of the rows that others were dealt for a first block. */
  private void takeProbe(FillUpDevice device) {
    Segment most = null;
    for (Segment segment : segments) {
      if (mayTake(device, segment) && (most == null || segment.cost > most.cost)) {
        most = segment;
      }
    }
    if (most == null) {
      return;
    }
    long cut = segments.cutAtEnd(most, false, sizes.probeCost(device), device.leastRows);
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
      if (segment.owner == Segment.NOBODY && mayTake(device, segment)) {
        segments.own(segment, device);
        return;
      }
    }
  }

  /**
   * False if the rows are in flight elsewhere, and the device would write its results beside the
   * other's.
   */
  private boolean mayTake(FillUpDevice device, Segment segment) {
    if (device.staged || segment.reopened == null) {
      return true;
    }
    for (Flight flight : flights) {
      if (flight.root == segment.reopened
          && flight.from < segment.until
          && segment.from < flight.until) {
        return false;
      }
    }
    return true;
  }

  /**
   * True if all rows are in flight, nothing is known, and the oldest block takes so long that its
   * device may have stopped: then a row is presumed to take what it has taken so far.
   */
  private boolean presume() {
    if (!segments.isEmpty() || flights.isEmpty()) {
      return false;
    }
    Flight oldest = flights.get(0);
    double elapsed = nowNanos - oldest.readyNanos;
    if (elapsed < SILENT_LAUNCHES * sizes.launchNanos(oldest.device)) {
      return false;
    }
    densities.remember(elapsed / oldest.cost, 1e-6 * oldest.cost);
    return true;
  }

  /** How long before the end of the block in flight the next one should be claimed. */
  private double leadNanos(FillUpDevice device) {
    Flight last = device.flights.get(device.flights.size() - 1);
    double transfer = device.transferNanosPerRow * (last.until - last.from);
    return LEAD_LAUNCHES * (device.launchNanos + transfer)
        + densities.usualError() * last.work / device.speed();
  }

  private long retryNanos(FillUpDevice device) {
    if (segments.isEmpty() && (!deal.mayRunTwice() || flights.isEmpty())) {
      return Claim.NEVER;
    }
    return (long) Math.ceil(nowNanos + Math.max(1, RETRY_LAUNCHES * sizes.launchNanos(device)));
  }

  private double roomNanos(FillUpDevice device) {
    boolean stale = nowNanos - levelAtNanos > LEVEL_LAUNCHES * longestLaunchNanos;
    if (stale) {
      computeLevel();
    }
    double available = device.availableNanos(nowNanos);
    if (levelNanos <= available && !stale) {
      computeLevel(); // by an old level all devices might decline for good
    }
    return levelNanos - available;
  }

  private void computeLevel() {
    double work = 0;
    boolean reopenedOnly = true;
    for (Segment segment : segments) {
      work += densities.work(segment);
      reopenedOnly &= segment.reopened != null;
    }
    levelNanos = WaterLevel.nanos(devices, work, nowNanos, reopenedOnly);
    levelAtNanos = nowNanos;
  }

  /**
   * Where a device claims: its own segment, or one that it takes over. Null if none is worth it.
   */
  private Segment segmentFor(FillUpDevice device, Claim claim) {
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
      if (!mayTake(device, segment)) {
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
    return most == null ? null : takeOver(most, device);
  }

  /** Gives a device the far part of a segment, so that it and the owner would end together. */
  private Segment takeOver(Segment segment, FillUpDevice thief) {
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

  private boolean claimFrom(Segment segment, FillUpDevice device, double room, Claim claim) {
    double left = densities.at(segment.left);
    double right = densities.at(segment.right);
    boolean front = right <= HEAVIER * left;
    double density = front ? left : right;
    double cost = sizes.blockNanos(device, room, densities.usualError()) * device.speed() / density;
    cost = Math.min(cost, room * device.speed() / Math.max(left, right));
    if (!costsAreKnown() || !deal.pace().isKnown()) {
      cost = Math.min(cost, sizes.mostCost(device, segment, front));
    }
    return take(device, segment, front, BlockSizes.withCrumb(segment, cost), density, claim);
  }

  private boolean take(
      FillUpDevice device,
      Segment segment,
      boolean front,
      double cost,
      double density,
      Claim claim) {
    long cut = segments.cutAtEnd(segment, front, cost, device.leastRows);
    long from = front ? segment.from : cut;
    long until = front ? cut : segment.until;
    segments.take(segment, front, cut);
    double taken = segments.cost(from, until);
    Flight flight = new Flight(device, from, until, taken, taken * density, segment, front);
    flight.readyNanos = nowNanos + device.launchNanos + device.transferNanosPerRow * (until - from);
    device.flights.add(flight);
    device.blocks++;
    flights.add(flight);
    claim.setFlight(flight);
    claim.setForeign(segment.origin != device.index);
    return claim.take(from, until, source(segment, claim));
  }

  private static Claim.Source source(Segment segment, Claim claim) {
    if (segment.reopened != null) {
      return Claim.Source.REOPENED;
    }
    return claim.stealsTried() > 0 ? Claim.Source.STOLEN : Claim.Source.OWN;
  }

  /**
   * Opens the block again that will end last, if idle devices would be done with it clearly sooner.
   */
  private boolean reopenLatest(FillUpDevice device) {
    if (!deal.mayRunTwice() || !device.staged) {
      return false;
    }
    double idleSpeed = 0;
    for (FillUpDevice other : devices) {
      boolean idle = other.present && other.staged && other.flights.isEmpty();
      idleSpeed += idle ? other.speed() : 0;
    }
    Flight latest = null;
    double latestNanos = 0;
    for (Flight flight : flights) {
      if (flight.reopened || flight.root.done || flight.device == device || !flight.device.staged) {
        continue;
      }
      flight.estimate(densities.mean());
      double end = flight.device.endNanos(flight.device.flights.indexOf(flight), nowNanos);
      double again = nowNanos + device.launchNanos + flight.work / idleSpeed;
      if (end - again > WORTH_REOPENING * (end - nowNanos) && end > latestNanos) {
        latestNanos = end;
        latest = flight;
      }
    }
    if (latest == null) {
      return false;
    }
    latest.reopened = true;
    segments.add(
        new Segment(
            latest.from,
            latest.until,
            latest.cost,
            borderOf(latest),
            borderOf(latest),
            latest.segment.origin,
            latest.root),
        device);
    return true;
  }

  @Override
  public synchronized void commit(int worker, Claim claim, long reached, long nanos, long now) {
    nowNanos = now;
    claim.wonNothing();
    Flight flight = land(claim);
    if (flight == null) {
      return; // it was handed back meanwhile: others have these rows
    }
    boolean alone = flight.root == flight && !flight.reopened;
    if (alone) {
      won(claim, flight.from, reached);
      flight.done = reached == flight.until;
    } else {
      flight.root.committed.add(flight.from, reached, (from, until) -> won(claim, from, until));
      if (flight.root.committed.rows() == flight.root.until - flight.root.from) {
        flight.root.done = true;
        segments.removeOf(flight.root);
      }
    }
    learn(flight, reached, Math.max(1, nanos));
    if (reached < flight.until) {
      putBack(flight, reached);
    }
  }

  private void won(Claim claim, long from, long until) {
    claim.won(from, until);
    committedRows += until - from;
  }

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
    nowNanos = now;
    Flight flight = land(claim);
    if (flight != null) {
      putBack(flight, flight.from);
    }
  }

  /** Takes a claim's block out of the air; null if it is not in flight any more. */
  private Flight land(Claim claim) {
    Flight flight = (Flight) claim.flight();
    if (flight == null) {
      return null;
    }
    claim.setFlight(null);
    flights.remove(flight);
    FillUpDevice device = flight.device;
    device.flights.remove(flight);
    if (!device.flights.isEmpty()) {
      Flight next = device.flights.get(0);
      next.readyNanos = Math.max(next.readyNanos, nowNanos);
    }
    return flight;
  }

  /**
   * Makes the rows of a block from one on claimable again. Those of a block that was opened again
   * are in other hands already.
   */
  private void putBack(Flight flight, long from) {
    Flight root = flight.root;
    if (root.done || flight.reopened) {
      return;
    }
    Segment segment =
        new Segment(
            from,
            flight.until,
            segments.cost(from, flight.until),
            borderOf(flight),
            borderOf(flight),
            flight.segment.origin,
            root == flight ? null : root);
    segments.add(segment);
  }

  /** What was thought of a block's rows when it was claimed. */
  private static Border borderOf(Flight flight) {
    return flight.work > 0
        ? Border.guess(flight.work / flight.cost, flight.cost, false)
        : Border.unknown(false);
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
    return committedRows;
  }
}
