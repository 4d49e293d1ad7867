package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.api.CostHint;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.GpuUdfException;
import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.device.host.HostCall;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.runtime.TaskLoad;
import io.github.sparkgpusched.schedule.Account;
import io.github.sparkgpusched.schedule.Device;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.JobSpec;
import io.github.sparkgpusched.schedule.JobStats;
import io.github.sparkgpusched.schedule.LaunchDevice;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.NoDeviceException;
import io.github.sparkgpusched.schedule.RangeBody;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.sql.plan.CudaTextUdf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskKilledException;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;

/**
 * The calls of a batched node in one task: their columns, each thread's copies of their UDFs, and
 * the job that computes a batch. The task thread owns it; the threads that help with a job see it
 * through {@link #open}.
 */
final class TaskCalls implements RangeBody {
  /** Rows between two looks at the clock: few enough that dear rows do not hide in them. */
  private static final int MAX_PIECE_ROWS = 256;

  /** A block is computed in about so many pieces or more, if it has the rows. */
  private static final int MIN_PIECES = 4;

  /** A block that has taken this many times what it should is handed back. */
  private static final int HAND_BACK_BLOCKS = 4;

  private final BatchSpec spec;
  private final TaskContext task;
  private final BatchMemory memory;
  private final InputColumns inputs;
  private final List<CallColumns> columns = new ArrayList<>();
  private final List<BatchColumn> results = new ArrayList<>();
  private final ExecutorRuntime runtime = ExecutorRuntime.current();

  /** What the devices count for this task; null if nobody wants to know. */
  private final TaskWork work;

  /** What the accumulators get. */
  private final TaskLoad load;

  private final Pace pace;
  private final Account account;
  private final PlacementHints hints;
  private final boolean mayRunTwice;
  private final long pieceNanos = runtime.targetBlockNanos();
  private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
  private final Thread taskThread = Thread.currentThread();

  /** Each thread's calls. A thread adds and uses only its own. */
  private final Map<Thread, ThreadCalls> threads = new ConcurrentHashMap<>();

  /** Why a launch device cannot compute the calls, each reason once. Task thread only. */
  private final Set<String> unsupported = new TreeSet<>();

  /** Number of the current batch. Written by the task thread between jobs. */
  private long batch;

  TaskCalls(BatchSpec spec, TaskContext task, BatchMemory memory, InputColumns inputs) {
    this.spec = spec;
    this.task = task;
    this.memory = memory;
    this.inputs = inputs;
    this.work = startWork();
    this.load = new TaskLoad(runtime, SparkEnv.get().executorId(), spec.load());
    task.addTaskCompletionListener(
        context -> {
          load.flush();
          if (work != null) {
            runtime.load().endTask(work, context.isFailed());
          }
        });
    for (CallSpec call : spec.calls()) {
      BatchColumn[] arguments = new BatchColumn[call.arguments().size()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = inputs.column(call.arguments().get(i));
      }
      BatchColumn guard = call.guard() < 0 ? null : inputs.column(call.guard());
      BatchColumn result =
          new BatchColumn(
              ColumnType.ofResult(call.call().resultType()).orElseThrow(),
              call.call().resultType(),
              memory);
      columns.add(new CallColumns(arguments, guard, result, call.takesNulls()));
      results.add(result);
    }
    PlacementHints most = spec.calls().get(0).hints();
    for (CallSpec call : spec.calls()) {
      most = most.and(call.hints());
    }
    this.hints = most;
    this.mayRunTwice = spec.calls().stream().allMatch(CallSpec::mayRunTwice);
    this.account = new Account(spec.weight() * Math.scalb(1.0, hints.priority()));
    this.pace = runtime.pace(spec.functions());
  }

  private TaskWork startWork() {
    if (!spec.surfaced()) {
      return null;
    }
    String udfs =
        spec.calls().stream()
            .map(c -> c.call().name())
            .distinct()
            .collect(Collectors.joining(", "));
    return runtime
        .load()
        .task(udfs, task.stageId(), task.stageAttemptNumber(), task.taskAttemptId());
  }

  @Override
  public TaskWork work() {
    return work;
  }

  /** One result column a call. */
  List<BatchColumn> results() {
    return results;
  }

  int resultBytesPerRow() {
    return results.stream().mapToInt(BatchColumn::bytesPerRow).sum();
  }

  void reserve(int rows) throws BatchMemory.Refused {
    for (BatchColumn result : results) {
      result.reserve(rows);
    }
  }

  /** Bytes of execution memory that the task has if all others take as much. */
  long shareOfMemory() {
    MemoryManager manager = SparkEnv.get().memoryManager();
    long all =
        manager.tungstenMemoryMode() == MemoryMode.ON_HEAP
            ? manager.maxOnHeapStorageMemory()
            : manager.maxOffHeapStorageMemory();
    return all / runtime.load().size();
  }

  /** Forgets the results, and gives their memory back. Task thread only, between jobs. */
  void releaseResults() {
    threads.values().forEach(thread -> thread.calls.forEach(HostCall::releaseResults));
  }

  /** The same, and the columns too. */
  void release() {
    releaseResults();
    results.forEach(BatchColumn::release);
  }

  /**
   * Computes all calls for the rows of a batch whose input columns are filled.
   *
   * @return false if the next batch should be smaller
   */
  boolean compute(int rows) {
    batch++;
    columns.forEach(call -> call.begin(rows));
    JobStats job;
    try {
      job =
          runtime
              .scheduler()
              .run(
                  new JobSpec(
                      rows,
                      this,
                      costs(rows),
                      task::isInterrupted,
                      pace,
                      account,
                      hints,
                      mayRunTwice,
                      new Repeats(spec.plan(), task.partitionId(), batch),
                      inputs.sampledBytesPerRow(rows) + resultBytesPerRow()));
    } catch (CancellationException e) {
      task.killTaskIfInterrupted();
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      task.killTaskIfInterrupted();
      throw new TaskKilledException("interrupted while waiting for devices");
    } catch (NoDeviceException e) {
      throw runsOnCores() ? e : noDevice(e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    spec.metrics().add(job, runtime.cores());
    load.add(job);
    return memory.settle();
  }

  /** A batch that comes again if its query does: of the same partition, and the same in order. */
  private record Repeats(int plan, int partition, long batch) {}

  private RangeCosts costs(int rows) {
    ThreadCalls mine = ofThisThread();
    if (mine.hints.stream().allMatch(Optional::isEmpty)) {
      return RangeCosts.UNIFORM;
    }
    double[] prefix = new double[rows + 1];
    for (int row = 0; row < rows; row++) {
      double cost = 0;
      for (int i = 0; i < columns.size(); i++) {
        if (!columns.get(i).skips(row)) {
          cost += cost(mine, i, row);
        }
      }
      prefix[row + 1] = prefix[row] + cost;
    }
    return prefix[rows] > 0 ? new PrefixCosts(prefix) : RangeCosts.UNIFORM;
  }

  private double cost(ThreadCalls mine, int call, int row) {
    Optional<CostHint> hint = mine.hints.get(call);
    if (hint.isEmpty()) {
      return 1;
    }
    double cost;
    try {
      cost = hint.get().cost(columns.get(call).arguments(), row);
    } catch (RuntimeException e) {
      throw mine.calls.get(call).costHintFailed(row, e);
    }
    return cost >= 0 && cost < Double.POSITIVE_INFINITY ? cost : 1;
  }

  private ThreadCalls ofThisThread() {
    return threads.computeIfAbsent(Thread.currentThread(), thread -> new ThreadCalls());
  }

  @Override
  public Worker open(Device device) {
    // First: Spark's converters are made for the session that the thread's task belongs to.
    Visit visit = new Visit();
    try {
      ThreadCalls mine = ofThisThread();
      mine.enter(visit);
      return mine;
    } catch (RuntimeException | Error e) {
      visit.end();
      throw e;
    }
  }

  /** Calls of CUDA texts are in nodes of their own, and have no form for cores. */
  @Override
  public boolean runsOnCores() {
    return ofThisThread().udfs.stream().noneMatch(CudaTextUdf.class::isInstance);
  }

  private GpuUdfException noDevice(NoDeviceException e) {
    StringJoiner why = new StringJoiner("; ");
    unsupported.forEach(why::add);
    why.add(e.getMessage());
    return new GpuUdfException(
        "'"
            + spec.calls().stream()
                .map(c -> c.call().name())
                .distinct()
                .collect(Collectors.joining("', '"))
            + "' runs in this query by its CUDA function, which cores cannot compute: "
            + why
            + (unsupported.isEmpty()
                ? ". Run the query again: it is planned anew, without GPUs if none is left"
                : ""),
        e);
  }

  /** Compiles kernels the first time, which may take a second. */
  @Override
  public boolean runsOn(LaunchDevice device) {
    CallDevice computes = (CallDevice) device;
    ThreadCalls mine = ofThisThread();
    long begin = System.nanoTime();
    try {
      for (int i = 0; i < columns.size(); i++) {
        Optional<String> why = computes.whyNot(spec.calls().get(i).call(), mine.udfs.get(i));
        if (why.isPresent()) {
          unsupported.add(why.get());
          return false;
        }
      }
      return true;
    } finally {
      spec.metrics().compileTime().add(System.nanoTime() - begin);
    }
  }

  @Override
  public Launcher launcher(LaunchDevice device) throws DeviceFailedException, JobRefusedException {
    ThreadCalls mine = asGuest(this::ofThisThread);
    List<CallOnDevice> calls = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      HostCall host = mine.calls.get(i);
      host.beginBatch(batch);
      calls.add(
          new CallOnDevice(
              spec.calls().get(i).call(), mine.udfs.get(i), columns.get(i), host.results()));
    }
    return ((CallDevice) device).launcher(calls);
  }

  private <T> T asGuest(Supplier<T> work) {
    Visit visit = new Visit();
    try {
      return work.get();
    } finally {
      visit.end();
    }
  }

  /** A thread's stay at the task: a UDF sees the task that it works for, on whichever thread. */
  private final class Visit {
    private final boolean helps = Thread.currentThread() != taskThread;
    private final ClassLoader loaderBefore = Thread.currentThread().getContextClassLoader();
    private final TaskContext contextBefore = TaskContext.get();

    Visit() {
      if (helps) {
        Thread.currentThread().setContextClassLoader(loader);
        TaskContext$.MODULE$.setTaskContext(task);
      }
    }

    void end() {
      if (helps) {
        Thread.currentThread().setContextClassLoader(loaderBefore);
        if (contextBefore == null) {
          TaskContext$.MODULE$.unset();
        } else {
          TaskContext$.MODULE$.setTaskContext(contextBefore);
        }
      }
    }
  }

  /** One thread's evaluators, kept from batch to batch. */
  private final class ThreadCalls implements Worker {
    private final List<HostCall> calls = new ArrayList<>();
    final List<GpuUdf> udfs = new ArrayList<>();
    final List<Optional<CostHint>> hints = new ArrayList<>();
    private int pieceRows = MAX_PIECE_ROWS;
    private Visit visit;

    ThreadCalls() {
      for (int i = 0; i < spec.calls().size(); i++) {
        add(spec.calls().get(i), columns.get(i));
      }
    }

    private void add(CallSpec call, CallColumns callColumns) {
      try {
        GpuUdf udf = call.udf().copy(loader);
        calls.add(new HostCall(call.call(), udf, callColumns, memory, task::isInterrupted));
        udfs.add(udf);
        hints.add(Objects.requireNonNull(udf.costHint(), "costHint()"));
      } catch (Exception | LinkageError e) {
        // Exception: Spark's serializer is Scala and declares none of what it throws.
        throw new GpuUdfException(
            "UDF '" + call.call().name() + "' cannot be set up on an executor: " + e, e);
      }
    }

    void enter(Visit visit) {
      this.visit = visit;
      calls.forEach(call -> call.beginBatch(batch));
    }

    @Override
    public void run(long from, long until) {
      for (HostCall call : calls) {
        call.run((int) from, (int) until);
      }
    }

    /**
     * Computes a block in small pieces, and hands back the rest of a block that takes far too long:
     * rows cost what they cost, and the next ones may cost a million times as much as those that
     * the block was sized by.
     */
    @Override
    public long runOrHandBack(long from, long until) {
      int row = (int) from;
      long begin = System.nanoTime();
      long now = begin;
      int mostRows = (int) ((until - from + MIN_PIECES - 1) / MIN_PIECES);
      do {
        int rows = Math.min(pieceRows, mostRows);
        int end = (int) Math.min(until, row + rows);
        run(row, end);
        int first = row;
        row = end;
        long before = now;
        now = System.nanoTime();
        pieceRows = pieceRowsAfter(end - first, now - before);
      } while (row < until && now - begin < HAND_BACK_BLOCKS * pieceNanos && !task.isInterrupted());
      return row;
    }

    /** As many rows as take a piece's time, if the next ones cost what the last piece did. */
    private int pieceRowsAfter(int done, long nanos) {
      double rows = (double) done * pieceNanos / Math.max(1, nanos);
      return (int) Math.max(1, Math.min(MAX_PIECE_ROWS, rows));
    }

    @Override
    public void close() {
      visit.end();
    }
  }
}
