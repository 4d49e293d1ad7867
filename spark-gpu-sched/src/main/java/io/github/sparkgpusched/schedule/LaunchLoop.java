package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.api.PlacementCandidate;
import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.strategy.Claim;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One launch device at work: its owner thread claims blocks from the executor's jobs, the one with
 * least device time first, keeps up to {@code depth} of them in flight, and publishes them in the
 * order of their launches.
 *
 * <p><b>A claimed block ends once.</b> It is published (by the owner, inside the job's gate),
 * handed back (the device was given up: others compute its rows), or cancelled (the job is over, or
 * stopped). The three are decided under this object's lock, as is all that the device's worker asks
 * of a dealer; no call into the device is made under the lock. So a device can be given up by
 * another thread while the owner is stuck inside a call that does not return; should it return, the
 * owner finds its blocks handed back, publishes nothing and ends.
 *
 * <p><b>When a device is given up.</b> It throws {@link DeviceFailedException}; its oldest block
 * takes longer than {@link LaunchPolicy#blockTimeoutNanos}; or its owner has been inside one turn
 * for that long, which submitters see who wait for it ({@link #watch}). It is not used again.
 *
 * <p><b>Waiting.</b> While blocks are in flight, or rows may become claimable soon, the owner
 * sleeps for short times. Else it waits to be woken: whoever adds a job, or hands rows back, first
 * does so and then wakes.
 */
final class LaunchLoop {
  private static final Logger LOG = LoggerFactory.getLogger(LaunchLoop.class);

  /** Between two looks at blocks in flight. */
  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  /** The longest sleep while a job may yet have rows for the device. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long FACTS_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Scheduler scheduler;
  private final LaunchDevice device;
  private final int index;
  private final LoadEntry load;
  private final long timeoutNanos;
  private final Thread thread;
  private final CountDownLatch opened = new CountDownLatch(1);

  /** Claimed blocks that have not ended, the oldest first. Guarded by this object's lock. */
  private final Deque<Block> blocks = new ArrayDeque<>();

  /** The jobs that the device has looked at. Owner's thread only. */
  private final Map<Job, Part> parts = new HashMap<>();

  /** Parts of running jobs that were placed here. Up and down by submitters. */
  private final AtomicInteger placedParts = new AtomicInteger();

  /** Why the device was given up. Null to not null, once, under this object's lock, by anybody. */
  private volatile String lost;

  /**
   * True while the device takes no new blocks. Written under this object's lock by whoever drains
   * or activates it.
   */
  private volatile boolean draining;

  /** False to true, once, when the scheduler closes. */
  private volatile boolean closed;

  /** When the owner began the turn it is in; 0 while it sleeps. Written by the owner. */
  private volatile long turnNanos;

  /** Written by the owner. */
  private volatile DeviceFacts facts = DeviceFacts.UNKNOWN;

  private long factsAtNanos;

  /** After a turn in which nothing was claimed: when to ask again. Owner's thread only. */
  private long askAgainNanos;

  /** True while the device wants to be asked whether it ends something. Owner's thread only. */
  private boolean rests;

  /** True after a block found no memory while others held some. Owner's thread only. */
  private boolean awaitsLanding;

  /** The device's way to compute one job. Owner's thread only. */
  private static final class Part {
    final Job job;
    final int worker;
    Launcher launcher;
    boolean joined;

    /** True once it claims no more rows of the job. */
    boolean left;

    /** True if it has not told the job's dealer so, which it does with nothing in flight. */
    boolean mustLeaveDealer;

    /** What has turned out to fit into the device's memory. */
    long mostRows = Long.MAX_VALUE;

    Part(Job job, int worker) {
      this.job = job;
      this.worker = worker;
      this.joined = worker < job.workers.starters;
    }
  }

  /**
   * One claimed block. Guarded by the loop's lock, but for what is written before it is launched.
   */
  private static final class Block {
    final Part part;
    final Claim claim;

    /** The row after the last that was launched; those behind it are handed back. */
    long until;

    Launch launch;

    /** When it became the oldest block that was launched; 0 before. */
    long headNanos;

    /** False to true when it is published, handed back or cancelled. */
    boolean ended;

    Block(Part part, Claim claim) {
      this.part = part;
      this.claim = claim;
    }

    long busySince(long now) {
      return headNanos == 0 ? now : headNanos;
    }
  }

  LaunchLoop(
      Scheduler scheduler, LaunchDevice device, int index, LoadEntry load, long timeoutNanos) {
    this.scheduler = scheduler;
    this.device = device;
    this.index = index;
    this.load = load;
    this.timeoutNanos = timeoutNanos;
    this.thread = new Thread(null, this::live, "gpusched-" + device.name(), 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(LaunchLoop.class.getClassLoader());
  }

  /** Starts the owner, and waits until the device is open and its facts are known. */
  void start() {
    thread.start();
    try {
      if (!opened.await(timeoutNanos, TimeUnit.NANOSECONDS)) {
        giveUp("did not open in " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      giveUp("was interrupted while it opened", e);
    }
  }

  LaunchDevice device() {
    return device;
  }

  DeviceFacts facts() {
    return facts;
  }

  boolean isActive() {
    return lost == null && !draining;
  }

  boolean isLost() {
    return lost != null;
  }

  /** To be put behind the device's name. */
  String whyInactive() {
    String reason = lost;
    return reason != null ? reason : "is draining";
  }

  void addParts(int count) {
    placedParts.addAndGet(count);
  }

  PlacementCandidate candidate() {
    DeviceFacts known = facts;
    return new PlacementCandidate(
        device.name(),
        placedParts.get() + inFlight(),
        device.spec().depth(),
        known.freeBytes(),
        known.computeCapability());
  }

  synchronized int inFlight() {
    return blocks.size();
  }

  /** The device finishes what is in flight and takes nothing new. */
  synchronized void drain() {
    draining = true;
    showState();
  }

  /** A device that was drained takes blocks again. */
  synchronized void activate() {
    draining = false;
    showState();
    wake();
  }

  private void showState() {
    if (lost == null) {
      load.setState(draining ? DeviceState.DRAINING : DeviceState.ACTIVE);
    }
  }

  /** There may be rows to claim. */
  void wake() {
    LockSupport.unpark(thread);
  }

  /** Gives the device up if its owner has not come back from a call for too long. Any thread. */
  void watch(long now) {
    long since = turnNanos;
    if (since != 0 && now - since > timeoutNanos && lost == null) {
      giveUp(
          "has not answered for "
              + TimeUnit.NANOSECONDS.toMillis(now - since)
              + " ms (spark.gpusched.device.timeoutMillis)",
          null);
    }
  }

  void close() {
    closed = true;
    wake();
  }

  /** The owner. */
  Thread thread() {
    return thread;
  }

  private void live() {
    beginTurn();
    try {
      device.open();
      askFacts(System.nanoTime());
    } catch (DeviceFailedException | RuntimeException | LinkageError e) {
      giveUp("could not be opened: " + e.getMessage(), e);
    }
    turnNanos = 0;
    opened.countDown();
    try {
      while (!closed && lost == null) {
        beginTurn();
        boolean moved = turn();
        turnNanos = 0;
        if (!moved && !closed && lost == null) {
          sleep();
        }
      }
    } catch (RuntimeException | Error e) {
      giveUp("failed in the scheduler: " + e, e); // rows must run, whatever went wrong here
    } finally {
      end();
    }
  }

  private void beginTurn() {
    turnNanos = Math.max(1, System.nanoTime());
  }

  private boolean turn() {
    long now = System.nanoTime();
    if (now - factsAtNanos > FACTS_NANOS) {
      try {
        askFacts(now);
      } catch (DeviceFailedException e) {
        giveUp(e.getMessage(), e);
        return true;
      }
    }
    boolean moved = landOldest(now);
    askAgainNanos = Claim.NEVER;
    if (lost == null && !draining && !awaitsLanding && inFlight() < device.spec().depth()) {
      moved |= claimSomewhere();
    }
    dropEndedParts();
    if (!moved && lost == null && inFlight() == 0) {
      moved = rest();
    }
    return moved;
  }

  /** True if the device was given up. */
  private boolean rest() {
    try {
      rests = device.rest();
      return false;
    } catch (DeviceFailedException e) {
      giveUp(e.getMessage(), e);
      return true;
    }
  }

  private void askFacts(long now) throws DeviceFailedException {
    facts = device.facts();
    factsAtNanos = now;
    if (facts.freeBytes() >= 0 && facts.totalBytes() >= 0) {
      load.setMemory(facts.freeBytes(), facts.totalBytes() - facts.freeBytes());
    }
  }

  private void sleep() {
    if (inFlight() > 0) {
      LockSupport.parkNanos(this, POLL_NANOS);
    } else if (askAgainNanos != Claim.NEVER) {
      long nanos = askAgainNanos - System.nanoTime();
      LockSupport.parkNanos(this, Math.max(POLL_NANOS, Math.min(IDLE_NANOS, nanos)));
    } else if (!parts.isEmpty() || rests) {
      LockSupport.parkNanos(this, IDLE_NANOS); // rows may be handed back
    } else {
      LockSupport.park(this);
    }
  }

  private boolean claimSomewhere() {
    for (Job job : scheduler.jobs().inOrder()) {
      int worker = job.workers.indexOf(this);
      if (worker < 0 || job.isStopped() || job.gate.isEnded()) {
        continue;
      }
      Part part = parts.computeIfAbsent(job, j -> new Part(j, worker));
      Claim claim = new Claim();
      Block block = part.left ? null : claim(part, claim);
      if (block != null) {
        scheduler.jobs().served(job);
        launch(block);
        return true;
      }
      askAgainNanos = Math.min(askAgainNanos, claim.retryNanos());
    }
    return false;
  }

  /** A block of a job; null if there is none for this device now. */
  private synchronized Block claim(Part part, Claim claim) {
    if (lost != null) {
      return null;
    }
    if (!part.joined) {
      part.joined = true;
      part.job.dealer.join(part.worker);
    }
    boolean claimed = part.job.dealer.claim(part.worker, System.nanoTime(), claim);
    load.addSteals(claim.stealsTried(), claimed && claim.stealsTried() > 0);
    if (!claimed) {
      return null;
    }
    Block block = new Block(part, claim);
    load.beginBlock(System.nanoTime());
    blocks.add(block);
    return block;
  }

  /** Stages and starts a block, or as many of its first rows as there is memory for. */
  private void launch(Block block) {
    Part part = block.part;
    long from = block.claim.from();
    long rows = Math.min(block.claim.rows(), part.mostRows);
    while (true) {
      Launch launch = null;
      try {
        launch = stage(part, from, from + rows);
        if (launch == null) {
          endUnpublished(block, false);
          return;
        }
        launch.start();
        block.until = from + rows;
        launched(block, launch);
        return;
      } catch (DeviceMemoryException e) {
        closeQuietly(launch);
        if (rows == 1) {
          noRoom(block, e);
          return;
        }
        rows = (rows + 1) / 2;
        part.mostRows = rows;
      } catch (JobRefusedException e) {
        closeQuietly(launch);
        refused(block, e);
        return;
      } catch (DeviceFailedException e) {
        closeQuietly(launch);
        giveUp(e.getMessage(), e);
        return;
      } catch (Throwable e) {
        closeQuietly(launch);
        endUnpublished(block, false);
        scheduler.stop(part.job, e);
        return;
      }
    }
  }

  /** Null if the job is over. */
  private Launch stage(Part part, long from, long until) throws Exception {
    if (!part.job.gate.enter()) {
      return null;
    }
    try {
      if (part.job.isStopped()) {
        return null;
      }
      if (part.launcher == null) {
        part.launcher = part.job.spec.body().launcher(device);
      }
      return part.launcher.stage(from, until);
    } finally {
      part.job.gate.leave();
    }
  }

  private void launched(Block block, Launch launch) {
    synchronized (this) {
      if (!block.ended) {
        block.launch = launch;
        block.headNanos = System.nanoTime();
        return;
      }
    }
    closeQuietly(launch); // the device was given up while the launch was stuck
  }

  /**
   * Not even one row fits. While others are in flight, their memory may come back; else the device
   * is of no use for the job.
   */
  private void noRoom(Block block, DeviceMemoryException e) {
    endUnpublished(block, true);
    if (inFlight() > 0) {
      awaitsLanding = true;
      return;
    }
    leaveJob(block.part, device.name() + " has no room for one row: " + e.getMessage());
  }

  /** The device cannot compute the job. */
  private void refused(Block block, JobRefusedException e) {
    endUnpublished(block, true);
    leaveJob(block.part, e.getMessage());
  }

  private void leaveJob(Part part, String reason) {
    LOG.warn("{} leaves a job: {}", device.name(), reason);
    part.left = true;
    part.mustLeaveDealer = true;
    leaveDealer(part);
    part.job.lose(this, reason);
  }

  private synchronized void leaveDealer(Part part) {
    if (part.mustLeaveDealer && !isInFlight(part)) {
      part.mustLeaveDealer = false;
      part.job.dealer.leave(part.worker);
    }
  }

  /** Publishes the oldest block if it is done. */
  private boolean landOldest(long now) {
    Block block;
    synchronized (this) {
      block = blocks.peek();
    }
    if (block == null) {
      return false;
    }
    try {
      if (!block.launch.isDone()) {
        if (now - block.headNanos > timeoutNanos) {
          giveUp(
              "has not finished a block of "
                  + (block.until - block.claim.from())
                  + " rows in "
                  + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                  + " ms (spark.gpusched.device.timeoutMillis)",
              null);
          return true;
        }
        return false;
      }
      land(block);
    } catch (DeviceFailedException e) {
      giveUp(e.getMessage(), e);
    } catch (Throwable e) {
      endUnpublished(block, false);
      scheduler.stop(block.part.job, e);
    }
    awaitsLanding = false;
    return true;
  }

  private void land(Block block) {
    Job job = block.part.job;
    if (!job.gate.enter()) {
      endUnpublished(block, false);
      return;
    }
    job.left.beginPublishing();
    long left = 0;
    try {
      long now = System.nanoTime();
      long busy = Math.max(1, now - block.headNanos);
      long computed = block.launch.computeNanos();
      long nanos = computed >= 0 ? computed : Math.max(1, busy - device.spec().launchNanos());
      synchronized (this) {
        if (block.ended) {
          return;
        }
        end(block, now);
        job.measured(block.part.worker, block.claim.from(), block.until, nanos);
        job.dealer.commit(block.part.worker, block.claim, block.until, Math.max(1, nanos), now);
      }
      for (int i = 0; i < block.claim.wonRanges(); i++) {
        left += publish(block, block.claim.wonFrom(i), block.claim.wonUntil(i));
      }
      long rows = block.claim.wonRows() - left;
      InnerLoad inner = device.inner();
      if (inner != null) {
        load.setInner(inner);
      }
      TaskWork work = job.spec.body().work();
      Transfers transfers = block.launch.transfers();
      load.endBlock(rows, block.headNanos, now, block.claim.foreign(), work);
      load.addTransfers(transfers, work);
      job.addBlock(index, rows, block.claim.foreign(), nanos, transfers);
      job.spec.account().charge(nanos);
    } catch (Throwable e) {
      scheduler.stop(job, e); // before the gate is left: the rows count as committed
    } finally {
      job.left.endPublishing();
      closeLaunch(block);
      job.gate.leave();
      if (left > 0 || block.until < block.claim.until()) {
        scheduler.rowsHandedBack(job);
      }
    }
  }

  /** Publishes rows of a block; returns how many of them are left to the job's threads. */
  private static long publish(Block block, long from, long until) throws Exception {
    LeftRows left = block.part.job.left;
    long[] rowsAndEnd = {0, from};
    block.launch.publish(
        from,
        until,
        (first, end) -> {
          if (first < rowsAndEnd[1] || end <= first || end > until) {
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
          rowsAndEnd[0] += end - first;
          rowsAndEnd[1] = end;
        });
    return rowsAndEnd[0];
  }

  /** Takes a block out; the next one is at the head from now on. Under the lock. */
  private void end(Block block, long now) {
    block.ended = true;
    blocks.remove(block);
    Block next = blocks.peek();
    if (next != null) {
      next.headNanos = now;
    }
  }

  /** A block whose rows this device does not publish. */
  private void endUnpublished(Block block, boolean handBack) {
    synchronized (this) {
      if (block.ended) {
        return;
      }
      long now = System.nanoTime();
      load.endUnpublished(block.busySince(now), now);
      end(block, now);
      if (handBack) {
        block.part.job.dealer.handBack(block.part.worker, block.claim, now);
      }
    }
    closeLaunch(block);
    if (handBack) {
      scheduler.rowsHandedBack(block.part.job);
    }
  }

  /**
   * The device is not used any more: its blocks are handed back, and it leaves all jobs. Any
   * thread.
   *
   * @param reason to be put behind the device's name
   */
  private void giveUp(String reason, Throwable cause) {
    synchronized (this) {
      if (lost != null) {
        return;
      }
      lost = "was given up: " + (cause == null ? "it " : "") + reason;
      load.setState(DeviceState.QUARANTINED);
      long now = System.nanoTime();
      for (Block block : blocks) {
        block.ended = true;
        load.endFailure(block.busySince(now), now);
        block.part.job.dealer.handBack(block.part.worker, block.claim, now);
      }
    }
    LOG.error("{} {}; its rows run elsewhere", device.name(), lost, cause);
    for (Job job : scheduler.jobs().all()) {
      leave(job);
    }
    wake();
  }

  /** A lost device leaves a job; may be called twice. */
  void leave(Job job) {
    int worker = job.workers.indexOf(this);
    if (worker >= 0) {
      synchronized (this) {
        job.dealer.leave(worker);
      }
      job.lose(this, device.name() + " " + lost);
      scheduler.rowsHandedBack(job);
    }
  }

  private void dropEndedParts() {
    for (Iterator<Part> all = parts.values().iterator(); all.hasNext(); ) {
      Part part = all.next();
      leaveDealer(part);
      if (part.job.gate.isEnded() && !isInFlight(part)) {
        all.remove();
        closeQuietly(part.launcher);
      }
    }
  }

  private synchronized boolean isInFlight(Part part) {
    for (Block block : blocks) {
      if (block.part == part) {
        return true;
      }
    }
    return false;
  }

  /** The owner's last deed. Jobs that still run have been stopped, or the device was given up. */
  private void end() {
    Block[] left;
    synchronized (this) {
      if (lost == null) {
        lost = "was closed";
      }
      left = blocks.toArray(new Block[0]);
      blocks.clear();
    }
    for (Block block : left) {
      closeLaunch(block);
    }
    for (Part part : parts.values()) {
      closeQuietly(part.launcher);
    }
    try {
      device.close();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("{} failed as it was closed", device.name(), e);
    }
  }

  /** Owner's thread. Once: a block that was given up meanwhile is met again in {@link #end}. */
  private void closeLaunch(Block block) {
    Launch launch = block.launch;
    block.launch = null;
    closeQuietly(launch);
  }

  private void closeQuietly(AutoCloseable closeable) {
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
