package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shares the rows of jobs among the cores of one executor. Thread-safe.
 *
 * <p><b>Who computes.</b> A task's thread calls {@link #run} and computes rows like everyone else;
 * as long as no core is idle it computes them all and the scheduler costs it one compare-and-set
 * and one volatile read a block. Helper threads join jobs only while fewer cores are in use than
 * there are ({@link CoreBudget}). The executor says when tasks start and end. A task that starts
 * takes its cores at once; a helper that is one too many finishes the block it is in, or has just
 * claimed, and leaves. So more threads than cores compute for at most one block of each helper
 * after a task has started, or after a thread that waited in {@code run} has gone on.
 *
 * <p><b>Who gets which rows.</b> The {@link Strategy}. By default all rows start with the
 * submitter; idle threads take the rear half, by cost, from who has most left, so rows move only
 * when somebody has nothing else to do; blocks are sized by time.
 *
 * <p><b>How it is put together.</b> {@link JobRun} is one job from its submission to its end,
 * {@link Participant} one thread's part in it; {@link Helpers} wakes threads, sends them to jobs,
 * and stops jobs with the helpers inside; each launch device has a {@link DeviceOwner}.
 *
 * <p><b>What goes wrong.</b> The first error stops the job; participants see it between blocks, and
 * helpers are interrupted so that a function that blocks ends. Interrupts reach a helper only
 * inside the job they are meant for ({@link Helper}).
 *
 * <p><b>Devices.</b> A thread goes by a free device while it is in a job, and is counted in that
 * device's {@link LoadEntry}. A job's slots are its own and have nothing to do with device indexes.
 */
public final class Scheduler implements AutoCloseable {
  /** How long closing waits for threads to end, in all. */
  private static final long CLOSE_MILLIS = 2000;

  private final Cores cores;
  private final List<DeviceOwner> owners;
  private final LaunchPolicy launching;
  private final Placement placement;
  private final Strategy strategy;
  private final Helpers helpers;
  private final CostMemory memory = new CostMemory();

  /** Jobs that run. Added and removed by their submitters. */
  private final FairQueue<Job> jobs =
      new FairQueue<>(job -> job.spec.account(), job -> !job.isCommitted());

  /** Cores that guests have: up by {@link #takeGuestSeat}, down by {@link #guestLeft}. */
  private final AtomicInteger guests = new AtomicInteger();

  /** False to true, once, in {@link #close}. */
  private volatile boolean closed;

  /**
   * A scheduler of cores alone, whose jobs deal their rows by this strategy. It is without threads;
   * they are made when first needed.
   *
   * @param cores a device for each core of the executor, at least one
   * @param table an entry for each device, in the same order
   * @param targetBlockNanos about how long a block is to take, in nanoseconds, above 0
   */
  public Scheduler(
      List<? extends Device> cores, LoadTable table, long targetBlockNanos, Strategy strategy) {
    this(cores, List.of(), table, targetBlockNanos, strategy, LaunchPolicy.DEFAULT);
  }

  /**
   * A scheduler of cores and launch devices. Starts a thread for each launch device, and waits
   * until they are open.
   *
   * @param cores a device for each core of the executor, at least one
   * @param launchDevices GPUs and the like; the scheduler opens and closes them
   * @param table an entry for each core, then one for each launch device, then perhaps others'
   * @param targetBlockNanos about how long a core's block is to take, in nanoseconds, above 0
   */
  public Scheduler(
      List<? extends Device> cores,
      List<? extends LaunchDevice> launchDevices,
      LoadTable table,
      long targetBlockNanos,
      Strategy strategy,
      LaunchPolicy launching) {
    int devices = cores.size() + launchDevices.size();
    if (cores.isEmpty() || table.size() < devices) {
      throw new IllegalArgumentException(
          "a scheduler needs devices and a load entry for each, not "
              + devices
              + " devices, "
              + cores.size()
              + " of them cores, and "
              + table.size()
              + " entries");
    }
    if (targetBlockNanos <= 0) {
      throw new IllegalArgumentException(
          "a block must take more than 0 nanoseconds, not " + targetBlockNanos);
    }
    this.strategy = strategy;
    this.launching = launching;
    this.cores =
        new Cores(new DeviceSeats(cores.size()), List.copyOf(cores), table, targetBlockNanos);
    this.helpers = new Helpers(this.cores, jobs);
    List<DeviceOwner> all = new ArrayList<>(launchDevices.size());
    for (LaunchDevice device : launchDevices) {
      int index = cores.size() + all.size();
      long timeout = launching.blockTimeoutNanos();
      all.add(new DeviceOwner(helpers, device, index, table.entry(index), timeout));
    }
    this.owners = List.copyOf(all);
    this.placement = new Placement(launching, owners);
    // All at once: opening a device may take seconds.
    owners.forEach(DeviceOwner::start);
    long deadline = System.nanoTime() + launching.blockTimeoutNanos();
    owners.forEach(owner -> owner.awaitOpen(deadline));
  }

  /**
   * A task has started on this executor. To be called before its thread calls {@link #run}, else
   * that thread computes beyond the number of cores.
   *
   * @param cores cores that the task takes, at least 1
   */
  public void taskStarted(int cores) {
    helpers.budget().add(checkCores(cores));
  }

  /**
   * A task that had started has ended, well or not.
   *
   * @param cores what {@link #taskStarted} was told
   */
  public void taskEnded(int cores) {
    helpers.budget().add(-checkCores(cores));
    helpers.wakeForAny();
  }

  private static int checkCores(int cores) {
    if (cores < 1) {
      throw new IllegalArgumentException("a task takes at least 1 core, not " + cores);
    }
    return cores;
  }

  /**
   * Computes all rows of a job, on the calling thread and on idle cores, and returns when each has
   * been computed exactly once. May be called from inside a job's function. However it ends, no
   * thread is inside the job's body any more: every worker has been closed, the caller's on the
   * calling thread.
   *
   * <p>The first exception or error that the body throws, on any thread, is thrown as it is, with
   * later ones added to it as suppressed. Blocks that run at that moment are finished, or end by
   * the interrupt that helpers then get; no other block begins.
   *
   * <p>The calling thread is never interrupted by this class. If others interrupt it while it
   * computes, that is between them and the body. If they do before or while it waits for helpers,
   * the job is stopped, the helpers are interrupted, and {@code InterruptedException} is thrown
   * with the flag cleared; if the job had failed otherwise before, that failure is thrown and the
   * flag is set.
   *
   * @throws CancellationException if {@code cancelled} was seen to be true, or this scheduler was
   *     closed, before all rows were done
   * @throws InterruptedException if the calling thread was interrupted while it waited for helpers
   * @throws IllegalStateException if this scheduler was closed before
   * @throws Exception what the body threw first
   */
  public JobStats run(JobSpec spec) throws Exception {
    if (spec.rows() == 0) {
      return JobStats.empty(cores.count() + owners.size());
    }
    return begin(spec).finish();
  }

  /**
   * Begins what {@link #run} does, and returns at once. Rows are dealt as there, so idle cores take
   * over what was dealt to the calling thread while that does something else.
   *
   * @param spec with at least one row
   * @return the job, which the caller finishes or cancels
   * @throws IllegalStateException if this scheduler was closed before
   */
  public RunningJob start(JobSpec spec) {
    RunningJob running = begin(spec);
    running.wakeHelpers();
    return running;
  }

  private RunningJob begin(JobSpec spec) {
    if (closed) {
      throw new IllegalStateException("the scheduler is closed");
    }
    Placement.Placed placed = placement.place(spec);
    try {
      return begin(spec, placed);
    } catch (RuntimeException | Error e) {
      placed.end();
      throw e;
    }
  }

  private RunningJob begin(JobSpec spec, Placement.Placed placed) {
    boolean hostsShare =
        placed.owners().isEmpty() || (launching.hostsShare() && spec.body().sharesWithCores());
    Job job =
        new Job(
            spec,
            spec.strategy() == null ? strategy : spec.strategy(),
            new JobWorkers(placed, hostsShare, cores.count(), spec.bytesPerRow(), spec.pace()),
            memory,
            cores);
    RunningJob running = new RunningJob(helpers, launching, placed, memory, job);
    jobs.add(job);
    if (closed) {
      // close() may have looked at the jobs before this one was there
      helpers.stop(job, closedFailure());
    }
    for (DeviceOwner owner : placed.owners()) {
      if (owner.isLost()) {
        owner.leave(job); // it may have looked at the jobs before this one was there, likewise
      }
      if (job.workers.isStarter(job.workers.indexOf(owner))) {
        owner.wake(); // though it may be absent by now: then nobody is to count on it
      } else {
        owner.wakeForRows();
      }
    }
    return running;
  }

  /** A core for a thread that computes rows in place, and is then counted in its load. */
  public CoreSeat takeSeat() {
    return new CoreSeat(cores.seats());
  }

  /** A core for rows of nobody here, if no task and no helper wants one. */
  public Optional<GuestSeat> takeGuestSeat() {
    if (!helpers.budget().tryTake()) {
      return Optional.empty();
    }
    guests.incrementAndGet();
    return Optional.of(new GuestSeat(this));
  }

  /** A guest has given its core back. */
  void guestLeft() {
    guests.decrementAndGet();
  }

  /** How many cores nobody uses now, neither tasks nor helpers. */
  public int idleCores() {
    return (int) Math.max(0, cores.count() - helpers.budget().busy());
  }

  /**
   * How many cores would soon help a job that began now: those that nobody uses, those that guests
   * have, and its part of those that help other tasks, if all weigh the same. Who looked at idle
   * cores alone would find none as long as somebody else's job has them all.
   */
  public int coresForAnotherJob() {
    int free = idleCores() + guests.get();
    int helping = 0;
    Set<Account> helped = new HashSet<>();
    for (Job job : jobs.all()) {
      int inside = job.gate.inside();
      if (inside > 0) {
        helping += inside;
        helped.add(job.spec.account());
      }
    }
    return Math.max(free, (free + helping) / (1 + helped.size()));
  }

  /**
   * Whether there are devices now that are no cores of this executor, lost ones too.
   *
   * @param borrowed whether cores of others count
   */
  public boolean hasLaunchDevices(boolean borrowed) {
    return owners.stream()
        .map(DeviceOwner::device)
        .anyMatch(device -> device.isPresent() && (borrowed || !device.isBorrowed()));
  }

  /** How many rows fill the largest launch device that can be used now; 0 if none wants so many. */
  public long waveRows() {
    long most = 0;
    for (DeviceOwner owner : owners) {
      if (!owner.isLost() && owner.device().isPresent()) {
        most = Math.max(most, owner.device().waveRows());
      }
    }
    return most;
  }

  /** Whether a job runs that borrowed devices may work on, be they present or not. */
  public boolean hasBorrowingJobs() {
    for (Job job : jobs.all()) {
      if (job.workers.owners.stream().anyMatch(owner -> owner.device().isBorrowed())) {
        return true;
      }
    }
    return false;
  }

  /** Whether cores compute what launch devices can. */
  public boolean hostsShare() {
    return owners.isEmpty() || launching.hostsShare();
  }

  Helpers helpers() {
    return helpers;
  }

  List<DeviceOwner> owners() {
    return owners;
  }

  /** The jobs that run. */
  FairQueue<Job> jobs() {
    return jobs;
  }

  /** Who goes by which core. */
  Cores cores() {
    return cores;
  }

  /**
   * Stops the helpers, by interrupting them, and all jobs, which end with a {@code
   * CancellationException} as soon as their task threads have finished the block they are in. Waits
   * up to two seconds for helpers to end. May be called again.
   */
  @Override
  public void close() {
    stopAll();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
    try {
      for (Thread thread : helpers.threads()) {
        awaitEnd(thread, deadline);
      }
      for (DeviceOwner owner : owners) {
        awaitEnd(owner.thread(), deadline);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void awaitEnd(Thread thread, long deadlineNanos) throws InterruptedException {
    long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    if (left > 0) {
      thread.join(left);
    }
  }

  /** Does what {@link #close} does, and waits for nobody. */
  void stopAll() {
    closed = true;
    for (Job job : jobs.all()) {
      helpers.stop(job, closedFailure());
    }
    helpers.close();
    owners.forEach(DeviceOwner::close);
  }

  private static CancellationException closedFailure() {
    return new CancellationException("the scheduler was closed");
  }
}
