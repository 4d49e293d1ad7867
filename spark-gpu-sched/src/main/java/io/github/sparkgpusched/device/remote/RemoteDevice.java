package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A core that another executor lends. It is absent while nobody lends one, and while the lender has
 * several blocks to answer, of jobs that are over too. What happens to a lender is no failure of
 * the device: rows that do not come back are left to this executor.
 */
final class RemoteDevice implements CallDevice {
  /** What a launch takes while there is no lender: a round trip on a network that is not busy. */
  private static final long LAUNCH_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /** A block has more to pass than the network: threads that wake up here and there. */
  private static final double LAUNCH_OVER_JOURNEY = 1.25;

  /** A journey may have met a thread that was away. */
  private static final long MOST_LAUNCH_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private static final long LEAST_LAUNCH_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** Weight of the newest journey. */
  private static final double NEW_JOURNEY = 1.0 / 8;

  /** Of 10 Gbit a second. */
  private static final double NANOS_PER_BYTE = 0.8;

  /** One is computed while the next one is on its way. */
  private static final int DEPTH = 2;

  /** A core that was of no use for so long is given back. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The same, if no task has lately had rows for any. */
  private static final long QUIET_IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final String name;
  private final Borrower borrower;

  /** A shorter job does not wait for it: there are others before it that are enough. */
  private final double leastWaitNanos;

  /** Null while absent. From null by the executors' thread, to null by anybody. */
  private final AtomicReference<Lease> lease = new AtomicReference<>();

  /** The scheduler uses it no more. False to true, once, by the owner. */
  private volatile boolean closed;

  /** Wakes the owner. Written once, before the scheduler's threads start. */
  private volatile Runnable wake = () -> {};

  /** By the executors' thread while there is no lender, and then by the owner. */
  private volatile long launchNanos = LAUNCH_NANOS;

  /**
   * When a block ended last, or the core was lent. Written by the executors' thread and the owner.
   */
  private volatile long usedNanos;

  /**
   * @param index among the cores that may be borrowed, from 0
   */
  RemoteDevice(int index, Borrower borrower) {
    this.name = "remote:" + index;
    this.leastWaitNanos = Math.max(Waits.LEAST_SEARCH_NANOS, (index + 1) * Waits.LEAST_JOB_NANOS);
    this.borrower = borrower;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public WorkerSpec spec() {
    return WorkerSpec.staged(1, launchNanos, 0, DEPTH);
  }

  @Override
  public double transferNanosPerByte() {
    return NANOS_PER_BYTE;
  }

  @Override
  public boolean isBorrowed() {
    return true;
  }

  @Override
  public boolean isPresent() {
    Lease held = lease.get();
    return held != null && held.holds() && !held.isBusy();
  }

  @Override
  public boolean isWorth(double jobNanos, long rows) {
    if (jobNanos > Waits.MOST_ROW_NANOS * rows) {
      return false;
    }
    if (jobNanos >= Waits.LEAST_SEARCH_NANOS) {
      borrower.needCores();
    }
    return jobNanos >= (isPresent() ? Waits.LEAST_JOB_NANOS : leastWaitNanos);
  }

  @Override
  public boolean wakesOwner(Runnable owner) {
    wake = owner;
    return true;
  }

  @Override
  public Optional<String> whyNot(UdfCall call, GpuUdf udf) {
    return call.mayTravel()
        ? borrower.whyNot(call.number())
        : Optional.of("UDF '" + call.name() + "' is not computed by other executors");
  }

  @Override
  public Launcher launcher(List<CallOnDevice> calls, TaskWork work) {
    return new RemoteLauncher(this, borrower, List.copyOf(calls), work);
  }

  /** True if it is of use, and nobody lends it a core. */
  boolean isFree() {
    return lease.get() == null && !closed;
  }

  /**
   * A core was lent. Executors' thread.
   *
   * @param journeyNanos what the question for it took
   */
  void bind(Lease lent, long journeyNanos) {
    launchNanos = launchNanos(journeyNanos);
    usedNanos = borrower.nanoTime();
    lease.set(lent);
    if (closed) { // since it was found free
      close();
    }
    wake();
  }

  private static long launchNanos(long journeyNanos) {
    long nanos = Math.round(LAUNCH_OVER_JOURNEY * (double) journeyNanos);
    return Math.max(LEAST_LAUNCH_NANOS, Math.min(MOST_LAUNCH_NANOS, nanos));
  }

  /** A block was on its way there and back for so long. Owner's thread. */
  void travelled(long nanos) {
    long before = launchNanos;
    launchNanos = before + Math.round(NEW_JOURNEY * (double) (launchNanos(nanos) - before));
  }

  /**
   * The lender wants its core back, or cannot be reached, or the core is not wanted. A lender that
   * can be reached is told: it may still wait for blocks.
   */
  void unbind(Lease lost) {
    if (lease.compareAndSet(lost, null)) {
      lost.giveBack();
    }
  }

  /** Null while absent. */
  Lease lease() {
    return lease.get();
  }

  /** Something may have come back. */
  void wake() {
    wake.run();
  }

  /** A block has ended. Owner's thread. */
  void used() {
    usedNanos = borrower.nanoTime();
  }

  @Override
  public boolean rest() {
    Lease held = lease.get();
    if (held == null) {
      return false;
    }
    long now = borrower.nanoTime();
    if (held.isSilent(now)) { // its blocks were computed by others, and nobody waits for them
      borrower.silent(held, null);
      unbind(held);
      return false;
    }
    // One that is to answer blocks is kept, or whoever is stuck would be lent from again and again.
    boolean idle = !held.awaitsAnswers() && now - usedNanos > idleNanos(now);
    if (!held.holds() || idle) {
      unbind(held);
    }
    return !idle;
  }

  private long idleNanos(long now) {
    return borrower.need().lasts(now) ? IDLE_NANOS : QUIET_IDLE_NANOS;
  }

  @Override
  public void close() {
    closed = true; // first, or a core that is lent meanwhile would stay
    Lease held = lease.get();
    if (held != null) {
      unbind(held);
    }
  }
}
