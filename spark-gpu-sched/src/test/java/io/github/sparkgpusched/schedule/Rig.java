package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.testing.Patience;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A scheduler with named devices, and threads that act as Spark's task threads. */
final class Rig implements AutoCloseable {
  /** Blocks of this target are never made larger: with {@link #slowRows} they are of one row. */
  private static final long SHORTEST_NANOS = 1;

  private static final String HELPER = "gpusched-host-";

  static final Strategy DEFAULT = Strategies.byName(Strategies.DEFAULT, Strategies.Options.DEFAULT);

  record Core(String name) implements Device {}

  private static final Core[] CORES = new Core[8];

  static {
    Arrays.setAll(CORES, i -> new Core("host:" + i));
  }

  final int cores;
  final LoadTable table;
  final Scheduler scheduler;

  Rig(int cores) {
    this(cores, SHORTEST_NANOS);
  }

  Rig(int cores, long targetNanos) {
    this(cores, targetNanos, DEFAULT);
  }

  Rig(int cores, long targetNanos, Strategy strategy) {
    this(cores, List.of(), targetNanos, strategy, LaunchPolicy.DEFAULT);
  }

  Rig(
      int cores,
      List<? extends LaunchDevice> launchDevices,
      long targetNanos,
      Strategy strategy,
      LaunchPolicy launching) {
    this.cores = cores;
    List<Core> devices = new ArrayList<>();
    List<LoadEntry> entries = new ArrayList<>();
    // No streams: the model checker would look into them.
    for (int i = 0; i < cores; i++) {
      devices.add(CORES[i]);
      entries.add(new LoadEntry(CORES[i].name, 1));
    }
    for (LaunchDevice device : launchDevices) {
      entries.add(new LoadEntry(device.name(), device.spec().depth()));
    }
    this.table = new LoadTable(entries);
    this.scheduler = new Scheduler(devices, launchDevices, table, targetNanos, strategy, launching);
  }

  /** A pacer that knows rows to be so slow that any job is worth sharing; blocks are of one row. */
  static Pace slowRows() {
    return pacer(1, 1e9);
  }

  /** A pacer that knows rows to be so fast that no job is worth sharing. */
  static Pace fastRows() {
    return pacer(16, 1e-6);
  }

  static Pace pacer(double step, double nanosPerCost) {
    Pace pacer = new Pace();
    pacer.learn(step, nanosPerCost);
    return pacer;
  }

  static JobSpec slow(long rows, RangeBody body) {
    return JobSpec.of(rows, body).pace(slowRows()).build();
  }

  /** A body without state of its own: every worker runs this. */
  static RangeBody body(RangeBody.Worker worker) {
    return device -> worker;
  }

  /** Runs on a thread of its own what a task would, between its start and its end. */
  <T> Task<T> task(Callable<T> work) {
    Task<T> task =
        new Task<>(
            () -> {
              scheduler.taskStarted(1);
              try {
                return work.call();
              } finally {
                scheduler.taskEnded(1);
              }
            });
    task.thread.start();
    return task;
  }

  /** Runs one job as a task. */
  Task<JobStats> job(JobSpec spec) {
    return task(() -> scheduler.run(spec));
  }

  static final class Task<T> {
    final CompletableFuture<T> result = new CompletableFuture<>();
    final Thread thread;

    Task(Callable<T> work) {
      thread =
          new Thread(
              () -> {
                try {
                  result.complete(work.call());
                } catch (Throwable e) {
                  result.completeExceptionally(e);
                }
              },
              "task");
      thread.setDaemon(true);
    }

    /** The result, soon. */
    T get() throws Exception {
      return Rig.get(result);
    }

    /** What the work threw, soon. */
    Throwable failure() throws Exception {
      return result
          .handle(
              (value, failure) -> {
                if (failure == null) {
                  throw new AssertionError("expected a failure, got " + value);
                }
                return failure;
              })
          .get(Patience.SECONDS, TimeUnit.SECONDS);
    }
  }

  static <T> T get(Future<T> future) throws Exception {
    return future.get(Patience.SECONDS, TimeUnit.SECONDS);
  }

  /** Computes for about so many nanoseconds. */
  static void spin(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  static boolean onHelper() {
    return Thread.currentThread().getName().startsWith(HELPER);
  }

  /** The live helper threads of this process; tests that ask run with one scheduler at a time. */
  static List<Thread> helpers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(HELPER))
        .toList();
  }

  /** Checks that nothing of any job is left: no seat, no core, no queue. */
  void assertIdle() throws Exception {
    Patience.await("cores given back", () -> scheduler.helpers().budget().busy() == 0);
    for (int device = 0; device < cores; device++) {
      assertEquals(0, scheduler.cores().seats().users(device), "users of device " + device);
    }
    for (DeviceLoad load : table.snapshot()) {
      assertEquals(0, load.queueDepth(), load.toString());
    }
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
