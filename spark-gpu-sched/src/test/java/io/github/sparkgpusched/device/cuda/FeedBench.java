package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.schedule.Stages.stage;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.schedule.Device;
import io.github.sparkgpusched.schedule.JobSpec;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.schedule.LaunchDevice;
import io.github.sparkgpusched.schedule.LaunchPolicy;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.RangeBody;
import io.github.sparkgpusched.schedule.Scheduler;
import io.github.sparkgpusched.schedule.Strategies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.spark.unsafe.Platform;

/**
 * The road to a GPU alone: what our own code does for a batch, on the double of the driver in its
 * null mode, in which kernels and copies take no time, or a stated one. It says nothing of GPUs.
 *
 * <p>Usage: {@code FeedBench OUT_FILE [quick] [small]}, small for the last line alone, with the
 * double on {@code LD_LIBRARY_PATH} and {@code CUDA_DOUBLE_NULL=1}. Writes CSV.
 */
final class FeedBench {
  private static final int BATCH_ROWS = 16_384;
  private static final int SMALL_ROWS = 256;
  private static final int TASKS = 2;

  /** Of tasks that have few rows each. */
  private static final int FEW_ROWS = 2_048;

  private static final int MANY_TASKS = 8;

  /** Turnarounds that are kept, of a round. */
  private static final int MOST = 100_000;

  private static final String TASK_NAME = "feed-task";

  private final int rounds;
  private final long roundNanos;
  private final StringBuilder csv = new StringBuilder(Line.HEADER);

  private FeedBench(boolean quick) {
    rounds = quick ? 1 : 7;
    roundNanos = TimeUnit.MILLISECONDS.toNanos(quick ? 50 : 400);
  }

  /**
   * What was measured in one round.
   *
   * @param turnaroundNanos from a job's submission to its end, the median; 0 where there are no
   *     jobs
   */
  private record Round(long batches, long nanos, double turnaroundNanos, FeedFigures figures) {}

  /**
   * A line of the table: medians of rounds; figures with "Batch" are of one batch.
   *
   * @param part {@code owner}; {@code tasks}; {@code alone} or {@code shared} of many tasks with
   *     few rows each, whose blocks each go alone, or may share launches; or {@code small}
   */
  private record Line(FeedCase what, String part, int rows, List<Round> all) {
    static final String HEADER =
        "case,part,rows,rowsPerSecond,microsPerBatch,callsPerBatch,callMicrosPerBatch,"
            + "launchesPerBatch,bytesToDevice,bytesFromDevice,ownerMicrosPerBatch,taskMicrosPerBatch,"
            + "turnaroundMicros\n";

    private interface Figure {
      double of(Round round);
    }

    private double median(Figure figure) {
      double[] values = all.stream().mapToDouble(figure::of).sorted().toArray();
      return values[values.length / 2];
    }

    private double each(Figure figure) {
      return median(round -> figure.of(round) / round.batches());
    }

    String csv() {
      return String.format(
          Locale.ROOT,
          "%s,%s,%d,%.0f,%.2f,%.2f,%.2f,%.2f,%.0f,%.0f,%.2f,%.2f,%.2f%n",
          what.title.replace(",", ";"),
          part,
          rows,
          median(r -> 1e9 * r.batches() * rows / r.nanos()),
          each(r -> r.nanos() / 1e3),
          each(r -> r.figures().calls()),
          each(r -> r.figures().callNanos() / 1e3),
          each(r -> r.figures().launches()),
          each(r -> r.figures().bytesToDevice()),
          each(r -> r.figures().bytesFromDevice()),
          each(r -> r.figures().ownerNanos() / 1e3),
          each(r -> r.figures().taskNanos() / 1e3),
          median(r -> r.turnaroundNanos() / 1e3));
    }
  }

  public static void main(String[] arguments) throws Exception {
    List<String> options = List.of(arguments).subList(1, arguments.length);
    FeedBench bench = new FeedBench(options.contains("quick"));
    for (FeedCase what : options.contains("small") ? new FeedCase[0] : FeedCase.values()) {
      bench.add(bench.owner(what));
      bench.add(bench.tasks(what, "tasks", TASKS, BATCH_ROWS));
      if (what == FeedCase.ONE) {
        bench.add(bench.tasks(what, "alone", MANY_TASKS, FEW_ROWS));
        bench.add(bench.tasks(what, "shared", MANY_TASKS, FEW_ROWS));
      }
    }
    bench.add(bench.tasks(FeedCase.ONE, "small", 1, SMALL_ROWS));
    Files.writeString(Path.of(arguments[0]), bench.csv);
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private void add(Line line) {
    System.out.print(line.csv());
    csv.append(line.csv());
  }

  private static CudaDevice device() {
    return CudaDevices.find(Gpu.settings(null, BlockSettings.DEFAULT)).get(0);
  }

  /** An owner alone: columns that are filled, blocks staged, launched and published at once. */
  private Line owner(FeedCase what) throws Exception {
    CudaDevice device = device();
    device.open();
    Batch.lieIn(device.slabs());
    List<Round> all = new ArrayList<>();
    try (Batch batch = what.batch(BATCH_ROWS);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      String name = Thread.currentThread().getName();
      for (int i = -1; i < rounds; i++) {
        FeedFigures before = FeedFigures.now(name);
        long begin = System.nanoTime();
        long batches = 0;
        while (System.nanoTime() - begin < roundNanos) {
          batches += feed(device, launcher, 64);
        }
        long nanos = System.nanoTime() - begin;
        FeedFigures figures = FeedFigures.now(name).since(before);
        if (i >= 0) { // the first is for the JIT compiler
          all.add(new Round(batches, nanos, 0, figures));
        }
      }
    }
    device.close();
    return new Line(what, "owner", BATCH_ROWS, all);
  }

  /** So many blocks, as many in flight as a device's owner keeps there. */
  private static int feed(CudaDevice device, CudaLauncher launcher, int blocks) throws Exception {
    ArrayDeque<Launch> flight = new ArrayDeque<>();
    for (int launched = 0; launched < blocks || !flight.isEmpty(); ) {
      while (launched < blocks && flight.size() < device.spec().depth()) {
        Launch launch = stage(launcher, 0, BATCH_ROWS);
        launch.start();
        flight.add(launch);
        launched++;
      }
      try (Launch oldest = flight.remove()) {
        while (!oldest.isDone()) {
          Thread.onSpinWait();
        }
        oldest.computeNanos();
        oldest.publish(0, BATCH_ROWS, (from, until) -> leaves(from, until));
        oldest.transfers();
      }
    }
    return blocks;
  }

  private static void leaves(long from, long until) {
    throw new AssertionError("rows " + from + " to " + until + " are left");
  }

  /** Tasks that copy their rows into batches, and have the scheduler compute them. */
  private Line tasks(FeedCase what, String part, int tasks, int rows) throws Exception {
    CudaDevice device = device();
    Device core = () -> "host:0";
    LoadTable table =
        new LoadTable(List.of(new LoadEntry("host:0", 1), new LoadEntry(device.name(), 2)));
    List<Round> all = new ArrayList<>();
    try (Scheduler scheduler =
        new Scheduler(
            List.of(core),
            List.of(device),
            table,
            TimeUnit.MICROSECONDS.toNanos(100),
            Strategies.byName(Strategies.DEFAULT, Strategies.Options.DEFAULT),
            new LaunchPolicy(
                LaunchPolicy.DEFAULT.placement(), false, false, TimeUnit.MINUTES.toNanos(1)))) {
      Batch.lieIn(device.slabs());
      List<Task> fed = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        fed.add(new Task(scheduler, what.batch(rows), rows, !part.equals("alone")));
      }
      for (int i = -1; i < rounds; i++) {
        long end = System.nanoTime() + roundNanos;
        FeedFigures before = FeedFigures.now(TASK_NAME);
        long begin = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        fed.forEach(task -> threads.add(new Thread(() -> task.run(end), TASK_NAME)));
        threads.forEach(Thread::start);
        while (System.nanoTime() < end) {
          Thread.sleep(1);
        }
        // While the tasks' threads live, as their time goes with them.
        FeedFigures figures = FeedFigures.now(TASK_NAME).since(before);
        for (Thread thread : threads) {
          thread.join();
        }
        long nanos = System.nanoTime() - begin;
        long batches = fed.stream().mapToLong(task -> task.batches).sum();
        if (fed.stream().anyMatch(task -> task.failure != null)) {
          throw new IllegalStateException(fed.get(0).failure);
        }
        if (i >= 0) {
          all.add(new Round(Math.max(1, batches), nanos, turnaround(fed), figures));
        }
      }
      fed.forEach(task -> task.batch.close());
    }
    return new Line(what, part, rows, all);
  }

  private static double turnaround(List<Task> tasks) {
    return tasks.stream()
        .flatMapToLong(
            task -> Arrays.stream(task.turnarounds, 0, (int) Math.min(task.batches, MOST)))
        .sorted()
        .skip(tasks.stream().mapToLong(task -> Math.min(task.batches, MOST)).sum() / 2)
        .findFirst()
        .orElse(0);
  }

  /** One task: fills a batch, and has it computed, again and again. */
  private static final class Task {
    final Scheduler scheduler;
    final Batch batch;
    final int rows;
    final CallOnDevice call;
    final boolean shares;
    final long source;
    final long[] turnarounds = new long[MOST];
    long batches;
    Exception failure;

    Task(Scheduler scheduler, Batch batch, int rows, boolean shares) {
      this.shares = shares;
      this.scheduler = scheduler;
      this.batch = batch;
      this.rows = rows;
      this.call = batch.begin();
      long bytes = Arrays.stream(call.columns().all()).mapToLong(this::bytes).sum();
      source = Platform.allocateMemory(bytes);
      long at = source;
      for (BatchColumn column : call.columns().all()) {
        Platform.copyMemory(null, column.valueAddress(0), null, at, bytes(column));
        at += bytes(column);
      }
    }

    /** As a task begins each batch: with room in all columns. */
    private void begin() throws BatchMemory.Refused {
      call.columns().result().reserve(rows);
      call.columns().begin(rows);
    }

    private long bytes(BatchColumn column) {
      return (long) rows * column.type().width();
    }

    void run(long end) {
      batches = 0;
      RangeBody body = new Body(call, shares);
      try {
        while (System.nanoTime() < end) {
          long at = source;
          for (BatchColumn column : call.columns().all()) {
            Platform.copyMemory(null, at, null, column.valueAddress(0), bytes(column));
            at += bytes(column);
          }
          begin();
          long begin = System.nanoTime();
          scheduler.run(JobSpec.of(rows, body).build());
          batch.end();
          turnarounds[(int) (batches++ % MOST)] = System.nanoTime() - begin;
        }
      } catch (Exception e) {
        failure = e;
      }
    }
  }

  /** A task's rows; whether they may share launches with others'. */
  private record Body(CallOnDevice call, boolean shares) implements RangeBody {
    @Override
    public Worker open(Device device) {
      return (from, until) -> leaves(from, until);
    }

    @Override
    public boolean runsOn(LaunchDevice device) {
      return ((CudaDevice) device).whyNot(call.call(), call.udf()).isEmpty();
    }

    @Override
    public Object kernels(LaunchDevice device) {
      return shares ? ((CudaDevice) device).kernels(List.of(call)) : null;
    }

    @Override
    public Launcher launcher(LaunchDevice device) throws Exception {
      return ((CudaDevice) device).launcher(List.of(call), null);
    }
  }
}
