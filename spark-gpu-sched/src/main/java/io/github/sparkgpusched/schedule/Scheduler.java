package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.schedule.strategy.Strategies;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
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

  /** The calling thread's innermost part in a job: a function may itself call {@link #run}. */
  private static final ThreadLocal<Participant> CURRENT = new ThreadLocal<>();

  private final List<Device> devices;
  private final LoadTable table;
  private final long targetBlockNanos;
  private final Strategy strategy;
  private final List<WorkerSpec> workers;
  private final CoreBudget budget;
  private final DeviceSeats seats;
  private final HelperPool pool;

  /** Jobs that helpers may join. Added and removed by their submitters. */
  private final CopyOnWriteArrayList<Job> jobs = new CopyOnWriteArrayList<>();

  /** False to true, once, in {@link #close}. */
  private volatile boolean closed;

  /**
   * A scheduler without threads; they are made when first needed.
   *
   * @param devices one for each core of the executor, at least one
   * @param table an entry for each device, in the same order
   * @param targetBlockNanos about how long a block is to take, in nanoseconds, above 0
   */
  public Scheduler(List<? extends Device> devices, LoadTable table, long targetBlockNanos) {
    this(
        devices,
        table,
        targetBlockNanos,
        Strategies.byName(Strategies.DEFAULT, Strategies.Options.DEFAULT));
  }

  /** A scheduler whose jobs deal their rows by this strategy. */
  public Scheduler(
      List<? extends Device> devices, LoadTable table, long targetBlockNanos, Strategy strategy) {
    this.strategy = strategy;
    this.workers = List.copyOf(Collections.nCopies(devices.size(), WorkerSpec.host()));
    this.devices = List.copyOf(devices);
    this.table = table;
    this.targetBlockNanos = targetBlockNanos;
    if (devices.isEmpty() || table.size() != devices.size()) {
      throw new IllegalArgumentException(
          "a scheduler needs devices and a load entry for each, not "
              + devices.size()
              + " devices and "
              + table.size()
              + " entries");
    }
    if (targetBlockNanos <= 0) {
      throw new IllegalArgumentException(
          "a block must take more than 0 nanoseconds, not " + targetBlockNanos);
    }
    this.budget = new CoreBudget(devices.size());
    this.seats = new DeviceSeats(devices.size());
    this.pool = new HelperPool(devices.size() - 1, this::help);
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
    Job job =
        new Job(
            spec,
            strategy,
            workers,
            targetBlockNanos,
            Thread.currentThread(),
            (double) WORTH_SHARING_BLOCKS * targetBlockNanos);
    Participant outer = CURRENT.get();
    Participant self = new Participant(this, job, WorkerSlots.SUBMITTER, false, outer);
    Wait wait = new Wait(job);
    CURRENT.set(self);
    try {
      jobs.add(job);
      if (closed) {
        stop(job, closedFailure()); // close() may have looked at the jobs before this one was there
      }
      wakeFor(job);
      do {
        self.work();
        wait.untilAlone();
      } while (reopen(job));
    } finally {
      jobs.remove(job);
      self.leave();
      setCurrent(outer);
    }
    return result(job, wait);
  }

  /**
   * Ends a round: false if the job is over. It goes on while a helper is inside, and if rows were
   * left behind.
   */
  private static boolean reopen(Job job) {
    if (job.gate.isLeft() && (job.isStopped() || job.dealer.rowsLeft() == 0)) {
      return false;
    }
    job.gate.reopen();
    return true;
  }

  private static JobStats result(Job job, Wait wait) throws Exception {
    Throwable failure = job.failure();
    if (failure == null) {
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

    Wait(Job job) {
      this.job = job;
    }

    /**
     * Closes the job's gate and waits until no helper is inside, or there are rows to claim again.
     * Throws nothing.
     */
    void untilAlone() {
      if (job.gate.close()) {
        return;
      }
      long start = System.nanoTime();
      budget.add(-1);
      wakeForAny();
      // The flag is cleared as it is seen: while it is set no wait would wait.
      while (!job.gate.awaitEmpty(CANCEL_POLL_NANOS)) {
        if (Thread.interrupted()) {
          interrupted = true;
          if (!stop(job, new InterruptedException("interrupted while other threads computed"))) {
            pool.interrupt(job); // again: a body may have swallowed the first
          }
        } else if (hasRows()) {
          break; // a helper has handed rows back
        } else if (!job.isStopped()) {
          stopIfCancelled();
        }
      }
      budget.add(1);
      nanos += System.nanoTime() - start;
    }

    private boolean hasRows() {
      return !job.isStopped() && job.dealer.rowsLeft() > 0;
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
        yielded = takePart(job);
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

  /** Returns true if the core was given back. */
  private boolean takePart(Job job) {
    int slot = job.slots.enter();
    if (slot < 0) {
      // There are as many slots as devices, and one helper less than that.
      throw new IllegalStateException("a job has more participants than slots");
    }
    Participant self = new Participant(this, job, slot, true, null);
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

  /** The job with most estimated time left for each participant, if one is worth joining. */
  private Job neediest() {
    Job best = null;
    double most = 0;
    for (Job job : jobs) {
      double need = job.need();
      if (need > most) {
        most = need;
        best = job;
      }
    }
    return best;
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
    pool.awaitEnd();
  }

  /** Does what {@link #close} does, and waits for nobody. */
  void stopAll() {
    closed = true;
    for (Job job : jobs) {
      stop(job, closedFailure());
    }
    pool.close();
  }

  private static CancellationException closedFailure() {
    return new CancellationException("the scheduler was closed");
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
