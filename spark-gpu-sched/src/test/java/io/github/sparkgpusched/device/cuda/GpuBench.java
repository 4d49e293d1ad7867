package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.schedule.Stages.stage;

import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.functions.MandelbrotIterations;
import io.github.sparkgpusched.schedule.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.apache.spark.sql.types.DataTypes;

/**
 * What the first GPU of this host does in which time: medians, and ratios of one run. Prints
 * Markdown tables and writes them to a file.
 *
 * <p>Usage: {@code GpuBench OUT_FILE [quick]}; quick is for the test double, whose times say
 * nothing of GPUs.
 */
final class GpuBench {
  private static final int REPETITIONS = 7;

  /** Rows of a kernel on a workload. */
  private static final int ROWS = 400_000;

  /** Iterations of a row on average; the most expensive has at most {@link #MOST_ITERATIONS}. */
  private static final int MEAN_ITERATIONS = 2_000;

  private static final int MOST_ITERATIONS = 60_000;

  private static final String THREAD_PER_ROW = "a thread a row";

  private final boolean quick;
  private final StringBuilder report = new StringBuilder();

  private GpuBench(boolean quick) {
    this.quick = quick;
  }

  public static void main(String[] arguments) throws Exception {
    GpuBench bench = new GpuBench(arguments.length > 1 && arguments[1].equals("quick"));
    CudaDevice device = device(null, BlockSettings.DEFAULT);
    bench.line("Device: " + device + (Gpu.isDouble(device) ? " (no result about GPUs)" : ""));
    Rates rates = bench.rates(device);
    bench.workloads();
    bench.functions(rates);
    bench.pipeline(rates);
    bench.smallBlocks();
    Files.writeString(Path.of(arguments[0]), bench.report);
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private void line(String text, Object... values) {
    String line = values.length == 0 ? text : String.format(Locale.ROOT, text, values);
    System.out.println(line);
    report.append(line).append('\n');
  }

  private static CudaDevice device(PipelineDepth depth, BlockSettings blocks) throws Exception {
    return device(Gpu.settings(depth, blocks));
  }

  private static CudaDevice device(CudaSettings settings) throws Exception {
    CudaDevice device = CudaDevices.find(settings).get(0);
    device.open();
    return device;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private interface Timed {
    double seconds() throws Exception;
  }

  /** The median of several, after one that is not measured. */
  private double median(Timed timed) throws Exception {
    int repetitions = quick ? 1 : REPETITIONS;
    double[] seconds = new double[repetitions];
    timed.seconds();
    for (int i = 0; i < repetitions; i++) {
      seconds[i] = timed.seconds();
    }
    return median(seconds);
  }

  /**
   * Bytes a second of copies to and from the device, one at a time, from page-locked memory, and of
   * filling the device's own memory.
   */
  private record Rates(double toDevice, double fromDevice, double ofMemory) {}

  private Rates rates(CudaDevice device) throws Exception {
    long bytes = quick ? 1 << 20 : 256L << 20;
    Pointer host = new Pointer();
    CUdeviceptr memory = new CUdeviceptr();
    check(JCudaDriver.cuMemHostAlloc(host, bytes, 0), "cuMemHostAlloc");
    check(JCudaDriver.cuMemAlloc(memory, bytes), "cuMemAlloc");
    Calls calls = new Calls(device.name());
    CUstream stream = calls.newStream();
    double to =
        median(
            () ->
                seconds(
                    () -> {
                      check(
                          JCudaDriver.cuMemcpyHtoDAsync(memory, host, bytes, stream),
                          "cuMemcpyHtoDAsync");
                      calls.join(stream);
                    }));
    double from =
        median(
            () ->
                seconds(
                    () -> {
                      check(
                          JCudaDriver.cuMemcpyDtoHAsync(host, memory, bytes, stream),
                          "cuMemcpyDtoHAsync");
                      calls.join(stream);
                    }));
    double within =
        median(
            () ->
                seconds(
                    () -> {
                      check(
                          JCudaDriver.cuMemsetD8Async(memory, (byte) 1, bytes, stream),
                          "cuMemsetD8Async");
                      calls.join(stream);
                    }));
    check(JCudaDriver.cuMemFree(memory), "cuMemFree");
    check(JCudaDriver.cuMemFreeHost(host), "cuMemFreeHost");
    Rates rates = new Rates(bytes / to, bytes / from, bytes / within);
    line(
        "Copies of %d MiB: %.1f GB/s to the device, %.1f GB/s from it; filling its own memory %.1f GB/s",
        bytes >> 20, rates.toDevice() / 1e9, rates.fromDevice() / 1e9, rates.ofMemory() / 1e9);
    line(
        "The device, when opened, counts %.1f us for launching and copying a block, and %.1f GB/s",
        device.spec().launchNanos() / 1e3, 1 / device.transferNanosPerByte());
    return rates;
  }

  private static void check(int code, String function) throws Exception {
    CudaErrors.check(code, "the GPU", function);
  }

  private interface Act {
    void run() throws Exception;
  }

  private static double seconds(Act act) throws Exception {
    long begin = System.nanoTime();
    act.run();
    return (System.nanoTime() - begin) / 1e9;
  }

  /** Work of a row by its place in the range, 0 to 1: the work-stealing tree's irregular loops. */
  private static Map<String, DoubleUnaryOperator> profiles() {
    Random random = new Random(1);
    Map<String, DoubleUnaryOperator> profiles = new LinkedHashMap<>();
    profiles.put("uniform", x -> 1);
    profiles.put("triangle", x -> x);
    profiles.put("invtriangle", x -> 1 - x);
    profiles.put("parabola", x -> x * x);
    profiles.put("exp", x -> Math.pow(2, 15 * x));
    profiles.put("hill", x -> 1 - Math.abs(2 * x - 1));
    profiles.put("valley", x -> Math.abs(2 * x - 1));
    profiles.put("gaussian", x -> Math.abs(random.nextGaussian()));
    profiles.put("randif", x -> random.nextInt(10) == 0 ? 1 : 1e-6);
    profiles.put("step", x -> x >= 11.0 / 15 ? 1 : 1e-4);
    profiles.put("step2", x -> x < 3.0 / 15 ? 1 : 1e-6);
    profiles.put("step3", x -> x >= 11.0 / 15 ? 1 : 1e-6);
    profiles.put("step4", x -> x >= 3.0 / 15 && x < 7.0 / 15 ? 1 : 1e-6);
    return profiles;
  }

  /** Iterations of each row of a workload. */
  private int[] iterations(DoubleUnaryOperator profile) {
    int rows = quick ? 2000 : ROWS;
    double[] work = new double[rows];
    for (int i = 0; i < rows; i++) {
      work[i] = profile.applyAsDouble((i + 0.5) / rows);
    }
    double sum = Arrays.stream(work).sum();
    double most = Arrays.stream(work).max().orElse(1);
    double mean = quick ? 20 : MEAN_ITERATIONS;
    double scale = Math.min(mean * rows / sum, (quick ? 600 : MOST_ITERATIONS) / most);
    return Arrays.stream(work)
        .mapToInt(share -> Math.max(1, (int) Math.round(share * scale)))
        .toArray();
  }

  private static Batch workload(int[] iterations) {
    return new Batch(
            iterations.length,
            new MandelbrotIterations(),
            "mandelbrot_iterations",
            DataTypes.IntegerType,
            DataTypes.DoubleType,
            DataTypes.DoubleType,
            DataTypes.IntegerType)
        .argument(row -> 0.0)
        .argument(row -> 0.0)
        .argument(row -> iterations[row]);
  }

  /**
   * Kernel time of every way to share rows between blocks of threads, in milliseconds, beside a
   * launch of a thread for each row. The floor is the workload's iterations at the best rate that
   * any way reached on uniform work.
   */
  private void workloads() throws Exception {
    line("");
    line(
        "Kernel time in ms by spark.gpusched.cuda.block.strategy, %d rows a launch:",
        quick ? 2000 : ROWS);
    line("");
    line(
        "| Workload | %s | a thread a row | stealing / best other | static / stealing | a thread a row / stealing | stealing / floor |",
        String.join(" | ", BlockSettings.STRATEGIES));
    line("|---|%s---:|---:|---:|---:|---:|", "---:|".repeat(BlockSettings.STRATEGIES.size()));
    double iterationsPerSecond = 0;
    for (Map.Entry<String, DoubleUnaryOperator> profile : profiles().entrySet()) {
      Map<String, Double> seconds = new LinkedHashMap<>();
      int[] iterations = iterations(profile.getValue());
      try (Batch batch = workload(iterations)) {
        for (String strategy : BlockSettings.STRATEGIES) {
          seconds.put(strategy, kernelSeconds(batch, BlockSettings.DEFAULT.with(strategy), false));
        }
        seconds.put(
            THREAD_PER_ROW, kernelSeconds(batch, BlockSettings.DEFAULT.with("static"), true));
        batch.check();
      }
      double stealing = seconds.get("stealing");
      double best =
          seconds.entrySet().stream()
              .filter(e -> !e.getKey().equals("stealing"))
              .mapToDouble(Map.Entry::getValue)
              .min()
              .orElseThrow();
      double work = Arrays.stream(iterations).asLongStream().sum();
      if (iterationsPerSecond == 0) { // the first workload is the uniform one
        iterationsPerSecond = work / Math.min(stealing, best);
      }
      StringBuilder cells = new StringBuilder();
      seconds.values().forEach(s -> cells.append(String.format(Locale.ROOT, " %.3f |", 1e3 * s)));
      line(
          "| %s |%s %.3f | %.2f | %.2f | %.2f |",
          profile.getKey(),
          cells,
          stealing / best,
          seconds.get("static") / stealing,
          seconds.get(THREAD_PER_ROW) / stealing,
          stealing * iterationsPerSecond / work);
    }
  }

  /** Of the kernel alone, by the device's clock, for all rows in one launch. */
  private double kernelSeconds(Batch batch, BlockSettings blocks, boolean threadPerRow)
      throws Exception {
    CudaDevice device = device(null, blocks);
    try (CudaLauncher launcher = CudaLauncher.timed(device, List.of(batch.begin()), threadPerRow)) {
      return median(
          () -> {
            Launch launch = stage(launcher, 0, batch.rows());
            launch.start();
            await(launch);
            double seconds = launch.computeNanos() / 1e9;
            launch.publish(0, batch.rows(), Batch.onHost(launcher.calls()));
            launch.close();
            return seconds;
          });
    } finally {
      device.close();
    }
  }

  private static void await(Launch launch) throws Exception {
    while (!launch.isDone()) {
      Thread.onSpinWait();
    }
  }

  /** The built-in functions: kernel, whole block, and the floor that copies set. */
  private void functions(Rates rates) throws Exception {
    line("");
    line(
        "Built-in functions, one block: kernel, a thread a row instead, the same bytes at the rate of the device's memory; whole block (staging, copies, kernel, results), copies alone at the rates above:");
    line("");
    line(
        "| Function | Rows | Kernel ms | A thread a row ms | Memory ms | Kernel / memory | Block ms | Copies ms | Block / copies |");
    line("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (Batch batch : Batches.builtIn(quick ? 1000 : 2_000_000, 5)) {
      try (batch) {
        double kernel = kernelSeconds(batch, BlockSettings.DEFAULT, false);
        double threadPerRow = kernelSeconds(batch, BlockSettings.DEFAULT.with("static"), true);
        CudaDevice device = device(null, BlockSettings.DEFAULT);
        CallOnDevice call = batch.begin();
        StagedCall staged = new StagedCall(call.columns(), 0, batch.rows(), device.stringBytes());
        double copies =
            staged.bytes() / rates.toDevice() + staged.resultBytes() / rates.fromDevice();
        double memory = (staged.bytes() + staged.resultBytes()) / rates.ofMemory();
        double block;
        try (CudaLauncher launcher = new CudaLauncher(device, List.of(call))) {
          block =
              median(
                  () ->
                      seconds(
                          () ->
                              CudaScenarios.compute(device, launcher, batch.rows(), batch.rows())));
        }
        device.close();
        line(
            "| %s | %d | %.3f | %.3f | %.3f | %.2f | %.3f | %.3f | %.2f |",
            batch.call().name(),
            batch.rows(),
            kernel * 1e3,
            threadPerRow * 1e3,
            memory * 1e3,
            kernel / memory,
            block * 1e3,
            copies * 1e3,
            block / copies);
      }
    }
  }

  /** A function that is all copies, in blocks, with and without overlap. */
  private void pipeline(Rates rates) throws Exception {
    line("");
    line(
        "multiply_add in blocks: copies and kernels overlapped against one block at a time; the floor is the slower direction's copies alone:");
    line("");
    line(
        "| Rows a block | pipelined ms | drain before kick ms | serial / pipelined | floor ms | floor / pipelined |");
    line("|---:|---:|---:|---:|---:|---:|");
    int rows = quick ? 4000 : 16_000_000;
    try (Batch batch = Batches.multiplyAdd(rows, 5)) {
      StagedCall staged = new StagedCall(batch.begin().columns(), 0, rows, 0);
      double floor =
          Math.max(staged.bytes() / rates.toDevice(), staged.resultBytes() / rates.fromDevice());
      for (int blockRows : new int[] {rows / 64, rows / 16, rows / 4}) {
        double pipelined = blocks(batch, PipelineDepth.PIPELINED, blockRows);
        double serial = blocks(batch, PipelineDepth.DRAIN_BEFORE_KICK, blockRows);
        line(
            "| %d | %.2f | %.2f | %.2f | %.2f | %.2f |",
            blockRows,
            pipelined * 1e3,
            serial * 1e3,
            serial / pipelined,
            floor * 1e3,
            floor / pipelined);
      }
      batch.check();
    }
  }

  private double blocks(Batch batch, PipelineDepth depth, int blockRows) throws Exception {
    CudaDevice device = device(depth, BlockSettings.DEFAULT);
    try (CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      double seconds =
          median(
              () ->
                  seconds(() -> CudaScenarios.compute(device, launcher, batch.rows(), blockRows)));
      System.out.println(
          depth + ": kernels waited " + device.inner().stalledNanos() / 1000 + " us for arguments");
      return seconds;
    } finally {
      device.close();
    }
  }

  /**
   * From the owner's call to the results in page-locked memory: launches, and a kernel that stays.
   */
  private void smallBlocks() throws Exception {
    line("");
    line("Small blocks of multiply_add, one at a time, a launch each against a kernel that stays:");
    line("");
    line("| Rows | launch µs | p95 µs | kernel µs | resident µs | p95 µs | launch / resident |");
    line("|---:|---:|---:|---:|---:|---:|---:|");
    for (int rows : new int[] {1, 100, 1000}) {
      Small launched = small(ResidentSettings.OFF, rows);
      Small stays = small(new ResidentSettings(8, 64 << 10), rows);
      line(
          "| %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f |",
          rows,
          launched.medianMicros(),
          launched.p95Micros(),
          launched.kernelMicros(),
          stays.medianMicros(),
          stays.p95Micros(),
          launched.medianMicros() / stays.medianMicros());
    }
  }

  private record Small(double medianMicros, double p95Micros, double kernelMicros) {}

  private Small small(ResidentSettings resident, int rows) throws Exception {
    CudaDevice device = device(Gpu.settings(null, BlockSettings.DEFAULT, resident, 1));
    try (Batch batch = Batches.multiplyAdd(rows, 5);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      int repetitions = quick ? 2 : 2000;
      double[] micros = new double[repetitions];
      double[] kernel = new double[repetitions];
      for (int i = -repetitions / 10; i < repetitions; i++) {
        long begin = System.nanoTime();
        Launch launch = stage(launcher, 0, rows);
        launch.start();
        await(launch);
        long end = System.nanoTime();
        if (i >= 0) {
          micros[i] = (end - begin) / 1e3;
          kernel[i] = launch.computeNanos() / 1e3;
        }
        launch.publish(0, rows, Batch.onHost(launcher.calls()));
        launch.close();
      }
      batch.check();
      Arrays.sort(micros);
      return new Small(median(micros), micros[repetitions * 95 / 100], median(kernel));
    } finally {
      device.close();
    }
  }
}
