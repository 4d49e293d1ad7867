package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a launch device's blocks end: published, inside the job's gate, or not. Owner's thread. */
final class Landing {
  private static final Logger LOG = LoggerFactory.getLogger(Landing.class);

  private final Helpers helpers;
  private final LaunchDevice device;
  private final int index;
  private final LoadEntry load;
  private final Flights flights;
  private final LaunchCost cost;

  Landing(
      Helpers helpers,
      LaunchDevice device,
      int index,
      LoadEntry load,
      Flights flights,
      LaunchCost cost) {
    this.helpers = helpers;
    this.device = device;
    this.index = index;
    this.load = load;
    this.flights = flights;
    this.cost = cost;
  }

  /** Publishes a block that is done, unless its job is over or others have its rows by now. */
  void land(Flights.Block block) {
    Job job = block.part.job;
    long reached = block.launch.reached();
    if (reached <= block.claim.from()) {
      endUnpublished(block, true);
      return;
    }
    block.endAt(reached);
    if (!job.gate.enter()) {
      endUnpublished(block, false);
      return;
    }
    job.left.beginPublishing();
    long left = 0;
    try {
      long now = System.nanoTime();
      long computeNanos = block.launch.computeNanos();
      Flights.Landed landed = flights.commit(block, computeNanos, now);
      if (landed != null) {
        // Of blocks in one launch none tells what it would take alone.
        if (computeNanos >= 0 && !landed.shared() && block.claim.rows() <= spec(block).fullRows()) {
          job.spec.pace().learnLatency(device, computeNanos);
        }
        if (landed.alone() && computeNanos >= 0) {
          cost.learn(now - block.claimedNanos - computeNanos - copiesNanos(block));
        }
        long rows = 0;
        try {
          left = publish(block);
          rows = block.claim.wonRows() - left;
        } finally {
          count(block, landed, rows); // what fails has ended, too
        }
      }
    } catch (Throwable e) {
      helpers.stop(job, e); // before the gate is left: the rows count as committed
    } finally {
      job.left.endPublishing();
      try {
        closeLaunch(block);
      } finally {
        job.gate.leave(); // who waits for the job waits for this, whatever went wrong
      }
      if (left > 0 || block.until() < block.claim.until()) {
        helpers.rowsHandedBack(job);
      }
    }
  }

  /** What the job's strategy counts for copying a block's rows. */
  private static double copiesNanos(Flights.Block block) {
    return spec(block).transferNanosPerRow() * (block.until() - block.claim.from());
  }

  /** The device as the job's strategy knows it. */
  private static WorkerSpec spec(Flights.Block block) {
    return block.part.job.workers.specs.get(block.part.worker);
  }

  private void count(Flights.Block block, Flights.Landed landed, long rows) {
    Job job = block.part.job;
    Claim claim = block.claim;
    measure(block, landed.nanos());
    InnerLoad inner = device.inner();
    if (inner != null) {
      load.setInner(inner);
    }
    TaskWork work = job.spec.body().work();
    Transfers transfers = block.launch.transfers();
    load.endBlock(rows, landed.headNanos(), landed.endNanos(), claim.foreign(), work);
    load.addTransfers(transfers, work);
    job.addBlock(index, rows, claim.foreign(), landed.nanos(), transfers);
    job.spec.account().charge(landed.nanos());
  }

  /** Rows that another device has won are that one's to measure: each row's time counts once. */
  private static void measure(Flights.Block block, long nanos) {
    Job job = block.part.job;
    Claim claim = block.claim;
    double cost = job.costs.between(claim.from(), block.until());
    for (int i = 0; i < claim.wonRanges(); i++) {
      long from = claim.wonFrom(i);
      long until = claim.wonUntil(i);
      double share =
          cost > 0
              ? job.costs.between(from, until) / cost
              : (double) (until - from) / (block.until() - claim.from());
      job.measured(block.part.worker, from, until, Math.round(share * nanos));
    }
  }

  /** Publishes what the block has won; returns how many rows are left to the job's threads. */
  private static long publish(Flights.Block block) throws Exception {
    long left = 0;
    for (int i = 0; i < block.claim.wonRanges(); i++) {
      LeftOf rows =
          new LeftOf(block.part.job.left, block.claim.wonFrom(i), block.claim.wonUntil(i));
      block.launch.publish(rows.from, rows.until, rows);
      left += rows.count;
    }
    return left;
  }

  /** What is left of rows {@code [from, until)}. */
  private static final class LeftOf implements Launch.RowsLeft {
    private final LeftRows left;
    private final long from;
    private final long until;
    private long next;
    private long count;

    LeftOf(LeftRows left, long from, long until) {
      this.left = left;
      this.from = from;
      this.until = until;
      this.next = from;
    }

    @Override
    public void add(long first, long end) {
      if (first < next || end <= first || end > until) {
        throw new IllegalStateException(
            "a launch that publishes rows "
                + from
                + " to "
                + until
                + " leaves rows "
                + first
                + " to "
                + end
                + ": they must be of these, ascending, and each once");
      }
      left.add(first, end);
      next = end;
      count += end - first;
    }
  }

  /** Ends a block whose rows this device does not publish. */
  void endUnpublished(Flights.Block block, boolean handBack) {
    if (flights.end(block, handBack, System.nanoTime())) {
      closeLaunch(block);
      if (handBack) {
        helpers.rowsHandedBack(block.part.job);
      }
    }
  }

  /** Once: a block that was given up while it landed is met again among those grounded. */
  void closeLaunch(Flights.Block block) {
    Launch launch = block.launch;
    block.launch = null;
    closeQuietly(device, launch);
  }

  static void closeQuietly(LaunchDevice device, AutoCloseable closeable) {
    if (closeable == null) {
      return;
    }
    try {
      closeable.close();
    } catch (Exception | LinkageError e) {
      LOG.warn("{}: cannot give back what a block or job held", device.name(), e);
    }
  }
}
