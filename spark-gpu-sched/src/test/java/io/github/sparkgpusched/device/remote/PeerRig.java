package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.device.host.HostCall;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.schedule.Device;
import io.github.sparkgpusched.schedule.JobSpec;
import io.github.sparkgpusched.schedule.JobStats;
import io.github.sparkgpusched.schedule.LaunchDevice;
import io.github.sparkgpusched.schedule.LaunchPolicy;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.Placements;
import io.github.sparkgpusched.schedule.RangeBody;
import io.github.sparkgpusched.schedule.Scheduler;
import io.github.sparkgpusched.schedule.Strategies;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.UnifiedMemoryManager;

/** An executor of two cores that shares rows with others, as far as that takes no Spark. */
final class PeerRig implements AutoCloseable {
  static final int CORES = 2;
  private static final int BORROWED = 3;

  /** Its seconds are a quarter of one: who is silent for 20 of them is left after five. */
  private static final int HASTE = 4;

  private static final long TASK = 1;

  private record Core(String name) implements Device {}

  private final UnifiedMemoryManager memory =
      UnifiedMemoryManager.apply(new SparkConf(false), CORES);
  private final RemoteExecutors remote;
  private final Scheduler scheduler;
  private final LoadTable load;
  private final int firstBorrowed;
  private final Pace pace = new Pace();

  PeerRig(String id, Loopback network, Matchmaker matchmaker, CallDevice... devices) {
    this(
        Strategies.byName(Strategies.DEFAULT, Strategies.Options.DEFAULT),
        id,
        network,
        matchmaker,
        devices);
  }

  private static Driver driver(Matchmaker matchmaker) {
    return question -> matchmaker.answer(question, System.nanoTime() * HASTE);
  }

  /**
   * @param driver whom it asks
   */
  PeerRig(String id, Loopback network, Driver driver) {
    this(Strategies.byName(Strategies.DEFAULT, Strategies.Options.DEFAULT), id, network, driver);
  }

  /**
   * @param strategy how its jobs are dealt, and blocks of others among its devices
   */
  PeerRig(
      Strategy strategy,
      String id,
      Loopback network,
      Matchmaker matchmaker,
      CallDevice... devices) {
    this(strategy, id, network, driver(matchmaker), devices);
  }

  private PeerRig(
      Strategy strategy, String id, Loopback network, Driver driver, CallDevice... devices) {
    remote =
        new RemoteExecutors(
            id,
            "here",
            driver,
            network.join(),
            new BorrowLimits(BORROWED, 64 << 10),
            () -> System.nanoTime() * HASTE);
    List<Core> cores = new ArrayList<>();
    List<LoadEntry> entries = new ArrayList<>();
    for (int i = 0; i < CORES; i++) {
      cores.add(new Core("host:" + i));
      entries.add(new LoadEntry("host:" + i, 1));
    }
    List<CallDevice> all = new ArrayList<>(List.of(devices));
    all.addAll(remote.devices());
    all.forEach(d -> entries.add(new LoadEntry(d.name(), d.spec().depth())));
    load = new LoadTable(entries);
    scheduler =
        new Scheduler(
            cores,
            all,
            load,
            100_000,
            strategy,
            new LaunchPolicy(
                Placements.byName("roundrobin", PeerRig.class.getClassLoader()),
                true,
                true,
                Patience.NANOS));
    firstBorrowed = CORES + devices.length;
    pace.learn(1, 10_000);
    remote.begin(
        new Home(
            scheduler, load, memory, 0.5, CORES, List.of(devices), 100_000, () -> {}, () -> {}));
  }

  void taskStarted(int cores) {
    scheduler.taskStarted(cores);
    remote.taskStarted();
  }

  void taskEnded(int cores) {
    scheduler.taskEnded(cores);
    remote.taskEnded();
  }

  /** Cores that nobody uses. */
  int idleCores() {
    return scheduler.idleCores();
  }

  /** A task takes all memory that Spark gives it; returns which part of all memory that is. */
  double takeMemory() {
    long all = memory.maxOnHeapStorageMemory() + memory.onHeapExecutionMemoryUsed();
    long taken =
        memory.acquireExecutionMemory(Long.MAX_VALUE / 4, TASK, memory.tungstenMemoryMode());
    return (double) taken / all;
  }

  /** Memory that lanes have, while no task has any. */
  long guestBytes() {
    return memory.executionMemoryUsed();
  }

  /** It needs so many bytes less. */
  void giveMemoryBack(long bytes) {
    memory.releaseExecutionMemory(bytes, TASK, memory.tungstenMemoryMode());
  }

  /** It ends. */
  void giveMemoryBack() {
    memory.releaseAllExecutionMemoryForTask(TASK);
  }

  /** Computes a batch, and says how many of its rows others have computed. */
  long compute(Batch batch) throws Exception {
    CallOnDevice begun = batch.begin();
    RangeBody body =
        new RangeBody() {
          @Override
          public Worker open(Device device) {
            HostCall call = batch.beside(begun);
            return (from, until) -> call.run((int) from, (int) until);
          }

          @Override
          public boolean runsOn(LaunchDevice device) {
            return ((CallDevice) device).whyNot(begun.call(), begun.udf()).isEmpty();
          }

          @Override
          public Launcher launcher(LaunchDevice device) throws Exception {
            return ((CallDevice) device).launcher(List.of(batch.onceMore(begun)), null);
          }
        };
    JobStats stats =
        scheduler.run(
            JobSpec.of(batch.rows(), body).pace(pace).bytesPerRow(100).mayRunTwice(true).build());
    long rows = 0;
    for (int device = firstBorrowed; device < firstBorrowed + BORROWED; device++) {
      rows += stats.rows(device);
    }
    return rows;
  }

  /** Whether others may compute a call. */
  boolean maySend(Batch batch) {
    return remote.devices().get(0).whyNot(batch.call(), batch.udf()).isEmpty();
  }

  /** Rows of others that its device of an index has computed. */
  long lentRows(int device) {
    Long rows = load.snapshot().get(device).lentRows();
    return rows == null ? 0 : rows;
  }

  /** Waits until nobody computes here for anybody, and nothing is held. */
  void awaitIdle() {
    await("cores", () -> scheduler.idleCores() == CORES);
    await("memory of guests", () -> memory.executionMemoryUsed() == 0);
  }

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Patience.NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not given back: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Waits until no thread of this process lends a core. */
  static void awaitNoGuests() {
    await(
        "threads of guests",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("gpusched-guest-")));
  }

  @Override
  public void close() {
    remote.close();
    scheduler.close();
    await("lanes", () -> memory.executionMemoryUsed() == 0);
  }
}
