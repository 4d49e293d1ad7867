package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.Device;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.schedule.LaunchDevice;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.RangeBody;
import io.github.sparkgpusched.sql.plan.TextUdf;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The body of a task's jobs: how a thread, for a core or as the owner of a launch device, computes
 * rows of the task's calls. The task thread begins batches between jobs; while a job runs, any
 * thread opens it.
 */
final class CallBody implements RangeBody {
  private final BatchSpec spec;
  private final List<CallColumns> columns;
  private final TaskVisit.Home home;
  private final PerThread<ThreadCalls> threads;

  /** What the devices count for this task; null if nobody wants to know. */
  private final TaskWork work;

  /**
   * What launch devices compute by. Put in by the task's thread, which alone runs the users' code
   * that making it takes; each device's owner reads its own.
   */
  private final Map<LaunchDevice, DeviceCalls> onDevices = new ConcurrentHashMap<>();

  /** Where string results of launch devices live. */
  private final BatchMemory memory;

  private final BooleanSupplier besideDevices;

  /** Why a launch device cannot compute the calls, each reason once. Task thread only. */
  private final Set<String> unsupported = new TreeSet<>();

  /**
   * Number of the current batch in its task. Written by the task thread between jobs, and seen by
   * those that join a job as its rows are.
   */
  private long batch;

  /**
   * @param columns of the calls
   * @param memory where string results live
   * @param besideDevices whether launch devices compute rows too
   * @param maker makes copies of the UDFs for a thread
   * @param work what the devices count for this task, or null
   */
  CallBody(
      BatchSpec spec,
      List<CallColumns> columns,
      TaskVisit.Home home,
      BatchMemory memory,
      BooleanSupplier besideDevices,
      Supplier<ThreadCalls> maker,
      TaskWork work) {
    this.spec = spec;
    this.columns = columns;
    this.home = home;
    this.memory = memory;
    this.besideDevices = besideDevices;
    this.threads = new PerThread<>(maker);
    this.work = work;
  }

  /** The calling thread's calls. */
  ThreadCalls mine() {
    return threads.get();
  }

  /** Forgets results, and gives the memory of strings back. Task thread, while no job runs. */
  void releaseResults() {
    threads.all().forEach(ThreadCalls::releaseResults);
    onDevices.values().forEach(DeviceCalls::releaseResults);
  }

  /** Begins a batch whose input columns are filled. Task thread only. */
  void begin(long number, int rows) {
    batch = number;
    columns.forEach(call -> call.begin(rows));
  }

  /** Names of the calls, each once. */
  List<String> names() {
    return spec.calls().stream().map(c -> c.call().name()).distinct().toList();
  }

  /** Of the text that the calls' functions are given as; empty if they are no texts. */
  Optional<String> language() {
    return threads.get().udfs().stream()
        .flatMap(udf -> udf instanceof TextUdf text ? Stream.of(text.language()) : Stream.empty())
        .findFirst();
  }

  /** Why launch devices cannot compute the calls, each reason once. Task thread only. */
  List<String> unsupported() {
    return List.copyOf(unsupported);
  }

  @Override
  public TaskWork work() {
    return work;
  }

  @Override
  public Worker open(Device device) {
    // First: Spark's converters are made for the session that the thread's task belongs to.
    TaskVisit visit = new TaskVisit(home);
    try {
      ThreadCalls mine = threads.get();
      mine.enter(visit, batch, besideDevices.getAsBoolean());
      return mine;
    } catch (RuntimeException | Error e) {
      visit.close();
      throw e;
    }
  }

  @Override
  public boolean computesTogether() {
    return mine().computesTogether();
  }

  /** Calls of functions that are text are in nodes of their own, and have no form for cores. */
  @Override
  public boolean runsOnCores() {
    return language().isEmpty();
  }

  /** Results that are not exact are of one kind of device, as they may be of another on cores. */
  @Override
  public boolean sharesWithCores() {
    return runsOnCores() && spec.calls().stream().allMatch(CallSpec::exact);
  }

  /** Compiles kernels the first time, which may take a second. */
  @Override
  public boolean runsOn(LaunchDevice device) {
    List<CallOnDevice> calls = onDevices.computeIfAbsent(device, this::callsOn).all();
    long begin = System.nanoTime();
    try {
      for (CallOnDevice call : calls) {
        Optional<String> why = ((CallDevice) device).whyNot(call.call(), call.udf());
        if (why.isPresent()) {
          unsupported.add(why.get());
          return false;
        }
      }
      return true;
    } finally {
      spec.metrics().compileTime.add(System.nanoTime() - begin);
    }
  }

  private DeviceCalls callsOn(LaunchDevice device) {
    // There may be many that are borrowed; what computes there has copies of its own.
    List<GpuUdf> udfs =
        device.isBorrowed()
            ? mine().udfs()
            : spec.calls().stream().map(c -> ThreadCalls.copy(c, home.loader())).toList();
    return new DeviceCalls(spec.calls(), udfs, columns, memory);
  }

  @Override
  public Object kernels(LaunchDevice device) {
    return ((CallDevice) device).kernels(onDevices.get(device).all());
  }

  @Override
  public Launcher launcher(LaunchDevice device) throws DeviceFailedException, JobRefusedException {
    DeviceCalls calls = onDevices.get(device);
    Launcher launcher = ((CallDevice) device).launcher(calls.all(), work);
    return new Launcher() {
      @Override
      public Launch stage(long from, long until) throws Exception {
        calls.beginBatch(batch); // only here is it sure that the batch has not ended
        return launcher.stage(from, until);
      }

      @Override
      public Launch stageBeside(Launch first, long from, long until) throws Exception {
        calls.beginBatch(batch);
        return launcher.stageBeside(first, from, until);
      }

      @Override
      public void close() {
        launcher.close();
      }
    };
  }
}
