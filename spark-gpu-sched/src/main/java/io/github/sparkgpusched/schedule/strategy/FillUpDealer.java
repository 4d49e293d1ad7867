package io.github.sparkgpusched.schedule.strategy;

import java.util.ArrayList;
import java.util.List;

/**
 * {@code adaptive} where a block costs a launch: each device fills up to the time at which, by all
 * that is known, all devices will be done together. Thread-safe: one lock a job. A decision takes
 * well under a microsecond for tens of devices, against launches of ten and more.
 *
 * <p><b>Segments.</b> Each device begins with rows of its own, in proportion to declared speeds,
 * and claims blocks at their two ends. One that has none left takes over the far part of the
 * segment with most time left, cut so that both would end together.
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
final class FillUpDealer implements Dealer {
  /** A probe is this part of a device's first segment: 1/1024. */
  private static final double PROBE_PART = 1.0 / 1024;

  /** The same where costs were measured before. */
  private static final double PROBE_PART_OF_KNOWN = 1.0 / 64;

  /** Costs with a relative error below this count as known. */
  private static final double KNOWN_ERROR = 0.2;

  /** A block's cost is at most this many times what was measured at its border. */
  private static final double MAX_GROWTH = 256;

  /** The same where nobody knows the segment's other end. */
  private static final double MAX_GROWTH_INTO_UNKNOWN = 16;

  /** How much of what was measured at a segment's borders a cut inside is trusted for. */
  private static final double TRUST_OF_CUT = 0.1;

  /**
   * Probes after a device's first are smaller: that may have been cheap, and this place be dear.
   */
  private static final double FURTHER_PROBE_SMALLER = 4;

  /** A block takes at least this many launches, unless there is no more room. */
  private static final double MIN_LAUNCHES = 4;

  /** A block takes at most this many launches: 1.6% of overhead where a launch is not hidden. */
  private static final double MAX_LAUNCHES = 64;

  /** The same where a block is computed while the next one is launched. */
  private static final double MAX_LAUNCHES_HIDDEN = 24;

  /** Part of the room that a block takes where the launch is hidden: 1/6. */
  private static final double ROOM_PARTS_HIDDEN = 6;

  /** Where it is not: 1/3 when times are hard to predict, 2/3 when they are easy. */
  private static final double ROOM_PARTS = 3;

  private static final double ROOM_PARTS_EASY = 1.5;

  /** Times that are usually off by less than this are easy to predict. */
  private static final double EASY_ERROR = 0.1;

  /** A launch counts as at least this part of the longest one: decisions are not free. */
  private static final double MIN_LAUNCH_PART = 0.02;

  /** The heavier end of a segment goes first if it is this much heavier. */
  private static final double HEAVIER = 1.3;

  /** What is left of a segment goes with a block if it is less than this part of it. */
  private static final double CRUMB = 0.15;

  /** The second block is claimed when the first has so many launches and transfers left. */
  private static final double LEAD_LAUNCHES = 1.25;

  /** The level is computed anew after this many of the longest launches. */
  private static final double LEVEL_LAUNCHES = 0.5;

  /** A device that got nothing asks again after this part of a launch. */
  private static final double RETRY_LAUNCHES = 1;

  /** A first block of all that takes so many launches makes idle devices think of the worst. */
  private static final double SILENT_LAUNCHES = 8;

  /** No row counts as cheaper than this part of the mean row, whatever the hint says. */
  private static final double LEAST_ROW_COST = 1e-6;

  /** Rows are opened again if that gains this part of the time they would take longer. */
  private static final double WORTH_REOPENING = 0.2;

  private final Deal deal;
  private final RangeCosts costs;
  private final FillUpDevice[] devices;
  private final Densities densities;
  private final double longestLaunchNanos;
  private final double leastRowCost;
  private final double jobCost;

  /** Rows to claim. */
  private final List<Segment> segments = new ArrayList<>();

  /** Blocks that are neither committed nor handed back, in the order of their claims. */
  private final List<Flight> flights = new ArrayList<>();

  private double nowNanos;
  private double levelNanos;
  private double levelAtNanos = Double.NEGATIVE_INFINITY;
  private long committedRows;

  FillUpDealer(Deal deal) {
    this.deal = deal;
    this.costs = RangeCosts.usable(deal.costs(), deal.rows());
    this.devices = new FillUpDevice[deal.workers().size()];
    double longest = 0;
    for (int i = 0; i < devices.length; i++) {
      devices[i] = new FillUpDevice(i, deal.workers().get(i));
      longest = Math.max(longest, devices[i].launchNanos);
    }
    this.longestLaunchNanos = longest;
    this.jobCost = costs.between(0, deal.rows());
    this.leastRowCost = LEAST_ROW_COST * jobCost / Math.max(1, deal.rows());
    this.densities = new Densities(devices, deal.costError());
    if (costsAreKnown() && deal.pace().isKnown()) {
      densities.remember(deal.pace().nanosPerCost(), 1e-6 * jobCost);
    }
    dealSegments();
  }

  /** One segment for each device that is there, by cost in proportion to declared speeds. */
  private void dealSegments() {
    double speeds = 0;
    for (int i = 0; i < deal.starters(); i++) {
      speeds += devices[i].speed();
    }
    double before = 0;
    long from = 0;
    Border left = Border.unknown(false);
    for (FillUpDevice device : devices) {
      device.share = jobCost * device.speed() / speeds;
      if (device.index >= deal.starters()) {
        continue;
      }
      device.present = true;
      before += device.share;
      boolean last = device.index == deal.starters() - 1;
      long until =
          last || from >= deal.rows()
              ? deal.rows()
              : Math.max(from, costs.reach(0, deal.rows(), before));
      if (until > from) {
        Border right = Border.unknown(!last);
        add(new Segment(from, until, cost(from, until), left, right, device.index, null), device);
        left = right;
        from = until;
      }
    }
  }

  private boolean costsAreKnown() {
    return deal.costError() < KNOWN_ERROR;
  }

  /** Cost of rows; above 0, so that ratios to it are numbers. */
  private double cost(long from, long until) {
    return Math.max(costs.between(from, until), leastRowCost * (until - from));
  }

  @Override
  public synchronized void join(int worker) {
    devices[worker].present = true;
  }

  @Override
  public synchronized void leave(int worker) {
    FillUpDevice device = devices[worker];
    device.present = false;
    device.own = null;
    for (Segment segment : segments) {
      if (segment.owner == worker) {
        segment.owner = Segment.NOBODY;
      }
    }
  }

  @Override
  public synchronized boolean claim(int worker, long now, Claim claim) {
    nowNanos = now;
    claim.stealsTried = 0;
    claim.flight = null;
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
      room = launchNanos(device); // work that counts as none has to be done, too, by somebody
    }
    if (!costsAreKnown() && claimFurtherProbe(device, room / launchNanos(device), claim)) {
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
    if (device.own == null || !device.flights.isEmpty()) {
      return claim.none(retryNanos(device));
    }
    return take(device, device.own, true, probeCost(device), 0, claim);
  }

  /** Something is known, but not of places between: these may be far dearer. */
  private boolean claimFurtherProbe(FillUpDevice device, double roomLaunches, Claim claim) {
    if (Probes.isWorthFarEnd(device, roomLaunches)) {
      Segment own = device.own;
      device.probes++;
      return take(
          device,
          own,
          false,
          probeCost(device) / FURTHER_PROBE_SMALLER,
          densities.at(own.right),
          claim);
    }
    Segment gap =
        Probes.isWorthPlaceWithin(device, devices.length, roomLaunches)
            ? Probes.widestGap(device, segments, jobCost)
            : null;
    if (gap == null) {
      return false;
    }
    long middle = costs.reach(gap.from, gap.until, gap.cost / 2);
    long cut = Math.max(gap.from + 1, Math.min(middle, gap.until - 1));
    Segment far = cutOff(gap, cut, Border.unknown(true));
    far.owner = gap.owner;
    segments.add(far);
    device.probes++;
    return take(
        device, far, true, probeCost(device) / FURTHER_PROBE_SMALLER, densities.mean(), claim);
  }

  /** Takes rows on that were handed back, or whose device has left. */
  private void adoptOrphan(FillUpDevice device) {
    for (Segment segment : segments) {
      if (segment.owner == Segment.NOBODY && mayTake(device, segment)) {
        own(segment, device);
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
    if (elapsed < SILENT_LAUNCHES * launchNanos(oldest.device)) {
      return false;
    }
    densities.remember(elapsed / oldest.cost, 1e-6 * oldest.cost);
    return true;
  }

  private double probeCost(FillUpDevice device) {
    return device.share * (costsAreKnown() ? PROBE_PART_OF_KNOWN : PROBE_PART);
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
    return (long) Math.ceil(nowNanos + Math.max(1, RETRY_LAUNCHES * launchNanos(device)));
  }

  /** A device's launch, or what counts as one. */
  private double launchNanos(FillUpDevice device) {
    return Math.max(1, Math.max(device.launchNanos, MIN_LAUNCH_PART * longestLaunchNanos));
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
      device.own = heaviestOf(device);
    }
    if (device.own != null) {
      return device.own;
    }
    claim.stealsTried = 1;
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

  /** Of what probes have cut off a device's rows the part with most work; null if there is none. */
  private Segment heaviestOf(FillUpDevice device) {
    Segment heaviest = null;
    for (Segment segment : segments) {
      if (segment.owner == device.index
          && (heaviest == null || densities.work(segment) > densities.work(heaviest))) {
        heaviest = segment;
      }
    }
    return heaviest;
  }

  /** Gives a device the far part of a segment, so that it and the owner would end together. */
  private Segment takeOver(Segment segment, FillUpDevice thief) {
    if (segment.owner == Segment.NOBODY) {
      own(segment, thief);
      return segment;
    }
    FillUpDevice owner = devices[segment.owner];
    double work = densities.work(segment);
    double byOwner = work / owner.speed();
    double byThief = work / thief.speed();
    double late = owner.availableNanos(nowNanos) - thief.availableNanos(nowNanos);
    double part = Densities.clamp((late + byOwner) / (byOwner + byThief), 0, 1);
    double left = densities.at(segment.left);
    double right = densities.at(segment.right);
    double cutCost = costWithWork(left, right, segment.cost, (1 - part) * work);
    long cut =
        part >= 1 ? segment.from : costs.reach(segment.from, segment.until, Math.max(0, cutCost));
    cut = Math.min(cut, segment.until - 1);
    if (cut <= segment.from) {
      if (segment.rows() == 1 || part >= 1) {
        own(segment, thief);
        return segment;
      }
      cut = segment.from + 1;
    }
    double there = left + (right - left) * Densities.clamp(cutCost / segment.cost, 0, 1);
    double trusted = TRUST_OF_CUT * Math.max(segment.left.measuredCost, segment.right.measuredCost);
    Border border = Border.guess(there, trusted, true);
    Segment far = cutOff(segment, cut, border);
    add(far, thief);
    return far;
  }

  /** Cuts a segment's far part off, from a row inside on. */
  private Segment cutOff(Segment segment, long cut, Border border) {
    Segment far =
        new Segment(
            cut,
            segment.until,
            cost(cut, segment.until),
            border,
            segment.right,
            segment.origin,
            segment.reopened);
    segment.right = border;
    segment.until = cut;
    segment.cost = cost(segment.from, cut);
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
    double cost = blockNanos(device, room) * device.speed() / density;
    cost = Math.min(cost, room * device.speed() / Math.max(left, right));
    if (!costsAreKnown() || !deal.pace().isKnown()) {
      double measured = (front ? segment.left : segment.right).measuredCost;
      boolean known = segment.left.by != Border.UNKNOWN && segment.right.by != Border.UNKNOWN;
      double growth = known ? MAX_GROWTH : MAX_GROWTH_INTO_UNKNOWN;
      cost = Math.min(cost, Math.max(probeCost(device), growth * measured));
    }
    if (segment.cost - cost < CRUMB * cost) {
      cost = segment.cost;
    }
    return take(device, segment, front, cost, density, claim);
  }

  private double blockNanos(FillUpDevice device, double room) {
    double launch = launchNanos(device);
    if (room <= MIN_LAUNCHES * launch) {
      return room;
    }
    boolean hidden = device.depth > 1;
    double hard = Math.min(1, densities.usualError() / EASY_ERROR);
    double parts =
        hidden ? ROOM_PARTS_HIDDEN : ROOM_PARTS_EASY + (ROOM_PARTS - ROOM_PARTS_EASY) * hard;
    double most = (hidden ? MAX_LAUNCHES_HIDDEN : MAX_LAUNCHES) * launch;
    return Math.min(Math.max(MIN_LAUNCHES * launch, room / parts), most);
  }

  private boolean take(
      FillUpDevice device,
      Segment segment,
      boolean front,
      double cost,
      double density,
      Claim claim) {
    long from = segment.from;
    long until = segment.until;
    long least = Math.min(device.leastRows, until - from);
    if (cost < segment.cost) {
      if (front) {
        until = Math.max(from + least, costs.reach(from, until, cost));
        until = segment.until - until < least ? segment.until : until;
      } else {
        from = Math.min(until - least, costs.reach(from, until, segment.cost - cost));
        from = from - segment.from < least ? segment.from : from;
      }
    }
    if (front) {
      segment.from = until;
    } else {
      segment.until = from;
    }
    if (segment.rows() == 0) {
      remove(segment);
    } else {
      segment.cost = cost(segment.from, segment.until);
    }
    double taken = cost(from, until);
    Flight flight = new Flight(device, from, until, taken, taken * density, segment, front);
    flight.readyNanos = nowNanos + device.launchNanos + device.transferNanosPerRow * (until - from);
    device.flights.add(flight);
    device.blocks++;
    flights.add(flight);
    claim.flight = flight;
    claim.foreign = segment.origin != device.index;
    return claim.take(from, until, source(segment, claim));
  }

  private static Claim.Source source(Segment segment, Claim claim) {
    if (segment.reopened != null) {
      return Claim.Source.REOPENED;
    }
    return claim.stealsTried > 0 ? Claim.Source.STOLEN : Claim.Source.OWN;
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
    add(
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
        segments.removeIf(segment -> segment.reopened == flight.root && disown(segment));
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
    densities.learn(flight, cost(flight.from, reached), (double) nanos);
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
    Flight flight = (Flight) claim.flight;
    if (flight == null) {
      return null;
    }
    claim.flight = null;
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
            cost(from, flight.until),
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

  private void add(Segment segment, FillUpDevice owner) {
    segments.add(segment);
    own(segment, owner);
  }

  private void own(Segment segment, FillUpDevice owner) {
    disown(segment);
    segment.owner = owner.index;
    owner.own = segment;
  }

  private void remove(Segment segment) {
    segments.remove(segment);
    disown(segment);
  }

  private boolean disown(Segment segment) {
    if (segment.owner != Segment.NOBODY && devices[segment.owner].own == segment) {
      devices[segment.owner].own = null;
    }
    segment.owner = Segment.NOBODY;
    return true;
  }

  @Override
  public synchronized long queuedRows(int worker) {
    long sum = 0;
    for (Segment segment : segments) {
      sum += segment.owner == worker ? segment.rows() : 0;
    }
    return sum;
  }

  @Override
  public synchronized long rowsLeft() {
    long sum = 0;
    for (Segment segment : segments) {
      sum += segment.rows();
    }
    return sum;
  }

  @Override
  public synchronized double costLeft() {
    double sum = 0;
    for (Segment segment : segments) {
      sum += segment.cost;
    }
    return sum;
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
