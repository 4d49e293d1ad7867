package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.Launch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jcuda.driver.JCudaDriver;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/** Faults of a GPU, each in a process of its own: the first argument names a method. */
final class GpuScenarios {
  /** Bytes of device memory that are left for blocks where memory is short. */
  private static final long LEFT_BYTES = 64L << 20;

  private GpuScenarios() {}

  public static void main(String[] arguments) throws Throwable {
    try {
      GpuScenarios.class.getDeclaredMethod(arguments[0]).invoke(null);
    } catch (java.lang.reflect.InvocationTargetException e) {
      e.getCause().printStackTrace(System.out);
      Runtime.getRuntime().halt(1);
    }
    System.out.println("scenario done");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

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
        Launch launch = launcher.stage(from, until);
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
          Thread.onSpinWait();
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

  /** Traps on device 0, and looks what the other devices of the process do then. */
  static void trap() throws Exception {
    List<CudaDevice> devices = Gpu.require();
    for (CudaDevice device : devices) {
      device.open();
    }
    CudaDevice first = devices.get(0);
    Batch batch =
        new Batch(1000, new Trap(), "trap", DataTypes.DoubleType, DataTypes.DoubleType)
            .argument(row -> (double) row);
    first
        .whyNot(batch.call(), batch.udf())
        .ifPresent(
            reason -> {
              throw new IllegalStateException(reason);
            });
    try {
      CudaLauncher launcher = new CudaLauncher(first, List.of(batch.begin()));
      CudaScenarios.compute(first, launcher, batch.rows(), 100);
      throw new AssertionError("no trap");
    } catch (DeviceFailedException e) {
      System.out.println("RESULT the trap: " + e.getMessage());
      check(e.getMessage().startsWith(first.name() + ": "), e.getMessage());
    }
    for (CudaDevice device : devices) {
      System.out.println("RESULT after a trap on " + first.name() + ", " + after(device));
    }
  }

  private static String after(CudaDevice device) throws Exception {
    try (Batch batch = Batches.identity(3000, 3);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      CudaScenarios.compute(device, launcher, batch.rows(), 500);
      batch.check();
      return device.name() + " computes";
    } catch (DeviceFailedException e) {
      return e.getMessage();
    }
  }

  static void trapInSpark() throws Exception {
    inSpark(new Trap());
  }

  static void tooLongInSpark() throws Exception {
    inSpark(new TooLong());
  }

  /** The answer is that of the host form, and nobody waits for long. */
  private static void inSpark(UDF1<Double, Double> udf) throws Exception {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.devices", "cuda:*")
            .config("spark.gpusched.device.timeoutMillis", "2000")
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
    }
  }
}
