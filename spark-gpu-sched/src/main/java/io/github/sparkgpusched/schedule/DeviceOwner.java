package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * One launch device at work: its owner thread claims blocks from the executor's jobs, the one with
 * least device time first, keeps up to {@code depth} launches of them in flight ({@link Flights}),
 * and publishes them in the order of their launches ({@link Landing}). What becomes of them when
 * the device fails is {@link DeviceLife}'s to say.
 *
 * <p><b>Waiting.</b> While blocks are in flight, or rows may become claimable soon, the owner looks
 * again after short times ({@link OwnerWait}). Else it waits to be woken: whoever adds a job, or
 * hands rows back, first does so and then wakes.
 */
final class DeviceOwner {
  private static final int MACHINE_CORES = Runtime.getRuntime().availableProcessors();

  private final Helpers helpers;
  private final LaunchDevice device;
  private final long timeoutNanos;
  private final Thread thread;
  private final CountDownLatch opened = new CountDownLatch(1);
  private final DeviceHealth health;
  private final Flights flights;
  private final LaunchCost cost;
  private final DeviceStanding standing;
  private final DeviceParts parts;
  private final Staging staging;
  private final Landing landing;
  private final DeviceLife life;
  private final OwnerWait waiting;

  /** False to true, once, by whoever starts the owner, or closes the device in its place. */
  private final AtomicBoolean started = new AtomicBoolean();

  /** False to true, once, when the scheduler closes. */
  private volatile boolean closed;

  /** True from each {@link #wake} on until the next turn begins, which finds what there is. */
  private volatile boolean woken;

  /** After a turn in which nothing was claimed: when to ask again. Owner's thread only. */
  private long askAgainNanos;

  /** True if the next turn has only to look at the oldest block. Owner's thread only. */
  private boolean spins;

  /** True while the device wants to be asked whether it ends something. Owner's thread only. */
  private boolean rests;

  /** True after a block found no memory while others held some. Owner's thread only. */
  private boolean awaitsLanding;

  /**
   * @param index of the device in the load table, whose entry is {@code load}
   * @param timeoutNanos that a block or a call may take
   */
  DeviceOwner(Helpers helpers, LaunchDevice device, int index, LoadEntry load, long timeoutNanos) {
    this.helpers = helpers;
    this.device = device;
    this.timeoutNanos = timeoutNanos;
    this.health = new DeviceHealth(load, timeoutNanos);
    this.flights = new Flights(load);
    this.cost = new LaunchCost();
    cost.declare(device.spec().launchNanos());
    this.standing = new DeviceStanding(device, load, flights);
    this.parts = new DeviceParts(this, flights);
    this.landing = new Landing(helpers, device, index, load, flights, cost);
    this.life = new DeviceLife(this, helpers, health, flights, parts, landing);
    this.staging = new Staging(device, flights, parts, landing, life);
    this.thread = new Thread(null, this::live, "gpusched-" + device.name(), 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(DeviceOwner.class.getClassLoader());
    this.waiting = new OwnerWait(device.wakesOwner(this::wake));
  }

  /**
   * Starts the owner, which opens the device. Of a device that is absent, and says so when it is
   * there, the owner starts then: there may be many, and most may never come.
   */
  void start() {
    if (!waiting.isWoken() || device.isPresent()) {
      startOnce();
    } else {
      opened.countDown();
    }
  }

  private void startOnce() {
    if (started.compareAndSet(false, true)) {
      try {
        thread.start();
      } catch (OutOfMemoryError e) {
        // Jobs go on without the device; they must not fail for want of it.
        life.giveUp("has no thread: " + e.getMessage(), e);
        life.end();
        opened.countDown();
      }
    }
  }

  /** Waits until the device is open and its facts are known, or gives it up. */
  void awaitOpen(long deadlineNanos) {
    try {
      if (!opened.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        life.giveUp(
            "did not open in "
                + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                + " ms (spark.gpusched.device.timeoutMillis)",
            null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      life.giveUp("was interrupted while it opened", e);
    }
  }

  LaunchDevice device() {
    return device;
  }

  /** What a strategy is told about the device, with what its launches have turned out to cost. */
  WorkerSpec spec() {
    return device.spec().withLaunch(cost.nanos());
  }

  /** What placement asks of it. */
  DeviceStanding standing() {
    return standing;
  }

  /** True if the device is never used again; false while it recovers from a failure. */
  boolean isLost() {
    return health.isLost();
  }

  /** To be put behind the device's name once it is lost. */
  String whyLost() {
    return health.whyLost();
  }

  /** Something may have changed. */
  void wake() {
    woken = true; // the permit alone may be used up: by a device that waits inside of a turn
    if (started.get()) {
      LockSupport.unpark(thread);
    } else if (device.isPresent()) {
      startOnce();
    }
  }

  /** There may be rows to claim. A device that is absent looks for some when it is back. */
  void wakeForRows() {
    if (device.isPresent()) {
      wake();
    }
  }

  /** Gives the device up if its owner has not come back from a call for too long. Any thread. */
  void watch(long now) {
    life.watch(now);
  }

  /** A lost device leaves a job; may be called twice. Any thread. */
  void leave(Job job) {
    life.leave(job);
  }

  void close() {
    closed = true;
    if (started.compareAndSet(false, true)) {
      life.end(); // in place of an owner that never was
    } else {
      wake();
    }
  }

  /** The owner. */
  Thread thread() {
    return thread;
  }

  private boolean isAtWork() {
    return !closed && !health.isLost();
  }

  private void live() {
    health.beginTurn(System.nanoTime());
    try {
      device.open();
      cost.declare(device.spec().launchNanos());
      standing.refresh(System.nanoTime());
    } catch (DeviceFailedException | RuntimeException e) {
      life.giveUp("could not be opened: " + e.getMessage(), e);
    } catch (Error e) {
      life.giveUp("could not be opened: " + e, e); // no memory for it, or a class is not there
    }
    health.endTurn();
    opened.countDown();
    try {
      while (isAtWork()) {
        long now = System.nanoTime();
        health.beginTurn(now);
        woken = false;
        boolean moved = turn(now);
        health.endTurn();
        if (moved) {
          waiting.moved(System.nanoTime());
        } else if (isAtWork() && !woken) {
          sleep();
        }
      }
    } catch (RuntimeException | Error e) {
      life.giveUp("failed in the scheduler: " + e, e); // rows must run, whatever went wrong here
    } finally {
      life.end();
    }
  }

  /** True if anything has moved. */
  private boolean turn(long now) {
    try {
      standing.refresh(now);
      boolean moved = landOldest(now);
      while (moved && flights.isPartlyLanded() && landOldest(now)) {
        // the other blocks of its launch
      }
      if (spins && !moved && now < askAgainNanos) {
        return false;
      }
      askAgainNanos = Claim.NEVER;
      boolean present = device.isPresent();
      if (present) {
        cost.declare(device.spec().launchNanos());
      } else {
        stepBack();
      }
      if (present
          && health.isWell()
          && !awaitsLanding
          && flights.launches() < device.spec().depth()) {
        moved |= claimSomewhere();
      }
      parts.dropEnded();
      if (!moved && !health.isLost() && flights.size() == 0) {
        rests = device.rest();
      }
      return moved;
    } catch (DeviceFailedException e) {
      life.failed(e);
      awaitsLanding = false;
      standing.outdate(System.nanoTime());
      return true;
    }
  }

  /** The device is absent: nobody is to count on it for rows that it was dealt. */
  private void stepBack() {
    for (Job job : helpers.jobs().all()) {
      int worker = job.workers.indexOf(this);
      if (worker >= 0 && job.workers.isStarter(worker) && !isOver(job)) {
        parts.of(job, worker);
      }
    }
    parts.stepBack();
  }

  private void sleep() {
    long now = System.nanoTime();
    long freeCores = MACHINE_CORES - helpers.budget().busy();
    boolean mayGetRows = !parts.isEmpty() || rests;
    long nanos = waiting.nanos(now, flights.size() > 0, freeCores, askAgainNanos, mayGetRows);
    spins = nanos == OwnerWait.SPIN;
    if (nanos == OwnerWait.UNTIL_WOKEN) {
      LockSupport.park(this);
    } else if (spins) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(this, nanos);
    }
  }

  private boolean claimSomewhere() throws DeviceFailedException {
    List<Job> jobs = helpers.jobs().inOrder();
    for (int i = 0; i < jobs.size(); i++) {
      Job job = jobs.get(i);
      DevicePart part = parts.claimable(job);
      if (part == null) {
        continue;
      }
      Claim claim = new Claim();
      Flights.Block block = flights.claim(part, claim, null, System.nanoTime());
      if (block != null) {
        helpers.jobs().served(job);
        launch(block, jobs.subList(i + 1, jobs.size())); // those before it have nothing
        return true;
      }
      askAgainNanos = Math.min(askAgainNanos, claim.retryNanos());
    }
    return false;
  }

  private void launch(Flights.Block block, List<Job> others) throws DeviceFailedException {
    try {
      if (!staging.launch(block, others)) {
        landing.endUnpublished(block, false); // the job is over
      }
    } catch (DeviceMemoryException e) {
      landing.endUnpublished(block, true);
      if (flights.size() > 0) {
        awaitsLanding = true; // what the others hold may come back
      } else {
        parts.leave(block.part, device.name() + " has no room for one row: " + e.getMessage());
      }
    } catch (DeviceFailedException e) {
      throw e;
    } catch (Throwable e) {
      life.blockFailed(block, e);
    }
  }

  private static boolean isOver(Job job) {
    return job.isStopped() || job.gate.isEnded();
  }

  /** Publishes the oldest block if it is done. */
  private boolean landOldest(long now) throws DeviceFailedException {
    Flights.Block block = flights.oldest();
    if (block == null) {
      return false;
    }
    try {
      if (device.isBorrowed() && isOver(block.part.job)) {
        landing.endUnpublished(block, false); // its rows were copied: who lends the core is told
        return true;
      }
      if (!block.launch.isDone()) {
        // Who borrows a core has a bound of its own for who lends it, and goes on with another one.
        if (device.isBorrowed() || flights.nanosAtHead(block, now) <= timeoutNanos) {
          return false;
        }
        life.giveUp(
            "has not finished a block of "
                + (block.until() - block.claim.from())
                + " rows in "
                + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                + " ms (spark.gpusched.device.timeoutMillis)",
            null);
        return true;
      }
      landing.land(block);
    } catch (DeviceFailedException e) {
      throw e;
    } catch (Throwable e) {
      life.blockFailed(block, e);
    }
    awaitsLanding = false;
    return true;
  }
}
