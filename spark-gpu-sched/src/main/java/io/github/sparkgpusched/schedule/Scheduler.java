package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

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
 * <p><b>When a helper is woken.</b> When a job has enough estimated time left and a core is idle.
 * Participants look after each block; and since one of them may be inside a long block, everything
 * that frees a core looks too. A helper first takes a core, then looks for a job, and gives the
 * core back before it looks whether someone needed it meanwhile. Every change (rows to share, a
 * core freed, a wake-up consumed) is thus made before its maker looks at the other conditions, and
 * of two makers at least one sees both changes: no wake-up is lost, and helpers can wait without a
 * time-out.
 *
 * <p><b>When a job is over.</b> Claimed is not done. A helper is inside the job's {@link JobGate}
 * until its last claimed block has run. The submitter, when it finds nothing to claim, closes the
 * gate, gives its core back and waits until the gate is empty. Helpers that left early (their core
 * was wanted) may have left rows, and one that found its rows dearer than thought may have handed
 * some back; then the gate is opened again and all of this repeats. {@code run} does not return or
 * throw by any way before the gate is empty, so its caller may free the memory that the rows are
 * in.
 *
 * <p><b>What goes wrong.</b> The first error stops the job; participants see it between blocks, and
 * helpers are interrupted so that a function that blocks ends. Interrupts reach a helper only
 * inside the job they are meant for ({@link Helper}).
 *
 * <p><b>Devices.</b> A thread goes by a free device while it is in a job, and is counted in that
 * device's {@link LoadEntry}. A job's slots are its own and have nothing to do with device indexes.
 */
public final class Scheduler implements AutoCloseable {
  /** A job is shared if it has more left, for each participant, than this many blocks of time. */
  private static final int WORTH_SHARING_BLOCKS = 2;

  /**
   * How often a thread that waits for helpers looks whether its task was cancelled, and whether
   * rows were handed back just before it began to wait, which woke nobody.
   */
  private static final long CANCEL_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final String FALLBACK_HINT =
      ". Set spark.gpusched.hostFallback=true to have cores compute it then";

  /** How long closing waits for threads to end, in all. */
  private static final long CLOSE_MILLIS = 2000;

  /** The calling thread's innermost part in a job: a function may itself call {@link #run}. */
  private static final ThreadLocal<Participant> CURRENT = new ThreadLocal<>();

  /** Cores first, then launch devices. */
  private final List<Device> devices;

  private final int cores;
  private final List<LaunchLoop> loops;
  private final LaunchPolicy launching;
  private final Placement placement;
  private final LoadTable table;
  private final long targetBlockNanos;
  private final Strategy strategy;
  private final CoreBudget budget;
  private final DeviceSeats seats;
  private final HelperPool pool;
  private final CostMemory memory = new CostMemory();

  /** Jobs that run. Added and removed by their submitters. */
  private final FairQueue<Job> jobs = new FairQueue<>(job -> job.spec.account());

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
   * @param table an entry for each core, then one for each launch device
   * @param targetBlockNanos about how long a core's block is to take, in nanoseconds, above 0
   */
  public Scheduler(
      List<? extends Device> cores,
      List<? extends LaunchDevice> launchDevices,
      LoadTable table,
      long targetBlockNanos,
      Strategy strategy,
      LaunchPolicy launching) {
    this.strategy = strategy;
    this.launching = launching;
    this.placement = new Placement(launching.placement());
    this.cores = cores.size();
    this.table = table;
    this.targetBlockNanos = targetBlockNanos;
    List<Device> all = new ArrayList<>(cores);
    all.addAll(launchDevices);
    this.devices = List.copyOf(all);
    if (cores.isEmpty() || table.size() != all.size()) {
      throw new IllegalArgumentException(
          "a scheduler needs devices and a load entry for each, not "
              + all.size()
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
    this.budget = new CoreBudget(this.cores);
    this.seats = new DeviceSeats(this.cores);
    this.pool = new HelperPool(this.cores - 1, this::help);
    List<LaunchLoop> started = new ArrayList<>(launchDevices.size());
    for (LaunchDevice device : launchDevices) {
      int index = this.cores + started.size();
      LoadEntry entry = table.entry(index);
      started.add(new LaunchLoop(this, device, index, entry, launching.blockTimeoutNanos()));
    }
    this.loops = List.copyOf(started);
    for (LaunchLoop loop : loops) {
      loop.start();
    }
  }

  /**
   * A task has started on this executor. To be called before its thread calls {@link #run}, else
   * that thread computes beyond the number of cores.
   *
   * @param cores cores that the task takes, at least 1
   */
  public void taskStarted(int cores) {
    budget.add(checkCores(cores));
  }

  /**
   * A task that had started has ended, well or not.
   *
   * @param cores what {@link #taskStarted} was told
   */
  public void taskEnded(int cores) {
    budget.add(-checkCores(cores));
    wakeForAny();
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
    if (closed) {
      throw new IllegalStateException("the scheduler is closed");
    }
    if (spec.rows() == 0) {
      return JobStats.empty(devices.size());
    }
    List<LaunchLoop> able = launchDevicesFor(spec);
    int parts = Placement.parts(spec, able);
    List<LaunchLoop> placed = placement.place(spec.hints(), able, parts);
    try {
      return run(spec, placed, parts);
    } finally {
      Placement.end(placed, parts);
    }
  }

  /**
   * The launch devices that may compute a job; none if cores are to do it alone.
   *
   * @throws NoDeviceException if no device may compute it
   */
  private List<LaunchLoop> launchDevicesFor(JobSpec spec) {
    List<LaunchLoop> able = new ArrayList<>(loops.size());
    StringJoiner refusals = new StringJoiner("; ");
    for (LaunchLoop loop : loops) {
      if (spec.body().runsOn(loop.device())) {
        String refusal = Placement.refusal(loop, spec.hints());
        if (refusal == null) {
          able.add(loop);
        } else {
          refusals.add(refusal);
        }
      }
    }
    if (able.isEmpty() && !spec.body().runsOnCores()) {
      throw new NoDeviceException(
          "no device may compute this batch" + (refusals.length() > 0 ? ": " + refusals : ""));
    }
    if (able.isEmpty() && refusals.length() > 0) {
      checkFallback(refusals.toString());
    }
    return able;
  }

  private void checkFallback(String reasons) {
    if (!launching.hostsShare() && !launching.hostFallback()) {
      throw new NoDeviceException("no device may compute this batch: " + reasons + FALLBACK_HINT);
    }
  }

  private JobStats run(JobSpec spec, List<LaunchLoop> placed, int parts) throws Exception {
    boolean hostsShare = placed.isEmpty() || (launching.hostsShare() && spec.body().runsOnCores());
    Job job =
        new Job(
            spec,
            strategy,
            new JobWorkers(placed, parts, hostsShare, cores, spec.bytesPerRow()),
            memory,
            devices.size(),
            targetBlockNanos,
            Thread.currentThread(),
            (double) WORTH_SHARING_BLOCKS * targetBlockNanos);
    Participant outer = CURRENT.get();
    Wait wait = new Wait(job);
    Participant self = null;
    try {
      jobs.add(job);
      if (closed) {
        stop(job, closedFailure()); // close() may have looked at the jobs before this one was there
      }
      for (LaunchLoop loop : placed) {
        if (loop.isLost()) {
          loop.leave(job); // it may have looked at the jobs before this one was there, likewise
        }
        loop.wake();
      }
      if (hostsShare) {
        self = takePart(job, true, outer);
      }
      while (!wait.untilOver(self)) {
        boolean claims = hostsShare || wait.fallsBack;
        if (claims && !hostsShare) {
          job.shareWithCores(); // the launch devices are lost
        }
        if (self == null) {
          self = takePart(job, claims, outer);
        } else {
          if (claims && !self.claims()) {
            self.beginToClaim();
          }
          self.work();
        }
      }
    } finally {
      jobs.remove(job);
      if (self != null) {
        self.leave();
        setCurrent(outer);
      }
    }
    return result(job, wait);
  }

  /** The submitter begins to compute. */
  private Participant takePart(Job job, boolean claims, Participant outer) {
    Participant self = new Participant(this, job, job.workers.submitter, false, claims, outer);
    CURRENT.set(self);
    wakeFor(job);
    self.work();
    return self;
  }

  private JobStats result(Job job, Wait wait) throws Exception {
    Throwable failure = job.failure();
    if (failure == null) {
      job.keepCosts(memory);
      return job.stats(wait.nanos);
    }
    if (wait.interrupted && !(failure instanceof InterruptedException)) {
      Thread.currentThread().interrupt();
    }
    throw Scheduler.<RuntimeException>asIs(failure);
  }

  /** Throws anything as it is, as the body may have thrown what no signature declares. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T asIs(Throwable failure) throws T {
    throw (T) failure;
  }

  /** The submitter's waits for the helpers of its job. Used by the submitter's thread. */
  private final class Wait {
    private final Job job;
    private long nanos;
    private boolean interrupted;

    /** True once the submitter is to compute what launch devices were to. */
    private boolean fallsBack;

    Wait(Job job) {
      this.job = job;
    }

    /**
     * Closes the job's gate and waits until the job is over, or there are rows to claim; then the
     * gate is open again. Throws nothing.
     *
     * @param self the submitter's part in the job; null while launch devices are to do it alone
     * @return true if the job is over
     */
    boolean untilOver(Participant self) {
      job.gate.close();
      if (isOver()) {
        return true;
      }
      long start = System.nanoTime();
      boolean free = self != null;
      if (free) {
        budget.add(-1);
        wakeForAny();
      }
      boolean over = false;
      // The flag is cleared as it is seen: while it is set no wait would wait.
      while (!over && !mayClaim(self)) {
        job.gate.await(self == null ? CANCEL_POLL_NANOS : self.waitNanos(CANCEL_POLL_NANOS));
        if (Thread.interrupted()) {
          interrupted = true;
          if (!stop(job, new InterruptedException("interrupted while other threads computed"))) {
            pool.interrupt(job); // again: a body may have swallowed the first
          }
        } else if (!job.isStopped()) {
          stopIfCancelled();
          watchLaunchDevices();
        }
        over = isOver();
      }
      if (free) {
        budget.add(1);
      }
      nanos += System.nanoTime() - start;
      if (!over) {
        job.gate.reopen();
      }
      return over;
    }

    /** True once nobody touches the job any more, nor ever will. */
    private boolean isOver() {
      return (job.isStopped() || job.isComplete()) && job.gate.end();
    }

    private boolean mayClaim(Participant self) {
      if (job.isStopped()) {
        return false;
      }
      if (self != null && self.claims()) {
        return self.mayClaim(System.nanoTime());
      }
      fallsBack = fallsBack();
      return fallsBack || job.left.isWaiting();
    }

    /** True if the submitter is to compute what the launch devices were to. */
    private boolean fallsBack() {
      if (job.hasLaunchDevices() || job.isCommitted()) {
        return false;
      }
      boolean coresCan = job.spec.body().runsOnCores();
      if (coresCan && launching.hostFallback()) {
        return true;
      }
      stop(
          job,
          new NoDeviceException(
              "no device is left to compute this batch: "
                  + job.whyNoLaunchDevices()
                  + (coresCan ? FALLBACK_HINT : "")));
      return false;
    }

    private void watchLaunchDevices() {
      long now = System.nanoTime();
      for (LaunchLoop loop : job.workers.loops) {
        loop.watch(now);
      }
    }

    private void stopIfCancelled() {
      try {
        if (job.spec.cancelled().getAsBoolean()) {
          stop(job, new CancellationException("the task was cancelled"));
        }
      } catch (RuntimeException | Error e) {
        stop(job, e);
      }
    }
  }

  /** What a helper does when it is woken: takes part in jobs as long as one needs it. */
  private void help(Helper helper) {
    while (!closed && budget.tryTake()) {
      Job job = neediest();
      boolean joined = job != null && job.gate.join();
      if (!joined) {
        budget.add(-1);
        // Somebody may have seen no idle core because this helper held it for a moment.
        wakeForAny();
        if (job == null) {
          return;
        }
        continue;
      }
      boolean yielded = false;
      try {
        wakeForAny();
        helper.enter(job);
        yielded = help(job);
      } catch (Throwable e) {
        stop(job, e);
      } finally {
        helper.exit();
        if (!yielded) {
          budget.add(-1); // before the submitter goes on and takes its own core back
        }
        job.gate.leave();
        wakeForAny();
      }
    }
  }

  /** A helper's part in a job. Returns true if the core was given back. */
  private boolean help(Job job) {
    int slot = job.slots.enter();
    if (slot < 0) {
      // There are as many slots as devices, and one helper less than that.
      throw new IllegalStateException("a job has more participants than slots");
    }
    Participant self = new Participant(this, job, slot, true, true, null);
    CURRENT.set(self);
    try {
      self.work();
    } finally {
      self.leave();
      setCurrent(null);
    }
    return self.hasYielded();
  }

  private static void setCurrent(Participant participant) {
    if (participant == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(participant);
    }
  }

  /**
   * The job to help, if one is worth joining: of those whose tasks have had the least device time
   * for their weight, give or take a turn, the one with most estimated time left for each
   * participant.
   */
  private Job neediest() {
    double least = Double.POSITIVE_INFINITY;
    for (Job job : jobs.all()) {
      if (job.need() > 0) {
        least = Math.min(least, jobs.charged(job));
      }
    }
    if (least == Double.POSITIVE_INFINITY) {
      return null;
    }
    Job best = null;
    double most = 0;
    for (Job job : jobs.all()) {
      double need = jobs.charged(job) <= least + Participant.TURN_NANOS ? job.need() : 0;
      if (need > most) {
        most = need;
        best = job;
      }
    }
    return best;
  }

  /** True if another task has had less device time than this job's by a turn, and needs help. */
  boolean hasMoreRight(Job job) {
    Job other = neediest();
    return other != null && jobs.charged(other) + Participant.TURN_NANOS < jobs.charged(job);
  }

  /** Rows can be claimed again: whoever waits for some is woken. */
  void rowsHandedBack(Job job) {
    job.gate.wakeSubmitter();
    wakeFor(job);
    for (LaunchLoop loop : job.workers.loops) {
      loop.wake();
    }
  }

  /** The helper threads so far. */
  List<Thread> helpers() {
    return pool.threads();
  }

  List<LaunchLoop> launchLoops() {
    return loops;
  }

  FairQueue<Job> jobs() {
    return jobs;
  }

  /**
   * Wakes a helper if a core is idle and this job has work for it. One volatile read if none is.
   */
  void wakeFor(Job job) {
    if (budget.isIdle() && !pool.isPending() && job.need() > 0) {
      pool.wake();
    }
  }

  private void wakeForAny() {
    if (budget.isIdle() && !pool.isPending() && neediest() != null) {
      pool.wake();
    }
  }

  /** Stops a job; the first to do so, for whom this is true, interrupts the helpers inside. */
  boolean stop(Job job, Throwable reason) {
    boolean first = job.stop(reason);
    if (first) {
      pool.interrupt(job);
    }
    return first;
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
      for (Thread thread : pool.threads()) {
        awaitEnd(thread, deadline);
      }
      for (LaunchLoop loop : loops) {
        awaitEnd(loop.thread(), deadline);
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
      stop(job, closedFailure());
    }
    pool.close();
    loops.forEach(LaunchLoop::close);
  }

  private static CancellationException closedFailure() {
    return new CancellationException("the scheduler was closed");
  }

  /**
   * A launch device finishes what is in flight and takes nothing new until {@link #activate}.
   *
   * @throws IllegalArgumentException if there is no such launch device
   */
  public void drain(String device) {
    loop(device).drain();
  }

  /**
   * A launch device that was drained takes blocks again.
   *
   * @throws IllegalArgumentException if there is no such launch device
   */
  public void activate(String device) {
    loop(device).activate();
  }

  private LaunchLoop loop(String device) {
    StringJoiner names = new StringJoiner(", ");
    for (LaunchLoop loop : loops) {
      if (loop.device().name().equals(device)) {
        return loop;
      }
      names.add(loop.device().name());
    }
    throw new IllegalArgumentException(
        "no launch device " + device + "; there are " + (loops.isEmpty() ? "none" : names));
  }

  Device device(int index) {
    return devices.get(index);
  }

  LoadEntry load(int device) {
    return table.entry(device);
  }

  long targetBlockNanos() {
    return targetBlockNanos;
  }

  CoreBudget budget() {
    return budget;
  }

  DeviceSeats seats() {
    return seats;
  }
}
