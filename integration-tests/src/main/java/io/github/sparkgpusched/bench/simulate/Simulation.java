package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;

/**
 * One job in virtual time: drives a strategy's own {@link Dealer} as the executor's threads would,
 * on devices that only exist as formulas. Single-threaded, and gives the same figures each time.
 *
 * <p>A device has a launch stage and a compute stage, each busy with one block at a time; up to
 * {@code depth} blocks are in flight. A claim costs its worker time, and if it is from a shared
 * place keeps others out of that place meanwhile.
 */
final class Simulation {
  /** Nanoseconds that the mean row takes on a device of speed 1. */
  static final double NANOS = 10_000;

  /** A block that takes so many times as long as it should is lost. */
  private static final double OVERDUE = 4;

  /** A dealer that is asked more often, for each row that there is, will not end. */
  private static final long MOST_ASKED_PER_ROW = 40;

  /** What claims cost, in mean row costs; none where devices cost a launch, unless it is asked. */
  record ClaimCosts(double own, double shared, double stolen, double decision) {
    static final ClaimCosts NONE = new ClaimCosts(0, 0, 0, 0);
    static final ClaimCosts HOST = new ClaimCosts(0.1, 0.3, 3, 0);
  }

  /** What one run took. Shares are of all devices' time, and of all work. */
  record Outcome(
      double makespan,
      double ratio,
      long claims,
      long steals,
      double idleShare,
      double duplicatedShare) {}

  /** A block ends ({@code done}), or a device asks, or its watchdog gives it up ({@code lost}). */
  private record Event(double time, long order, int device, InFlight done, boolean lost)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Double.compare(time, other.time);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private static final class InFlight {
    final Claim claim;
    final long reached;
    final double computeStart;
    final double computeEnd;

    InFlight(Claim claim, long reached, double computeStart, double computeEnd) {
      this.claim = claim;
      this.reached = reached;
      this.computeStart = computeStart;
      this.computeEnd = computeEnd;
    }
  }

  /** As the plugin's host threads do. */
  private static final int MAX_PIECE_ROWS = 256;

  private static final int MIN_PIECES = 8;
  private static final int HAND_BACK_BLOCKS = 4;

  private final Workload work;
  private final boolean handsBack;
  private final double targetRows;
  private final Machine machine;
  private final Dealer dealer;
  private final ClaimCosts costs;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final double[] launchFree;
  private final double[] computeFree;
  private final double[] busy;
  private final int[] inFlight;

  /** Blocks of the device that stops for good, which never end. */
  private final List<Claim> hung = new ArrayList<>();

  private boolean lost;
  private final boolean watchdog;

  /** When a device that was told to wait asks again; it also asks whenever a block ends. */
  private final double[] wakeAt;

  private final BitSet waiting = new BitSet();
  private final BitSet committed;
  private double sharedFree;
  private long order;
  private long asked;
  private long blocks;
  private double blockTime;
  private long claims;
  private long steals;
  private double computed;

  private Simulation(
      Strategy strategy,
      Workload work,
      Machine machine,
      ClaimCosts costs,
      SimulationOptions options) {
    this.work = work;
    this.handsBack = options.handsBack();
    this.targetRows = options.targetRows();
    this.machine = machine;
    this.costs = costs;
    List<WorkerSpec> workers = new ArrayList<>();
    for (int i = 0; i < machine.devices; i++) {
      workers.add(
          new WorkerSpec(
              options.knownSpeeds() ? machine.speed[i] : 1,
              Math.round(machine.launch[i] * NANOS),
              machine.transferPerRow * NANOS,
              machine.depth,
              true,
              machine.fullRows(i),
              options.knownLatency() ? Math.round(machine.latency[i] * NANOS) : 0));
    }
    this.dealer =
        strategy.deal(
            Deal.builder(work.rows(), workers)
                .starters(machine.devices)
                .costs(options.costs())
                .costError(options.costError())
                .targetNanos(Math.max(1, Math.round(options.targetRows() * NANOS)))
                .mayRunTwice(options.mayRunTwice())
                .pace(new Pace(0, options.nanosPerCost()))
                .build());
    this.launchFree = new double[machine.devices];
    this.computeFree = new double[machine.devices];
    this.busy = new double[machine.devices];
    this.inFlight = new int[machine.devices];
    this.wakeAt = new double[machine.devices];
    this.watchdog = options.watchdog();
    this.committed = new BitSet(work.rows());
  }

  static Outcome run(
      Strategy strategy,
      Workload work,
      Machine machine,
      ClaimCosts costs,
      SimulationOptions options) {
    return new Simulation(strategy, work, machine, costs, options).run();
  }

  private Outcome run() {
    for (int device = 0; device < machine.devices; device++) {
      ask(device, 0);
    }
    double makespan = 0;
    while (dealer.rowsCommitted() < work.rows()) {
      Event event = events.poll();
      if (event == null) {
        throw new IllegalStateException(
            "nothing happens any more, and "
                + (work.rows() - dealer.rowsCommitted())
                + " rows are not done");
      }
      makespan = event.time();
      if (event.done() != null) {
        done(event);
      } else if (event.lost()) {
        lose(event.device(), event.time());
      } else if (waiting.get(event.device()) && wakeAt[event.device()] <= event.time()) {
        waiting.clear(event.device());
        ask(event.device(), event.time());
      }
    }
    if (committed.cardinality() != work.rows()) {
      throw new IllegalStateException(
          committed.cardinality() + " of " + work.rows() + " rows were published");
    }
    double busyTime = 0;
    for (int device = 0; device < machine.devices; device++) {
      busyTime += Math.min(busy[device], makespan);
    }
    return new Outcome(
        makespan,
        makespan / machine.lowerBound(work),
        claims,
        steals,
        1 - busyTime / (makespan * machine.devices),
        Math.max(0, computed - work.total()) / work.total());
  }

  private void done(Event event) {
    int device = event.device();
    InFlight block = event.done();
    inFlight[device]--;
    dealer.commit(
        device,
        block.claim,
        block.reached,
        nanos(block.computeEnd - block.computeStart),
        nanos(event.time()));
    for (int i = 0; i < block.claim.wonRanges(); i++) {
      int from = (int) block.claim.wonFrom(i);
      int until = (int) block.claim.wonUntil(i);
      if (!committed.get(from, until).isEmpty()) {
        throw new IllegalStateException(
            "row " + committed.nextSetBit(from) + " was published twice");
      }
      committed.set(from, until);
    }
    computed += work.between(block.claim.from(), block.reached);
    blocks++;
    blockTime += block.computeEnd - block.computeStart;
    ask(device, event.time());
    askWaiting(event.time());
  }

  /** The device has stopped for good: others are to compute what it has. */
  private void lose(int device, double time) {
    if (lost) {
      return;
    }
    lost = true;
    for (Claim claim : hung) {
      dealer.handBack(device, claim, nanos(time));
    }
    dealer.leave(device);
    waiting.clear(device);
    askWaiting(time);
  }

  private void askWaiting(double time) {
    for (int other = waiting.nextSetBit(0); other >= 0; other = waiting.nextSetBit(other + 1)) {
      if (wakeAt[other] == Double.POSITIVE_INFINITY) {
        waiting.clear(other);
        ask(other, time);
      }
    }
  }

  private void ask(int device, double time) {
    double now = time;
    while (inFlight[device] < machine.depth && !(lost && device == machine.stopped)) {
      if (++asked > MOST_ASKED_PER_ROW * (work.rows() + 1_000L)) {
        throw new IllegalStateException("devices ask and ask, and the job does not end");
      }
      Claim claim = new Claim();
      boolean got = dealer.claim(device, nanos(now), claim);
      claims += got ? 1 : 0;
      now = charge(now, claim, got);
      if (!got) {
        if (claim.retryNanos() != Claim.NEVER) {
          wakeAt[device] = Math.max(now, claim.retryNanos() / NANOS);
          events.add(new Event(wakeAt[device], order++, device, null, false));
        } else {
          wakeAt[device] = Double.POSITIVE_INFINITY;
        }
        waiting.set(device);
        return;
      }
      start(device, now, claim);
    }
  }

  /** When the claim is through. */
  private double charge(double now, Claim claim, boolean got) {
    double free = now;
    if (costs.decision > 0) {
      sharedFree = Math.max(sharedFree, now) + costs.decision;
      free = sharedFree;
    }
    if (!got) {
      return free;
    }
    if (claim.source() == Claim.Source.OWN) {
      return free + costs.own;
    }
    if (claim.source() == Claim.Source.SHARED) {
      sharedFree = Math.max(sharedFree, free) + costs.shared;
      return sharedFree;
    }
    steals++;
    return free + costs.stolen;
  }

  private void start(int device, double now, Claim claim) {
    double launched =
        Math.max(now, launchFree[device])
            + machine.launch[device]
            + machine.transferPerRow * claim.rows();
    launchFree[device] = launched;
    double start = Math.max(launched, computeFree[device]);
    long reached = handsBack ? reached(device, claim) : claim.until();
    double end = machine.end(device, start, work.between(claim.from(), reached));
    computeFree[device] = end;
    if (end < Double.POSITIVE_INFINITY) {
      busy[device] += end - start;
      events.add(new Event(end, order++, device, new InFlight(claim, reached, start, end), false));
    } else {
      hung.add(claim);
      if (watchdog) {
        double length = work.between(claim.from(), claim.until()) / machine.speed[device];
        double mean = blocks == 0 ? 0 : blockTime / blocks;
        double overdue = Math.max(start, now) + OVERDUE * Math.max(length, mean);
        // What waits behind a block that never ends has no start of its own.
        if (overdue < Double.POSITIVE_INFINITY) {
          events.add(new Event(overdue, order++, device, null, true));
        }
      }
    }
    inFlight[device]++;
  }

  /**
   * Where a host thread stops that hands back the rest of a block when it takes far too long, as
   * the plugin's do: it looks at the clock after each piece of the block.
   */
  private long reached(int device, Claim claim) {
    long piece = Math.max(1, Math.min(MAX_PIECE_ROWS, claim.rows() / MIN_PIECES));
    long row = claim.from();
    double time = 0;
    while (row < claim.until() && time < HAND_BACK_BLOCKS * targetRows) {
      row = Math.min(claim.until(), row + piece);
      time = work.between(claim.from(), row) / machine.speed[device];
    }
    return row;
  }

  private static long nanos(double time) {
    return Math.round(time * NANOS);
  }
}
