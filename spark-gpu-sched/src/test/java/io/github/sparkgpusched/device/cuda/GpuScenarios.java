package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.schedule.Stages.stage;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import jcuda.driver.JCudaDriver;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/**
 * Faults of a GPU, each in a process of its own: see {@link CudaScenarios}. On the test double,
 * whose function does not trap, the double's own fault stands for the trap.
 */
final class GpuScenarios {
  /** Bytes of device memory that are left for blocks where memory is short. */
  private static final long LEFT_BYTES = 64L << 20;

  /** Bytes of device memory that a recovery may cost: less than a context takes. */
  private static final long LOST_BYTES = 64L << 20;

  private GpuScenarios() {}

  private static void check(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  /** All memory but a little is taken; a block that needs more is refused, and its parts run. */
  static void outOfMemory() throws Exception {
    CudaDevice device = Gpu.require().get(0);
    device.open();
    long free = device.facts().freeBytes();
    Addresses.DevicePointer taken = new Addresses.DevicePointer();
    check(JCudaDriver.cuMemAlloc(taken, free - LEFT_BYTES) == 0, "cannot take " + free + " bytes");
    int refused = 0;
    try (Batch batch = Batches.identity(8_000_000, 3);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      int rows = batch.rows();
      for (int from = 0; from < batch.rows(); ) {
        int until = Math.min(batch.rows(), from + rows);
        Launch launch = stage(launcher, from, until);
        try {
          launch.start();
        } catch (DeviceMemoryException e) {
          System.out.println(e.getMessage());
          launch.close();
          rows /= 2;
          refused++;
          continue;
        }
        while (!launch.isDone()) {
          CudaScenarios.pause();
        }
        launch.publish(from, until, Batch.onHost(launcher.calls()));
        launch.close();
        from = until;
      }
      batch.check();
    }
    check(refused > 0, "nothing was refused with " + LEFT_BYTES + " bytes left");
    JCudaDriver.cuMemFree(taken);
    device.close();
  }

  /** Its function traps for one value. */
  static final class Trap implements UDF1<Double, Double>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Double call(Double value) {
      return value;
    }

    @Override
    public Optional<CudaSource> cuda() {
      return Optional.of(CudaSource.resource("trap.cu", "trap_at_777"));
    }
  }

  /** Its function takes about eight seconds for one value, and then ends. */
  static final class TooLong implements UDF1<Double, Double>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Double call(Double value) {
      return value;
    }

    @Override
    public Optional<CudaSource> cuda() {
      return Optional.of(CudaSource.resource("too_long.cu", "too_long"));
    }
  }

  /**
   * Traps on device 0, looks what the other devices of the process do then, and has it recover: it
   * refuses the function, computes others, and has the memory that it had.
   */
  static void trapAndRecovery() throws Exception {
    List<Owned> devices = new ArrayList<>();
    for (CudaDevice device : Gpu.require()) {
      devices.add(new Owned(device, Executors.newSingleThreadExecutor()));
    }
    for (Owned owned : devices) {
      owned.does(CudaDevice::open);
    }
    Owned first = devices.get(0);
    String name = first.device().name();
    first.does(GpuScenarios::computes);
    long[] free = new long[1];
    first.does(device -> free[0] = device.facts().freeBytes());
    first.does(GpuScenarios::trapOn);
    for (Owned owned : devices) {
      owned.does(
          device -> System.out.println("RESULT after a trap on " + name + ", " + after(device)));
    }
    first.does(
        device -> {
          check(device.recover(), "does not recover");
          check(whyNotTrap(device).isPresent(), "the function that traps is not refused");
          computes(device);
          long lost = free[0] - device.facts().freeBytes();
          System.out.println(
              "RESULT " + name + " recovered, and has " + (lost >> 10) + " KiB less memory");
          check(lost < LOST_BYTES, lost + " bytes are lost");
        });
    for (Owned owned : devices) {
      owned.does(CudaDevice::close);
    }
  }

  private interface Act {
    void on(CudaDevice device) throws Exception;
  }

  /** A device and its owner's thread, whose context is the device's. */
  private record Owned(CudaDevice device, ExecutorService owner) {
    void does(Act act) throws Exception {
      try {
        owner
            .submit(
                () -> {
                  act.on(device);
                  return null;
                })
            .get();
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
      }
    }
  }

  private static Batch traps() throws Exception {
    return new Batch(1000, new Trap(), "trap", DataTypes.DoubleType, DataTypes.DoubleType)
        .argument(row -> (double) row);
  }

  private static Optional<String> whyNotTrap(CudaDevice device) throws Exception {
    try (Batch batch = traps()) {
      return device.whyNot(batch.call(), batch.udf());
    }
  }

  private static void trapOn(CudaDevice device) throws Exception {
    try (Batch batch = traps()) {
      device
          .whyNot(batch.call(), batch.udf())
          .ifPresent(
              reason -> {
                throw new IllegalStateException(reason);
              });
      try (CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        CudaScenarios.compute(device, launcher, batch.rows(), 100);
        throw new AssertionError("no trap");
      } catch (DeviceFailedException e) {
        System.out.println("RESULT the trap: " + e.getMessage());
        check(e.getMessage().startsWith(device.name() + ": "), e.getMessage());
      }
    }
  }

  /** Two other functions give the bytes of their host forms. */
  static void computes(CudaDevice device) throws Exception {
    for (Batch batch : List.of(Batches.identity(3000, 3), Batches.multiplyAdd(3000, 4))) {
      try (batch;
          CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        CudaScenarios.compute(device, launcher, batch.rows(), 500);
        batch.check();
      }
    }
  }

  private static String after(CudaDevice device) {
    try {
      computes(device);
      return device.name() + " computes";
    } catch (Exception e) {
      return e.getMessage();
    }
  }

  /** A module that is no PTX costs its kernel, and not the device. */
  static void brokenModule() throws Exception {
    for (CudaDevice device : Gpu.require()) {
      device.open();
      String ptx =
          ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry broken_c1() { no; }\n";
      try {
        device.function(KernelImage.ofPtx("broken", "broken_c1", ptx, 1));
        throw new AssertionError("loaded: " + ptx);
      } catch (JobRefusedException e) {
        System.out.println("RESULT " + e.getMessage());
        check(e.getMessage().startsWith(device.name() + ": "), e.getMessage());
      }
      computes(device);
      device.close();
    }
  }

  /** Afterwards the GPUs compute again. */
  static void trapInSpark() throws Exception {
    inSpark(new Trap(), GpuScenarios::computesAgain);
  }

  static void tooLongInSpark() throws Exception {
    inSpark(new TooLong(), spark -> {});
  }

  /** The answer is that of the host form, and nobody waits for long. */
  private static void inSpark(UDF1<Double, Double> udf, Consumer<SparkSession> afterwards)
      throws Exception {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.devices", "cuda:*")
            .config(
                "spark.gpusched.device.timeoutMillis",
                System.getenv().getOrDefault("TIMEOUT_MILLIS", "2000"))
            .getOrCreate()) {
      spark.udf().register("faulty", udf, DataTypes.DoubleType);
      List<Row> sum =
          spark
              .sql("select sum(faulty(cast(id as double))) from range(0, 100000, 1, 4)")
              .collectAsList();
      check(sum.get(0).getDouble(0) == 100_000.0 * 99_999 / 2, sum.toString());
      Map<String, ?> work = LoadAccumulator.of(spark.sparkContext()).value();
      System.out.println("RESULT " + work);
      check(
          work.keySet().stream().anyMatch(device -> device.contains("host:")),
          "the rows that GPUs could not compute were not computed by cores: " + work);
      afterwards.accept(spark);
    }
  }

  private static void computesAgain(SparkSession spark) {
    long before = rowsOnGpus(spark);
    spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
    double sum =
        spark
            .sql("select sum(multiply_add(cast(id as double), 2D, 1D)) from range(0, 100000, 1, 4)")
            .collectAsList()
            .get(0)
            .getDouble(0);
    check(sum == 100_000.0 * 99_999 + 100_000, "another sum: " + sum);
    List<Row> states = CudaSparkApp.ofGpus(spark.sql("select device, state from gpusched_load()"));
    System.out.println("RESULT after the trap " + states);
    check(
        !states.isEmpty() && states.stream().allMatch(row -> row.getString(1).equals("active")),
        "not all GPUs take work again: " + states);
    long rows = rowsOnGpus(spark) - before;
    check(rows > 0, "no row was computed on a GPU after the trap");
    System.out.println("RESULT after the trap " + rows + " rows on GPUs");
  }

  private static long rowsOnGpus(SparkSession spark) {
    return LoadAccumulator.of(spark.sparkContext()).value().entrySet().stream()
        .filter(work -> work.getKey().contains("cuda:"))
        .mapToLong(work -> work.getValue().rows())
        .sum();
  }
}
