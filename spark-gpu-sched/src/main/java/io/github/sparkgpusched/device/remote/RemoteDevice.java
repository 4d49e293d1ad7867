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
 * A core that another executor lends. It is absent while nobody lends one. What happens to a lender
 * is no failure of the device: rows that do not come back are left to this executor.
 */
final class RemoteDevice implements CallDevice {
  /** A round trip on a network that is not busy, while there is no lender. */
  private static final long LAUNCH_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /** Of 10 Gbit a second. */
  private static final double NANOS_PER_BYTE = 0.8;

  /** One is computed while the next one is on its way. */
  private static final int DEPTH = 2;

  /** A shorter job is over before a core that is there is of use. */
  private static final double LEAST_JOB_NANOS = 5e6;

  /**
   * A core is looked for while jobs take this. One that is found in the middle of such a job is of
   * use to it, as the job may take longer than is thought; else to the next one.
   */
  private static final double LEAST_SEARCH_NANOS = 20e6;

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

  /** Wakes the owner. Written once, before the scheduler's threads start. */
  private volatile Runnable wake = () -> {};

  /**
   * When a block ended last, or the core was lent. Written by the executors' thread and the owner.
   */
  private volatile long usedNanos;

  /**
   * @param index among the cores that may be borrowed, from 0
   */
  RemoteDevice(int index, Borrower borrower) {
    this.name = "remote:" + index;
    this.leastWaitNanos = Math.max(LEAST_SEARCH_NANOS, (index + 1) * LEAST_JOB_NANOS);
    this.borrower = borrower;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public WorkerSpec spec() {
    Lease held = lease.get();
    return WorkerSpec.staged(1, held == null ? LAUNCH_NANOS : held.launchNanos(), 0, DEPTH);
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
    return held != null && held.holds();
  }

  @Override
  public boolean isWorth(double jobNanos) {
    if (jobNanos >= LEAST_SEARCH_NANOS) {
      borrower.needCores();
    }
    return jobNanos >= (isPresent() ? LEAST_JOB_NANOS : leastWaitNanos);
  }

  @Override
  public boolean wakesOwner(Runnable owner) {
    wake = owner;
    return true;
  }

  @Override
  public Optional<String> whyNot(UdfCall call, GpuUdf udf) {
    return call.number() == 0
        ? Optional.of("UDF '" + call.name() + "' is not computed by other executors")
        : borrower.whyNot(call.number());
  }

  @Override
  public Launcher launcher(List<CallOnDevice> calls, TaskWork work) {
    return new RemoteLauncher(this, borrower, List.copyOf(calls), work);
  }

  /** True if nobody lends it a core. */
  boolean isFree() {
    return lease.get() == null;
  }

  /** A core was lent. Executors' thread. */
  void bind(Lease lent) {
    usedNanos = borrower.nanoTime();
    lease.set(lent);
    wake();
  }

  /** The lender wants its core back, or cannot be reached. */
  void unbind(Lease lost) {
    lease.compareAndSet(lost, null);
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
    boolean idle = now - usedNanos > (borrower.need().lasts(now) ? IDLE_NANOS : QUIET_IDLE_NANOS);
    if (!held.holds() || idle) {
      held.giveBack();
      unbind(held);
    }
    return !idle;
  }

  @Override
  public void close() {
    Lease held = lease.getAndSet(null);
    if (held != null) {
      held.giveBack();
    }
  }
}
