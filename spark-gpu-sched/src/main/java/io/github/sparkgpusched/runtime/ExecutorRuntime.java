package io.github.sparkgpusched.runtime;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.host.HostDevice;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.schedule.BatchChoice;
import io.github.sparkgpusched.schedule.CallPrices;
import io.github.sparkgpusched.schedule.LaunchPolicy;
import io.github.sparkgpusched.schedule.LearnedChoice;
import io.github.sparkgpusched.schedule.RecentlyUsed;
import io.github.sparkgpusched.schedule.Scheduler;
import io.github.sparkgpusched.schedule.Strategies;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleToIntFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an executor has one of: its devices, their load table, and the scheduler that all of its
 * tasks share. The executor plugin starts and closes it; tasks find it through {@link #current()}.
 * Thread-safe.
 */
public final class ExecutorRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorRuntime.class);

  /**
   * Null until started and after closed. Written by the executor plugin's thread, and by the first
   * task without one.
   */
  private static volatile ExecutorRuntime current;

  /**
   * Why this executor has no runtime, although one was asked for; else null. Written by the
   * executor plugin's thread.
   */
  private static volatile String refusal;

  /** Functions that are remembered: of a session that makes new ones all day only the last. */
  private static final int MOST_PACES = 1000;

  private final LoadTable load;

  /** Null if there is none. */
  private final LoadEntry guest;

  private final int cores;
  private final List<CallDevice> launchDevices;
  private final Scheduler scheduler;

  /** By function, the one used least lately first. */
  @GuardedBy("paces")
  private final Map<String, Pace> paces = new RecentlyUsed<>(MOST_PACES);

  /** By functions and plan, the one used least lately first. */
  @GuardedBy("prices")
  private final Map<String, CallPrices> prices = new RecentlyUsed<>(MOST_PACES);

  /** Any thread sets it; tasks read it as they begin. */
  private volatile BatchChoice.Maker batchChoices =
      (setting, known, seed) ->
          new LearnedChoice(
              setting, known, this::coresForAnotherJob, this::otherCores, System::nanoTime, seed);

  /**
   * Cores of other executors, for rows that take so long each. Set once, as the executor starts.
   */
  private volatile DoubleToIntFunction otherCores = rowNanos -> 0;

  /** By name. Immutable: each deals the rows of any number of jobs at once. */
  private final Map<String, Strategy> strategies;

  private final long targetBlockNanos;

  /** Null until {@link #reportTo}. Written once, by the executor plugin's thread. */
  private volatile LoadReporter reporter;

  private ExecutorRuntime(
      int hostDevices,
      List<? extends CallDevice> launchDevices,
      Optional<String> guestDevice,
      long targetBlockMicros,
      Strategies.Options options,
      LaunchPolicy launching) {
    this.launchDevices = List.copyOf(launchDevices);
    List<HostDevice> hosts = new ArrayList<>();
    List<LoadEntry> entries = new ArrayList<>();
    for (int i = 0; i < hostDevices; i++) {
      HostDevice host = new HostDevice(i);
      hosts.add(host);
      entries.add(new LoadEntry(host.name(), 1));
    }
    for (CallDevice device : launchDevices) {
      entries.add(new LoadEntry(device.name(), device.spec().depth(), device.isBorrowed()));
    }
    guest = guestDevice.map(name -> new LoadEntry(name, 1)).orElse(null);
    if (guest != null) {
      entries.add(guest);
    }
    load = new LoadTable(entries);
    cores = hostDevices;
    targetBlockNanos = TimeUnit.MICROSECONDS.toNanos(targetBlockMicros);
    strategies =
        Strategies.names().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Function.identity(), name -> Strategies.byName(name, options)));
    scheduler =
        new Scheduler(
            hosts,
            launchDevices,
            load,
            targetBlockNanos,
            strategies.get(Strategies.DEFAULT),
            launching);
  }

  /**
   * Starts the executor's runtime; the caller closes it.
   *
   * @param launchDevices all but cores; the runtime opens and closes them
   * @param guestDevice name of a device that another plugin owns, and which is only counted here
   * @param options of the strategies that queries may choose
   */
  public static synchronized ExecutorRuntime start(
      int hostDevices,
      List<? extends CallDevice> launchDevices,
      Optional<String> guestDevice,
      long targetBlockMicros,
      Strategies.Options options,
      LaunchPolicy launching) {
    if (current != null) {
      current.close();
    }
    current =
        new ExecutorRuntime(
            hostDevices, launchDevices, guestDevice, targetBlockMicros, options, launching);
    LOG.info(
        "started with {} host devices and {} others, blocks of {} microseconds",
        hostDevices,
        launchDevices.stream().filter(device -> !device.isBorrowed()).count(),
        targetBlockMicros);
    return current;
  }

  /**
   * Says that this executor's runtime cannot be set up: its tasks fail with the reason as soon as
   * they have a batch, and so end their job. (An executor that ended instead would be started again
   * and again, and nobody would be told why.)
   *
   * @param reason what was asked for, what was found, and the key; null to take it back
   */
  public static void refuse(String reason) {
    refusal = reason;
  }

  /**
   * The executor's runtime. Where the SQL extension is on but the executor plugin is not, it is one
   * without helpers: a task computes its own batches, and the log says so once.
   *
   * @throws IllegalStateException if it could not be set up: see {@link #refuse}
   */
  public static ExecutorRuntime current() {
    ExecutorRuntime runtime = current;
    return runtime != null ? runtime : startAlone();
  }

  private static synchronized ExecutorRuntime startAlone() {
    String reason = refusal;
    if (reason != null) {
      throw new IllegalStateException(reason);
    }
    if (current == null) {
      LOG.warn(
          "the executor plugin is not running, so batches are not balanced: set"
              + " spark.plugins=io.github.sparkgpusched.GpuSchedPlugin");
      current =
          new ExecutorRuntime(
              1,
              List.of(),
              Optional.empty(),
              100,
              Strategies.Options.DEFAULT,
              LaunchPolicy.DEFAULT);
    }
    return current;
  }

  /**
   * What earlier tasks of this executor have learned about a function, to go on from; kept for the
   * functions used last.
   *
   * @param function what names the functions that are computed together
   */
  public Pace pace(String function) {
    synchronized (paces) {
      return paces.computeIfAbsent(function, name -> new Pace());
    }
  }

  /**
   * Who decides for a task which of its rows are batched, beginning with what earlier tasks of this
   * executor have learned of the same calls in the same plan.
   *
   * @param calls what names the plan and its functions
   * @param seed of what is drawn by chance
   */
  public BatchChoice batchChoice(String calls, LearnedChoice.Setting setting, long seed) {
    CallPrices known;
    synchronized (prices) {
      known = prices.computeIfAbsent(calls, name -> new CallPrices());
    }
    return batchChoices.make(setting, known, seed);
  }

  /** Who makes the choices of tasks. */
  public BatchChoice.Maker batchChoices() {
    return batchChoices;
  }

  /** Has others decide, of the tasks that begin from now on: tests do that by chance. */
  public void setBatchChoices(BatchChoice.Maker maker) {
    batchChoices = maker;
  }

  /**
   * How a query has its rows dealt.
   *
   * @param name one of {@link Strategies#names}
   */
  public Strategy strategy(String name) {
    return strategies.get(name);
  }

  /**
   * Has this executor's load reported to the driver, until this is closed.
   *
   * @param intervalMillis least time between two reports
   */
  public void reportTo(String executorId, long intervalMillis, LoadSink sink) {
    LoadReporter started = new LoadReporter(executorId, load, intervalMillis, sink);
    reporter = started;
    started.start();
  }

  /** A task has started on this executor, on the calling thread or another. */
  public void taskStarted(int cores) {
    scheduler.taskStarted(cores);
    guestStarted();
  }

  /** Rows of another executor's task may be computed here from now on: load is to be reported. */
  public void guestStarted() {
    LoadReporter to = reporter;
    if (to != null) {
      to.taskStarted();
    }
  }

  /** A task that had started has ended, well or not. */
  public void taskEnded(int cores) {
    scheduler.taskEnded(cores);
    guestEnded();
  }

  /** None are any more, for one {@link #guestStarted}. */
  public void guestEnded() {
    LoadReporter to = reporter;
    if (to != null) {
      to.taskEnded();
    }
  }

  private int coresForAnotherJob() {
    return scheduler.coresForAnotherJob();
  }

  private int otherCores(double rowNanos) {
    return otherCores.applyAsInt(rowNanos);
  }

  /**
   * Other executors lend this one cores.
   *
   * @param others how many there are for rows that take so many nanoseconds each
   */
  public void borrowFrom(DoubleToIntFunction others) {
    otherCores = others;
  }

  /** How long a device should compute one block, in nanoseconds. */
  public long targetBlockNanos() {
    return targetBlockNanos;
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  /** How many of the devices, the first of them, are the host's cores. */
  public int cores() {
    return cores;
  }

  /** All devices but cores. */
  public List<CallDevice> launchDevices() {
    return launchDevices;
  }

  public LoadTable load() {
    return load;
  }

  /** The counters of a device that another plugin owns; null if there is none. */
  LoadEntry guest() {
    return guest;
  }

  @Override
  public void close() {
    synchronized (ExecutorRuntime.class) {
      if (current == this) {
        current = null;
      }
    }
    // First: a cluster manager that ends the executor may not wait for its threads.
    LOG.info("load of this executor's devices: {}", load);
    scheduler.close();
    if (reporter != null) {
      reporter.close();
    }
  }
}
