package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.schedule.Stages.stage;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.Slab;
import io.github.sparkgpusched.columnar.SlabPool;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.device.DeviceContract;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.testing.Patience;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.Platform;

/**
 * What tests run in a process that finds the test double of the CUDA driver, or NVIDIA's: the first
 * argument names a method. Ends with status 0 if it returns.
 */
final class CudaScenarios {
  private CudaScenarios() {}

  public static void main(String[] arguments) throws Throwable {
    try {
      for (Class<?> scenarios :
          List.of(
              CudaScenarios.class,
              ResidentScenarios.class,
              RecoveryScenarios.class,
              SlabScenarios.class,
              SharedLaunchScenarios.class,
              NeighbourScenarios.class,
              TrapScenarios.class,
              NvrtcScenarios.class,
              CudfScenarios.class,
              DriverScenarios.class,
              GpuScenarios.class,
              GpuKernelScenarios.class)) {
        for (Method scenario : scenarios.getDeclaredMethods()) {
          if (scenario.getName().equals(arguments[0]) && scenario.getParameterCount() == 0) {
            scenario.invoke(null);
            end();
          }
        }
      }
      throw new IllegalArgumentException("there is no scenario " + arguments[0]);
    } catch (java.lang.reflect.InvocationTargetException e) {
      e.getCause().printStackTrace(System.out);
      Runtime.getRuntime().halt(CudaDouble.FAILED);
    }
  }

  private static void end() {
    System.out.println("scenario done");
    // Streams of the double have threads that may hang, as a test wants them to.
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static CudaSettings settings(String devices, PipelineDepth depth, long pinnedBytes) {
    return settings(devices, depth, pinnedBytes, BlockSettings.DEFAULT);
  }

  static CudaSettings settings(
      String devices, PipelineDepth depth, long pinnedBytes, BlockSettings blocks) {
    return settings(devices, depth, pinnedBytes, blocks, ResidentSettings.OFF);
  }

  static CudaSettings settings(
      String devices,
      PipelineDepth depth,
      long pinnedBytes,
      BlockSettings blocks,
      ResidentSettings resident) {
    CudaSettings.Builder settings = new CudaSettings.Builder();
    settings.devices = CudaDevicesTest.items(devices);
    settings.pipeline = depth;
    settings.blocks = blocks;
    settings.resident = resident;
    settings.cluster = Integer.parseInt(System.getenv().getOrDefault("CLUSTER", "1"));
    settings.stringBytes = 32;
    settings.pinnedBytes = pinnedBytes;
    String blockMillis = System.getenv("BLOCK_MILLIS");
    settings.blockMillis = blockMillis == null ? settings.blockMillis : Long.parseLong(blockMillis);
    settings.cacheDirectory = Path.of(System.getenv("TMPDIR"), "kernels").toString();
    return settings.build();
  }

  /** With thresholds so low that blocks of threads share what there is. */
  static BlockSettings eager(String strategy) {
    BlockSettings.Builder blocks = new BlockSettings.Builder();
    blocks.strategy = strategy;
    blocks.stealThreshold = 1;
    blocks.shareThreshold = 2;
    blocks.maxStealBatch = 4;
    blocks.queueCapacity = 16;
    return blocks.build();
  }

  /** Batches lie where the first of them has page-locked memory, of which all copy. */
  static List<CudaDevice> devices() {
    return near(CudaDevices.find(settings("cuda:*", null, 64 << 20)));
  }

  private static List<CudaDevice> near(List<CudaDevice> devices) {
    Batch.lieIn(devices.get(0).slabs());
    return devices;
  }

  /** Computes all rows of a batch in blocks, as many in flight as the device takes. */
  static void compute(CudaDevice device, CudaLauncher launcher, int rows, int blockRows)
      throws Exception {
    record InFlight(Launch launch, int from, int until) {}
    ArrayDeque<InFlight> flight = new ArrayDeque<>();
    int next = 0;
    while (next < rows || !flight.isEmpty()) {
      while (next < rows && flight.size() < device.spec().depth()) {
        int until = Math.min(rows, next + blockRows);
        Launch launch = stage(launcher, next, until);
        launch.start();
        flight.add(new InFlight(launch, next, until));
        next = until;
      }
      InFlight oldest = flight.poll();
      await(oldest.launch());
      oldest.launch().computeNanos();
      // In two parts, as a block is published whose other rows another device has won.
      int middle = (oldest.from() + oldest.until()) / 2;
      oldest.launch().publish(oldest.from(), middle, Batch.onHost(launcher.calls()));
      oldest.launch().publish(middle, oldest.until(), Batch.onHost(launcher.calls()));
      oldest.launch().close();
    }
  }

  /** What every kind of device must do. */
  static void contract() throws Exception {
    DeviceContract.holds("cuda", () -> devices().get(0));
  }

  /** All functions, on all devices, in blocks of several sizes, against the host forms. */
  static void functions() throws Exception {
    for (CudaDevice device : devices()) {
      device.open();
      for (int blockRows : new int[] {1000, 77, 5000}) {
        for (Batch batch : Batches.all(3000, blockRows)) {
          try (batch;
              CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
            compute(device, launcher, batch.rows(), blockRows);
            batch.check();
          }
        }
      }
      // Several calls in one block.
      List<Batch> batches = new ArrayList<>(Batches.all(2000, 9));
      List<CallOnDevice> calls = batches.stream().map(Batch::begin).toList();
      try (CudaLauncher launcher = new CudaLauncher(device, calls)) {
        compute(device, launcher, 2000, 300);
      }
      for (Batch batch : batches) {
        batch.check();
        batch.close();
      }
      if (device.pipeline().held() != 0) {
        throw new AssertionError(device.pipeline().held() + " slots or buffers are not given back");
      }
      device.close();
    }
  }

  interface Round {
    boolean run() throws Exception;
  }

  /**
   * Repeats a round until it gives true. Threads decide who meets whom: on a busy machine a block
   * of threads may have ended when the next one gets a core.
   */
  static void untilTrue(String otherwise, Round round) throws Exception {
    long begin = System.nanoTime();
    while (!round.run()) {
      check(System.nanoTime() - begin < Patience.NANOS, otherwise);
    }
  }

  /** So many launches are to be seen beside a kernel that stays. */
  static final int LAUNCHES_BESIDE = 6;

  /**
   * Launches few rows, for the kernel that stays, and then many beside it, until enough have run
   * so. In the first rounds it steps aside, for memory; on a busy machine also where it comes late.
   *
   * @return rounds
   */
  static int launchesBesideWhatStays(
      CudaDevice device,
      CudaLauncher few,
      Batch small,
      CudaLauncher many,
      Batch large,
      int blockRows)
      throws Exception {
    int beside = 0;
    int rounds = 0;
    long begin = System.nanoTime();
    while (beside < LAUNCHES_BESIDE) {
      check(
          System.nanoTime() - begin < Patience.NANOS,
          beside + " of " + rounds + " launches ran beside the kernel that stays");
      compute(device, few, small.rows(), 100);
      small.check();
      long runs = device.resident().runs();
      boolean stayed = device.resident().mayRun();
      compute(device, many, large.rows(), blockRows);
      large.check();
      boolean stays = device.resident().mayRun() && device.resident().runs() == runs;
      small.begin();
      large.begin();
      beside += stayed && stays ? 1 : 0;
      rounds++;
    }
    return rounds;
  }

  static void check(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  /** Has a strategy of its own. */
  record Own(String strategy) implements UDF1<Double, Double>, GpuUdf {
    @Override
    public Double call(Double value) {
      return value;
    }

    @Override
    public Optional<CudaSource> cuda() {
      // The first rows of a block are expensive: who has others will look for some.
      return Optional.of(
          CudaSource.text(
              """
              __device__ double own(double x) {
                double y = x;
                for (int i = 0; i < ((long long)x % 1000 < 250 ? 200000 : 1); i++) y *= 1.0000001;
                return y < 0 ? y : x;
              }
              """,
              "own"));
    }

    @Override
    public Optional<String> blockStrategy() {
      return Optional.of(strategy);
    }

    Batch batch() {
      return new Batch(3000, this, "own", DataTypes.DoubleType, DataTypes.DoubleType)
          .argument(row -> (double) row);
    }
  }

  /** The device steals, and one of two functions in a block does not; and the other way round. */
  static void strategyOfAUdf() throws Exception {
    for (String strategy : new String[] {"static", "stealing"}) {
      String configured = strategy.equals("static") ? "stealing" : "static";
      BlockSettings settings = eager(configured);
      CudaDevice device = CudaDevices.find(settings("cuda:0", null, 64 << 20, settings)).get(0);
      device.open();
      boolean steals = strategy.equals("stealing");
      try (Batch batch = new Own(strategy).batch();
          CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        untilTrue(
            "no block of threads looked at another",
            () -> {
              compute(device, launcher, batch.rows(), 1000);
              batch.check();
              return !steals || device.inner().stealRequests() > 0;
            });
      }
      check(steals || device.inner().stealRequests() == 0, strategy + ": " + device.inner());
      device.close();
    }
    try (Batch batch = new Own("best").batch()) {
      String reason = devices().get(0).whyNot(batch.call(), batch.udf()).orElseThrow();
      check(
          reason.contains(
              "its blockStrategy() is 'best', which is neither auto nor one of [static"),
          reason);
    }
  }

  /** A block is done, and then its device is lost: the block is published all the same. */
  static void lostBeforePublished() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    try (Batch batch = Batches.identity(100, 3);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      Launch first = stage(launcher, 0, 100);
      first.start();
      await(first);
      Launch second = stage(launcher, 0, 100);
      try {
        second.start();
        while (!device.pipeline().isQuiet()) {
          pause();
        }
        throw new AssertionError("the device is not lost");
      } catch (DeviceFailedException e) {
        System.out.println(e.getMessage());
      }
      first.publish(0, 100, Batch.onHost(launcher.calls()));
      batch.check();
      first.close();
      second.close();
    }
  }

  static void checkAllGivenBack(CudaDevice device) {
    check(device.pipeline().held() == 0, device.pipeline().held() + " slots or buffers are held");
  }

  static CudaDevice open(PipelineDepth depth, long pinnedBytes) throws Exception {
    CudaDevice device = near(CudaDevices.find(settings("cuda:*", depth, pinnedBytes))).get(0);
    device.open();
    return device;
  }

  /** Between two looks at a device: its kernels are the double's, and need the core themselves. */
  static void pause() {
    LockSupport.parkNanos(100_000);
  }

  static void await(Launch launch) throws Exception {
    while (!launch.isDone()) {
      pause();
    }
  }

  /** Blocks that are given up while the device has them, and others after them in their slots. */
  static void abandoned() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    for (int round = 0; round < 5; round++) {
      try (Batch few = Batches.identity(1000, round);
          Batch more = Batches.identity(1500 + round, 10 + round);
          CudaLauncher first = new CudaLauncher(device, List.of(few.begin()));
          CudaLauncher second = new CudaLauncher(device, List.of(more.begin()))) {
        Launch notWanted = stage(first, 0, few.rows());
        notWanted.start();
        notWanted.close();
        compute(device, second, more.rows(), more.rows());
        more.check();
        // And one that was never started.
        stage(first, 0, few.rows()).close();
      }
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** The owner breaks each of its rules, and is told. */
  static void rules() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    try (Batch batch = Batches.identity(300, 1);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      Launch first = stage(launcher, 0, 100);
      Launch second = stage(launcher, 100, 200);
      Launch third = stage(launcher, 200, 300);
      first.start();
      second.start();
      broken("DRAIN_BEFORE_REKICK", third::start);
      broken("DRAINED", () -> first.publish(0, 100, Batch.onHost(launcher.calls())));
      await(first);
      for (int i = 0; i < 3; i++) {
        check(!second.isDone(), "a younger block is done before the older one is published");
      }
      broken(
          "DELIVER_OLDEST_FIRST", () -> second.publish(100, 200, Batch.onHost(launcher.calls())));
      first.publish(0, 60, Batch.onHost(launcher.calls()));
      broken("published twice", () -> first.publish(59, 100, Batch.onHost(launcher.calls())));
      broken("published twice", () -> first.publish(0, 60, Batch.onHost(launcher.calls())));
      broken("not of this block", () -> first.publish(60, 101, Batch.onHost(launcher.calls())));
      first.publish(60, 100, Batch.onHost(launcher.calls()));
      first.close();
      await(second);
      second.publish(100, 200, Batch.onHost(launcher.calls()));
      second.close();
      third.start();
      await(third);
      third.publish(200, 300, Batch.onHost(launcher.calls()));
      third.close();
      batch.check();
      rulesOfSlots(device);
    }
    checkAllGivenBack(device);
    device.close();
  }

  private static void rulesOfSlots(CudaDevice device) throws Exception {
    Slot slot = device.pipeline().take(64);
    SlabPool.Region region = device.slabs().allocate(4096);
    device.slabs().add(region);
    Slab slab = device.slabs().take(64);
    broken("LENT", () -> slot.requireHeld(List.of(slab)));
    check(slab.lendTo(device.slabs()), "a device is not lent a slab of its own");
    slot.lend(List.of(slab));
    slot.requireHeld(List.of(slab));
    slab.giveBack();
    broken("QUEUED", slot::block);
    broken("ARGUMENTS_COPIED", slot::hold);
    slot.queue();
    broken("FILLED", () -> slot.queue());
    broken("ARGUMENTS_COPIED", slot::argumentsToFill);
    broken("LENT", () -> slot.lend(List.of()));
    broken("DRAINED", slot::takeResults);
    Calls calls = new Calls(device.name());
    calls.record(slot.begin, slot.stream);
    slot.giveBack();
    broken("ARGUMENTS_COPIED", slot::hold);
    slot.join();
    slot.hold();
    slot.queue();
    calls.record(slot.begin, slot.stream);
    check(!slot.isDone(), "what was queued has run, though nobody waited for it");
    slot.join();
    check(slot.isDone(), "what was queued is done");
    slot.results();
    device.pipeline().giveBack(slot);
    Slot first = device.pipeline().take(64);
    Slot second = device.pipeline().take(64);
    device.pipeline().giveBack(second);
    device.pipeline().giveBack(first);
    Slot last = device.pipeline().take(64);
    check(last == first, "another slot than the one that was used last");
    device.pipeline().giveBack(last);
  }

  private interface Act {
    void run() throws Exception;
  }

  private static void broken(String rule, Act act) throws Exception {
    try {
      act.run();
    } catch (IllegalStateException e) {
      check(e.getMessage().contains(rule), "another rule than " + rule + ": " + e.getMessage());
      return;
    }
    throw new AssertionError(rule + " was broken, and nobody said so");
  }

  /** A device of 1 MiB: too large a block is refused, and halves of it run, until all are done. */
  static void memory() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    check(device.depth().depth() == PipelineDepth.PIPELINED, "depth");
    try (Batch batch = Batches.identity(100_000, 3);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      int rows = batch.rows();
      int refused = 0;
      for (int from = 0; from < batch.rows(); ) {
        int until = Math.min(batch.rows(), from + rows);
        Launch launch = stage(launcher, from, until);
        try {
          launch.start();
        } catch (io.github.sparkgpusched.schedule.DeviceMemoryException e) {
          check(e.requestedBytes() > 0, "no bytes are named");
          check(e.getMessage().contains("cuda:0"), e.getMessage());
          launch.close();
          rows /= 2;
          refused++;
          continue;
        }
        await(launch);
        launch.publish(from, until, Batch.onHost(launcher.calls()));
        launch.close();
        from = until;
      }
      check(refused > 0, "nothing was refused");
      batch.check();
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** Page-locked memory has a bound; what is not in use is freed for a block of another size. */
  static void pinnedMemory() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 768 << 10);
    try (Batch batch = Batches.identity(99_000, 3);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      try {
        stage(launcher, 0, 99_000).close();
        throw new AssertionError("no bound");
      } catch (io.github.sparkgpusched.schedule.DeviceMemoryException e) {
        check(e.getMessage().contains("spark.gpusched.cuda.pinnedBytes"), e.getMessage());
      }
      compute(device, launcher, batch.rows(), 4_000);
      compute(device, new CudaLauncher(device, List.of(batch.begin())), batch.rows(), 9_000);
      batch.check();
      // What cannot be had costs nothing that is there: the next block would get it anew.
      PinnedMemory pinned = device.pipeline().pinned();
      long held = pinned.heldBytes();
      refused(() -> stage(launcher, 0, 99_000));
      check(pinned.heldBytes() == held, "arguments were freed in vain");
      Launch large = stage(launcher, 0, 30_000); // its results find no room
      long staged = pinned.heldBytes();
      refused(large::start);
      large.close();
      check(pinned.heldBytes() == staged, "memory was freed in vain");
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** Streams and events take memory, too: one block less is at work, and the device goes on. */
  static void noMemoryForASlot() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    for (int handle = 1; handle <= 5; handle++) {
      try (Batch batch = Batches.identity(300, 3);
          CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        List<Launch> launches = new ArrayList<>();
        DoubleFaults.set("0:handle@" + handle + "+");
        try {
          for (int from = 0; from < 300; from += 30) {
            launches.add(stage(launcher, from, from + 30));
          }
          throw new AssertionError(handle + ": " + launches.size() + " slots were had");
        } catch (io.github.sparkgpusched.schedule.DeviceMemoryException e) {
          check(e.getMessage().contains("finds no memory"), e.getMessage());
        }
        DoubleFaults.set("");
        launches.forEach(Launch::close);
        compute(device, new CudaLauncher(device, List.of(batch.begin())), 300, 100);
        batch.check();
      }
      checkAllGivenBack(device);
    }
    device.close();
  }

  private static void refused(Act call) throws Exception {
    try {
      call.run();
      throw new AssertionError("no bound");
    } catch (io.github.sparkgpusched.schedule.DeviceMemoryException e) {
      check(e.requestedBytes() > 0, "no bytes are named");
    }
  }

  /** The fault hits device 0; device 1 goes on. */
  static void failure() throws Exception {
    List<CudaDevice> devices = devices();
    String expected = System.getenv("EXPECTED_ERROR");
    int failed = 0;
    for (CudaDevice device : devices) {
      device.open();
      try (Batch batch = Batches.identity(3000, 3);
          CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        try {
          compute(device, launcher, batch.rows(), 200);
          batch.check();
        } catch (io.github.sparkgpusched.schedule.DeviceFailedException e) {
          failed++;
          check(device.name().equals("cuda:0"), "the wrong device: " + e.getMessage());
          check(
              e.getMessage().startsWith("cuda:0: ") && e.getMessage().contains(expected),
              e.getMessage());
        }
      }
    }
    check(failed == 1, failed + " devices failed");
    devices.forEach(CudaDevice::close);
  }

  /** A kernel that never ends keeps neither its block nor its device from being closed. */
  static void hang() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    Batch batch = Batches.identity(100, 3);
    CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()));
    Launch launch = stage(launcher, 0, 100);
    launch.start();
    long end = System.nanoTime() + 200_000_000;
    while (System.nanoTime() < end) {
      check(!launch.isDone(), "done");
    }
    launch.close();
    launcher.close();
    batch.close();
    checkAllGivenBack(device);
    check(!device.recover(), "a context is ended beside a kernel that runs");
    device.close();
  }

  /** Blocks with copies and kernels that take a while, at the depth that is named. */
  static void overlap() throws Exception {
    CudaDevice device = open(PipelineDepth.ofConfig(System.getenv("DEPTH")), 64 << 20);
    boolean overlap = device.depth().depth() == PipelineDepth.PIPELINED;
    try (Batch batch = Batches.identity(2000, 3);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      untilTrue(
          "no two streams were at work at once",
          () -> {
            compute(device, launcher, batch.rows(), 200);
            batch.check();
            return !overlap || DoubleFaults.mostStreamsAtWork() > 1;
          });
    }
    device.close();
  }

  /** What copies cost is measured as a device is opened, if there is page-locked memory for it. */
  static void linkCosts() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    check(
        device.spec().launchNanos() >= 6_000_000,
        "copies there and back take at least 6 ms, not " + device.spec().launchNanos() + " ns");
    check(device.transferNanosPerByte() >= 0, "bytes take less than no time");
    checkAllGivenBack(device);
    device.close();
    CudaDevice withoutRoom = open(null, 1 << 20);
    check(
        withoutRoom.spec().launchNanos() == LinkCosts.UNMEASURED.blockNanos()
            && withoutRoom.transferNanosPerByte() == LinkCosts.UNMEASURED.nanosPerByte(),
        "something was measured without memory for it");
    withoutRoom.close();
  }

  /** A UDF whose CUDA function has an error in line 3. */
  static final class WithError
      implements org.apache.spark.sql.api.java.UDF1<Double, Double>,
          io.github.sparkgpusched.api.GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Double call(Double value) {
      return value;
    }

    @Override
    public Optional<CudaSource> cuda() {
      return Optional.of(
          CudaSource.text(
              "// A comment.\n__device__ double wrong(double x) {\n  return y;\n}\n", "wrong"));
    }
  }

  static void compileError() throws Exception {
    CudaDevice device = devices().get(0);
    DataType type = DataTypes.DoubleType;
    String reason =
        device.whyNot(new UdfCall("wrong", List.of(type), type), new WithError()).orElseThrow();
    check(reason.contains("wrong.cu:3:"), reason);
    check(reason.contains("y"), reason);
    check(
        device
            .whyNot(new UdfCall("wrong", List.of(type), DataTypes.BinaryType), new WithError())
            .orElseThrow()
            .contains("binary"),
        "a result that CUDA functions do not give");
    GpuUdf without = new GpuUdf() {};
    String none = device.whyNot(new UdfCall("none", List.of(type), type), without).orElseThrow();
    check(none.contains("it has no CUDA function"), none);
  }

  static void noDriver() throws Exception {
    for (int i = 0; i < 2; i++) {
      check(CudaDevices.find(settings("auto", null, 64 << 20)).isEmpty(), "found some");
      try {
        CudaDevices.find(settings("cuda:0", null, 64 << 20));
        throw new AssertionError("cuda:0 is there");
      } catch (IllegalStateException e) {
        check(e.getMessage().contains("spark.gpusched.devices"), e.getMessage());
        check(e.getMessage().contains(System.getenv("EXPECTED_ERROR")), e.getMessage());
      }
    }
  }

  static void load() throws Exception {
    check(devices().size() == 1, "no device");
  }

  static void discovery() {
    List<CudaDevice> devices = CudaDevices.find(settings("cuda:1,0", null, 64 << 20));
    System.out.println(devices);
  }

  /** Every way to share rows between blocks of threads, with thresholds so low that they do. */
  static void strategies() throws Exception {
    for (String strategy : BlockSettings.STRATEGIES) {
      BlockSettings blocks = eager(strategy);
      CudaDevice device = CudaDevices.find(settings("cuda:0", null, 64 << 20, blocks)).get(0);
      device.open();
      try (Batch batch = Batches.mandelbrot(5000, 7);
          Batch skewed = Batches.skewed(6000);
          CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()));
          CudaLauncher skewedLauncher = new CudaLauncher(device, List.of(skewed.begin()))) {
        compute(device, launcher, batch.rows(), 2500);
        batch.check();
        boolean steals = strategy.equals("stealing") || strategy.equals("hybrid");
        untilTrue(
            "no block of threads took a row from another",
            () -> {
              compute(device, skewedLauncher, skewed.rows(), 1500);
              skewed.check();
              return !steals || device.inner().steals() > 0;
            });
      }
      checkAllGivenBack(device);
      device.close();
    }
  }

  /** A row of which the host form throws: its own error, and the device computes on. */
  static void errorOfTheHostForm() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    try (Batch batch = Batches.unequalRings(600, 450);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      Launch launch = stage(launcher, 0, 600);
      launch.start();
      await(launch);
      launch.publish(0, 450, Batch.onHost(launcher.calls()));
      try {
        launch.publish(450, 600, Batch.onHost(launcher.calls()));
        throw new AssertionError("no error");
      } catch (Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
          cause = cause.getCause();
        }
        check(cause.getMessage().contains("xs has 3 elements and ys has 2"), cause.toString());
      }
      launch.close();
    }
    try (Batch batch = Batches.pointInRing(3000, 5);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      compute(device, launcher, batch.rows(), 1000);
      batch.check();
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** A device that cannot run a cluster as large as is asked for says so. */
  static void tooLargeCluster() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    try (Batch batch = Batches.identity(100, 1)) {
      new CudaLauncher(device, List.of(batch.begin())).close();
      throw new AssertionError("no error");
    } catch (JobRefusedException e) {
      check(e.getMessage().contains("spark.gpusched.cuda.cluster"), e.getMessage());
    }
    device.close();
  }

  /** Two calls that read the same column: it is copied once, and both have it. */
  static void sharedColumns() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    for (int rows : new int[] {3000, 400}) { // the fewer ones lie in no slab, and are staged
      try (Batch batch = Batches.identity(rows, 7)) {
        CallOnDevice first = batch.begin();
        CallOnDevice second = batch.onceMore(first);
        try (CudaLauncher launcher = new CudaLauncher(device, List.of(first, second))) {
          Launch launch = stage(launcher, 0, rows);
          launch.start();
          await(launch);
          launch.publish(0, rows, Batch.onHost(launcher.calls()));
          long bytes = launch.transfers().toDeviceBytes();
          check(bytes < 12L * rows, "a column is copied twice: " + bytes + " bytes");
          launch.close();
          batch.check();
        }
      }
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** A literal goes once a block, and not once a row: of a double, a string and a null. */
  static void literals() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    byte[] word = "a word that is somewhat longer than its place".getBytes(StandardCharsets.UTF_8);
    for (Object value : new Object[] {1.5, null, word}) {
      long columns = toDevice(device, besides(value).argument(row -> value));
      long literals = toDevice(device, besides(value).literal(value));
      check(columns - literals > 8 * 2990, columns + " bytes, with a literal " + literals);
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** A batch whose last argument is still to be filled. */
  private static Batch besides(Object value) {
    int rows = 3000;
    return value instanceof byte[]
        ? Batches.distances(rows).argument(row -> ("" + row).getBytes(StandardCharsets.UTF_8))
        : new Batch(
                rows,
                new FeedFunctions.Plus(),
                "plus",
                DataTypes.DoubleType,
                DataTypes.DoubleType,
                DataTypes.DoubleType)
            .argument(row -> 0.5 * row);
  }

  /** Computes a batch in three blocks: how many bytes went to the device. */
  private static long toDevice(CudaDevice device, Batch given) throws Exception {
    long bytes = 0;
    try (Batch batch = given;
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      int part = batch.rows() / 3;
      for (int from = 0; from < batch.rows(); from += part) {
        Launch launch = stage(launcher, from, from + part);
        launch.start();
        await(launch);
        launch.publish(from, from + part, Batch.onHost(launcher.calls()));
        bytes += launch.transfers().toDeviceBytes();
        launch.close();
      }
      batch.check();
    }
    return bytes;
  }

  /**
   * What a block says that its kernels took: by events, by the time from its launch to its end if
   * it was alone, or nothing.
   */
  static void launchTimes() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    int rows = 2000;
    try (Batch batch = Batches.identity(rows, 7);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      check(device.pipeline().timesNext(), "the first block is not timed");
      long[] cold = takes(launcher, rows);
      check(cold[0] > 0, "a timed block says " + cold[0]);
      check(device.pipeline().timesNext(), "a block that loaded its kernel was enough");
      check(device.pipeline().addedNanos() == 0, "a block that loaded its kernel is learned from");
      long[] timed = takes(launcher, rows);
      check(timed[0] > 0 && timed[0] <= timed[1], "a timed block says " + timed[0]);
      check(!device.pipeline().timesNext(), "each block is timed");
      check(device.pipeline().addedNanos() > 0, "nothing is learned from a timed block");
      long[] alone = takes(launcher, rows);
      check(alone[0] > 0 && alone[0] <= alone[1], "a block that was alone says " + alone[0]);
      while (device.pipeline().addedNanos() < 100_000_000_000L) {
        device.pipeline().learnAdded(Long.MAX_VALUE / 4); // more than any block takes
      }
      alone = takes(launcher, rows);
      check(alone[0] > 0 && alone[0] <= alone[1], "a block that is all added says " + alone[0]);
      for (int round = 0; round < 2; round++) { // in the second, both slots have their memory
        Launch first = stage(launcher, 0, rows);
        first.start();
        Launch second = stage(launcher, 0, rows);
        second.start();
        await(first);
        check(first.computeNanos() > 0, "the first of two says nothing");
        first.publish(0, rows, Batch.onHost(launcher.calls()));
        first.close();
        await(second);
        check(second.computeNanos() < 0, "a block behind another says " + second.computeNanos());
        second.close();
      }
      batch.check();
    }
    checkAllGivenBack(device);
    device.close();
  }

  /**
   * Kernels of a timed block begin after those before it, though in another stream: their time is
   * its own. Streams do what they are asked for here, and what that waits for.
   */
  static void timedBehindAnother() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    CudaPipeline pipeline = device.pipeline();
    for (boolean timed : new boolean[] {true, false}) {
      int bytes = 1024;
      BlockPlan first = LinkCosts.plan(bytes);
      BlockPlan second = LinkCosts.plan(bytes);
      Slot before = pipeline.take(bytes);
      Slot behind = pipeline.take(bytes);
      pipeline.kick(first, first, before, false);
      long results = before.resultsToFill();
      Platform.setMemory(null, results, bytes, (byte) 0x55);
      long poison = Platform.getLong(null, results);
      Platform.setMemory(before.arguments(), (byte) 0, bytes);
      pipeline.kick(second, second, behind, timed);
      behind.join();
      boolean done = false;
      for (int at = 0; at < bytes; at += Long.BYTES) {
        done |= Platform.getLong(null, results + at) != poison;
      }
      check(done == timed, timed ? "it does not wait" : "it waits, and nobody asked for its time");
      before.join();
      for (Slot slot : List.of(before, behind)) {
        check(slot.isDone(), "not done");
        pipeline.giveBack(slot);
      }
      pipeline.rules().closed(first);
      pipeline.rules().closed(second);
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** What a block of its own says that it took, and how long it was under way at most. */
  private static long[] takes(CudaLauncher launcher, int rows) throws Exception {
    long begin = System.nanoTime();
    Launch launch = stage(launcher, 0, rows);
    launch.start();
    await(launch);
    long[] nanos = {launch.computeNanos(), System.nanoTime() - begin};
    launch.publish(0, rows, Batch.onHost(launcher.calls()));
    launch.close();
    return nanos;
  }

  /** What the blocks of threads counted, as the device tells it; two calls a block of rows. */
  static void counts() throws Exception {
    BlockSettings blocks = eager("hybrid");
    CudaDevice device = CudaDevices.find(settings("cuda:0", null, 64 << 20, blocks)).get(0);
    device.open();
    long[] rows = new long[1];
    for (int blockRows : new int[] {1500, 400, 3000}) {
      try (Batch skewed = Batches.skewed(6000);
          Batch even = Batches.mandelbrot(6000, blockRows);
          CudaLauncher launcher = new CudaLauncher(device, List.of(skewed.begin(), even.begin()))) {
        untilTrue(
            "no block of threads took a row from another",
            () -> {
              compute(device, launcher, skewed.rows(), blockRows);
              skewed.check();
              even.check();
              rows[0] += skewed.rows() + even.rows();
              return device.inner().steals() > 0;
            });
      }
    }
    io.github.sparkgpusched.api.InnerLoad inner = device.inner();
    check(inner.stalledNanosByEdge().containsKey(DeviceCounts.ARGUMENTS), "no stalls: " + inner);
    check(inner.stalledNanos() > 0, "no stalls: " + inner);
    System.out.printf(
        "kernels counted %d rows, %d steals, %d won, %d in vain, %d offers%n",
        rows[0], inner.stealRequests(), inner.steals(), inner.emptySteals(), inner.offers());
    checkAllGivenBack(device);
    device.close();
  }

  /** Compiles one function. */
  static void compile() throws Exception {
    try (Batch batch = Batches.repeat(10, 1)) {
      check(devices().get(0).whyNot(batch.call(), batch.udf()).isEmpty(), "does not compile");
    }
  }
}
