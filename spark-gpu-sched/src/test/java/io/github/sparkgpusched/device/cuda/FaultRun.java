package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.device.host.HostCall;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.schedule.Device;
import io.github.sparkgpusched.schedule.JobSpec;
import io.github.sparkgpusched.schedule.LaunchDevice;
import io.github.sparkgpusched.schedule.LaunchPolicy;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.NoDeviceException;
import io.github.sparkgpusched.schedule.RangeBody;
import io.github.sparkgpusched.schedule.Scheduler;
import io.github.sparkgpusched.schedule.Strategies;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Jobs beside each other, on cores and a device of the double, drawn from a seed, and the same with
 * each fault at each place in turn: at each allocation, module and launch. Those that wait may go
 * in one launch. Their rows are to be exact each time, or the job fails with the words that are
 * stated; the device goes on or is given up, and nothing is held in the end. A process of its own,
 * in which the double is the driver; prints a line for each kind of fault, and one for each case
 * that is not as it should be.
 *
 * <p>Usage: {@code FaultRun SEED NUMBER [KIND PLACE]}
 */
final class FaultRun {
  static final String LINE = "FAULT ";

  /** What a block may take where one hangs. */
  private static final long HANG_NANOS = TimeUnit.MILLISECONDS.toNanos(600);

  private final SplittableRandom random;
  private final long seed;
  private final int rows;
  private final List<Integer> functions;
  private final Strategy strategy;
  private final boolean hostsShare;
  private final boolean hostFallback;
  private final boolean mayRunTwice;
  private final int cores;
  private final int jobs;
  private final CudaSettings settings;
  private final String drawn;

  private FaultRun(long seed, long number) {
    this.seed = seed;
    random = new SplittableRandom(seed * 1_000_003 + number);
    rows = 50 + random.nextInt(3000);
    functions = random.ints(1 + random.nextInt(2), 0, 6).distinct().boxed().toList();
    int blockRows = Math.max(1, rows / (1 + random.nextInt(12)));
    boolean fixed = random.nextInt(3) > 0;
    strategy =
        Strategies.byName(fixed ? "fixed" : Strategies.DEFAULT, new Strategies.Options(blockRows));
    hostsShare = random.nextInt(3) == 0;
    hostFallback = random.nextInt(4) > 0;
    mayRunTwice = random.nextBoolean();
    cores = 1 + random.nextInt(3);
    jobs = 1 + random.nextInt(3);
    PipelineDepth[] depths = PipelineDepth.values();
    PipelineDepth depth = depths[random.nextInt(depths.length)];
    List<String> strategies = BlockSettings.STRATEGIES;
    String inside = strategies.get(random.nextInt(strategies.size()));
    boolean stays = random.nextInt(4) == 0;
    // No room for the slabs by which copies are timed: that is not what is tried here.
    settings =
        CudaScenarios.settings(
            "cuda:0",
            depth,
            1 << 20,
            CudaScenarios.eager(inside),
            stays ? new ResidentSettings(2, 16 << 10) : ResidentSettings.OFF);
    drawn =
        "%d jobs, functions %s, %d rows, %s, %d a block, %s, %s, %d cores%s%s%s%s"
            .formatted(
                jobs,
                functions,
                rows,
                fixed ? "fixed" : "adaptive",
                blockRows,
                inside,
                depth,
                cores,
                hostsShare ? ", hosts share" : "",
                hostFallback ? "" : ", no fallback",
                mayRunTwice ? ", twice" : "",
                stays ? ", a kernel that stays" : "");
  }

  public static void main(String[] arguments) {
    int status = 1;
    try {
      FaultRun run = new FaultRun(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]));
      System.out.println(run.drawn);
      if (arguments.length > 3) {
        DeviceFault fault = DeviceFault.valueOf(arguments[2]);
        System.out.println(run.once(fault, Long.parseLong(arguments[3])));
      } else {
        run.all();
      }
      status = 0;
    } catch (Throwable e) {
      e.printStackTrace(System.out);
    }
    System.out.flush();
    Runtime.getRuntime().halt(status); // kernels of the double may hang
  }

  private void all() throws Exception {
    Case without = once(null, 0);
    if (!without.wrong.isEmpty()) {
      System.out.println("WRONG without a fault: " + without.wrong);
      throw new IllegalStateException("the run itself is wrong");
    }
    if (!hostsShare && without.counted.launches() == 0) {
      System.out.println("WRONG without a fault: the device computed nothing");
    }
    for (DeviceFault fault : DeviceFault.values()) {
      long came = 0;
      long wrong = 0;
      double latest = 0;
      long places = fault.places(without.counted);
      for (long place = 1; place <= places; place++) {
        Case one = once(fault, place);
        came += fault.places(one.counted) >= place ? 1 : 0;
        latest = Math.max(latest, one.late);
        if (!one.wrong.isEmpty()) {
          wrong++;
          System.out.println("WRONG " + fault + " " + place + ": " + one.wrong);
        }
      }
      System.out.printf("%s%s,%d,%d,%d,%.3f%n", LINE, fault.text(), places, came, wrong, latest);
    }
  }

  /**
   * What came of a fault.
   *
   * @param wrong what is not as it should be; empty if nothing
   * @param late how much later than its limit a hang was noticed, as a part of the limit
   */
  private record Case(DoubleFaults.Counted counted, List<String> wrong, double late) {}

  private Case once(DeviceFault fault, long place) throws Exception {
    List<String> wrong = new ArrayList<>();
    CudaDevice device = CudaDevices.find(settings).get(0);
    Batch.lieIn(device.slabs());
    List<Device> hosts = new ArrayList<>();
    List<LoadEntry> entries = new ArrayList<>();
    for (int i = 0; i < cores; i++) {
      String name = "host:" + i;
      hosts.add(() -> name);
      entries.add(new LoadEntry(name, 1));
    }
    entries.add(new LoadEntry(device.name(), device.spec().depth()));
    LoadTable table = new LoadTable(entries);
    long timeout = fault == DeviceFault.HANG ? HANG_NANOS : TimeUnit.MINUTES.toNanos(10);
    LaunchPolicy policy =
        new LaunchPolicy(LaunchPolicy.DEFAULT.placement(), hostsShare, hostFallback, timeout);
    long held = DoubleFaults.set("").heldBytes();
    DoubleFaults.Counted counted;
    double late = 0;
    try (Scheduler scheduler =
        new Scheduler(hosts, List.of(device), table, 100_000, strategy, policy)) {
      DoubleFaults.set(fault == null ? "" : "0:" + fault.text() + "@" + place);
      try (LossWatch watch = new LossWatch(table, cores)) {
        check(scheduler, fault, "", wrong);
        counted = DoubleFaults.set("");
        if (fault == DeviceFault.HANG && counted.hangsSinceNanos() != 0) {
          late = watch.late(counted.hangsSinceNanos(), HANG_NANOS, wrong);
        }
      }
      check(scheduler, fault, "afterwards: ", wrong);
      if (table.snapshot().get(cores).state() == DeviceState.ACTIVE
          && fault != DeviceFault.HANG
          && device.pipeline().held() != 0) {
        wrong.add(device.pipeline().held() + " slots or buffers are held");
      }
    }
    long left = DoubleFaults.set("").heldBytes() - held;
    if (left != 0 && fault != DeviceFault.HANG) {
      wrong.add(left + " bytes of the device or page-locked are left");
    }
    List<String> threads =
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.startsWith("gpusched-"))
            .toList();
    if (!threads.isEmpty()) {
      wrong.add("threads are left: " + threads);
    }
    return new Case(counted, wrong, late);
  }

  /** All jobs, each by a thread of its own; what is wrong is added. */
  private void check(Scheduler scheduler, DeviceFault fault, String when, List<String> wrong)
      throws InterruptedException {
    List<String> told = Collections.synchronizedList(wrong);
    List<Thread> tasks = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      Thread task = new Thread(() -> job(scheduler, fault, when, told), "task-" + i);
      task.start();
      tasks.add(task);
    }
    for (Thread task : tasks) {
      task.join();
    }
  }

  private void job(Scheduler scheduler, DeviceFault fault, String when, List<String> wrong) {
    List<Batch> batches = new ArrayList<>();
    List<Batch> all = Batches.all(rows, seed);
    IntStream.range(0, all.size())
        .filter(i -> functions.contains(i))
        .forEach(i -> batches.add(all.get(i)));
    try {
      List<CallOnDevice> calls = batches.stream().map(Batch::begin).toList();
      scheduler.taskStarted(1);
      long computed;
      try {
        computed =
            scheduler
                .run(JobSpec.of(rows, new Body(batches, calls)).mayRunTwice(mayRunTwice).build())
                .rows();
      } finally {
        scheduler.taskEnded(1);
      }
      if (computed != rows) {
        wrong.add(when + computed + " rows were computed of " + rows);
      }
      batches.forEach(Batch::check);
    } catch (NoDeviceException e) {
      if (hostFallback || fault == null) {
        wrong.add(when + e);
      }
    } catch (IllegalStateException e) {
      boolean stated =
          fault == DeviceFault.SHORT && String.valueOf(e.getMessage()).contains("this is a bug");
      if (!stated || !when.isEmpty()) {
        wrong.add(when + e);
      }
    } catch (Throwable e) {
      wrong.add(when + e); // nobody else sees what ends a task's thread
    } finally {
      all.forEach(Batch::close);
    }
  }

  private record Body(List<Batch> batches, List<CallOnDevice> calls) implements RangeBody {
    @Override
    public Worker open(Device device) {
      List<HostCall> hosts =
          IntStream.range(0, calls.size())
              .mapToObj(i -> batches.get(i).beside(calls.get(i)))
              .toList();
      return (from, until) -> {
        for (HostCall host : hosts) {
          host.run((int) from, (int) until);
        }
      };
    }

    @Override
    public boolean runsOn(LaunchDevice device) {
      return calls.stream()
          .allMatch(call -> ((CudaDevice) device).whyNot(call.call(), call.udf()).isEmpty());
    }

    @Override
    public Object kernels(LaunchDevice device) {
      return ((CudaDevice) device).kernels(calls);
    }

    @Override
    public Launcher launcher(LaunchDevice device) throws Exception {
      return ((CudaDevice) device).launcher(calls, null);
    }
  }
}
