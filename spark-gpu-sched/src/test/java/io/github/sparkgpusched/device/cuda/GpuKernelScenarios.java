package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.device.cuda.CudaScenarios.LAUNCHES_BESIDE;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.check;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.compute;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.launchesBesideWhatStays;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import java.util.List;
import java.util.Optional;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.JCudaDriver;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;

/** What a GPU makes of kernels, each in a process of its own: see {@link CudaScenarios}. */
final class GpuKernelScenarios {
  private static final int STRICT_FUNCTIONS = 19;

  private GpuKernelScenarios() {}

  /** One of the functions of StrictMath. */
  static final class Strict implements UDF2<Double, Integer, Double>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Double call(Double value, Integer which) {
      double x = value;
      double part = x / 1000;
      double positive = x < 0 ? -x : x;
      return switch (which) {
        case 0 -> StrictMath.sin(x);
        case 1 -> StrictMath.cos(x);
        case 2 -> StrictMath.tan(x);
        case 3 -> StrictMath.asin(part);
        case 4 -> StrictMath.acos(part);
        case 5 -> StrictMath.atan(x);
        case 6 -> StrictMath.exp(x);
        case 7 -> StrictMath.expm1(x);
        case 8 -> StrictMath.log(positive);
        case 9 -> StrictMath.log10(positive);
        case 10 -> StrictMath.log1p(positive);
        case 11 -> StrictMath.sqrt(positive);
        case 12 -> StrictMath.cbrt(x);
        case 13 -> StrictMath.sinh(x);
        case 14 -> StrictMath.cosh(x);
        case 15 -> StrictMath.tanh(x);
        case 16 -> StrictMath.atan2(x, 3.0);
        case 17 -> StrictMath.pow(positive, part);
        default -> StrictMath.hypot(x, 7.0);
      };
    }

    @Override
    public Optional<CudaSource> cuda() {
      return Optional.of(CudaSource.resource("strict.cu", "strict"));
    }
  }

  /** Not exact, but of what Java and GPUs round alike. */
  static final class Quotient implements UDF1<Double, Double>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Double call(Double x) {
      return StrictMath.sqrt(x < 0 ? -x : x) / 3;
    }

    @Override
    public Optional<CudaSource> cuda() {
      return Optional.of(CudaSource.resource("quotient.cu", "quotient").notExact());
    }
  }

  /** From -700 to 700, with all the digits that doubles have. */
  private static double number(int row, int rows) {
    return (row + 0.25) / 7 * (9800.0 / rows) - 700;
  }

  /** The functions of StrictMath give its bytes. */
  static void strictMath() throws Exception {
    for (CudaDevice device : Gpu.require()) {
      int rows = Gpu.isDouble(device) ? 3800 : 190_000;
      allRows(
          device,
          new Batch(
                  rows,
                  new Strict(),
                  "strict",
                  DataTypes.DoubleType,
                  DataTypes.DoubleType,
                  DataTypes.IntegerType)
              .argument(row -> number(row, rows))
              .argument(row -> row % STRICT_FUNCTIONS));
    }
  }

  /** Where fused products are allowed, roots and quotients are rounded as Java's. */
  static void notExact() throws Exception {
    for (CudaDevice device : Gpu.require()) {
      int rows = Gpu.isDouble(device) ? 3000 : 100_000;
      allRows(
          device,
          new Batch(rows, new Quotient(), "quotient", DataTypes.DoubleType, DataTypes.DoubleType)
              .argument(row -> number(row, rows)));
    }
  }

  private static void allRows(CudaDevice device, Batch batch) throws Exception {
    try (batch) {
      Optional<String> reason = device.whyNot(batch.call(), batch.udf());
      check(reason.isEmpty(), reason.orElse(""));
      device.open();
      try (CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        compute(device, launcher, batch.rows(), batch.rows() / 3);
        batch.check();
      }
      device.close();
    }
  }

  /**
   * Launches of as many blocks of threads as the GPU has room for, beside a kernel that stays with
   * as many as may: some of the launch's find room, and it ends while the other stays.
   */
  static void residentBesideAFullGrid() throws Exception {
    BlockSettings blocks = new BlockSettings("hybrid", "steps", 1, 2, 4, 4, 1000, 16);
    for (CudaDevice found : Gpu.require()) {
      int most = ResidentKernel.mostBlocks(found.gpu().multiprocessors());
      CudaSettings settings = Gpu.settings(null, blocks, new ResidentSettings(most, 16 << 10), 1);
      CudaDevice device = Gpu.require(settings).get(found.gpu().index());
      device.open();
      try (Batch one = Batches.mandelbrot(400, 1);
          CudaLauncher few = new CudaLauncher(device, List.of(one.begin()))) {
        int room = few.mostBlocks(0);
        check(room > most, most + " blocks of threads stay where there is room for " + room);
        int rows = Gpu.isDouble(device) ? 6000 : 512 * room;
        int rounds;
        try (Batch large = Batches.mandelbrot(rows, 2);
            CudaLauncher many = new CudaLauncher(device, List.of(large.begin()))) {
          rounds = launchesBesideWhatStays(device, few, one, many, large, rows);
        }
        System.out.println(
            "RESULT %s: %d of %d launches of %d blocks of threads ran beside %d that stay"
                .formatted(device.name(), LAUNCHES_BESIDE, rounds, room, most));
      }
      device.close();
    }
  }

  /**
   * Two blocks of threads of each kernel fit a multiprocessor (MIN_BLOCKS in udf.cuh), and as many
   * as {@link PackingTest} has it by registers.
   */
  static void occupancy() throws Exception {
    for (CudaDevice device : Gpu.require()) {
      device.open();
      Optional<PackingTest.Gpu> model = PackingTest.Gpu.of(device.gpu().architecture());
      for (Batch batch : Batches.builtIn(10, 1)) {
        try (batch;
            CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
          int blocks = launcher.mostBlocks(0) / device.gpu().multiprocessors();
          check(blocks >= 2, blocks + " blocks of threads of " + batch.call().name());
          if (Gpu.isDouble(device)) {
            continue; // whose kernels have no registers
          }
          int[] registers = new int[1];
          int attribute = CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS;
          check(
              JCudaDriver.cuFuncGetAttribute(registers, attribute, launcher.function(0)) == 0,
              "cuFuncGetAttribute");
          PackingTest.Kernel kernel =
              new PackingTest.Kernel(
                  batch.call().name(), device.gpu().architecture(), registers[0]);
          Optional<Integer> expected = model.map(gpu -> gpu.occupancy(kernel));
          System.out.println(
              "RESULT %s: %d blocks of threads of %s on a multiprocessor, with %d registers; by the model %s"
                  .formatted(
                      device.name(),
                      blocks,
                      kernel.name(),
                      kernel.registers(),
                      expected.map(String::valueOf).orElse("unknown")));
          check(expected.orElse(blocks) == blocks, "the model has " + expected);
        }
      }
      if (model.isPresent() && !Gpu.isDouble(device)) {
        checkTable(device, model.get());
      }
      device.close();
    }
  }

  /** What the model takes from NVIDIA's tables, as the driver has it. */
  private static void checkTable(CudaDevice device, PackingTest.Gpu model) {
    int[][] expected = {
      {CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, model.threads},
      {
        CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,
        PackingTest.REGISTERS
      },
    };
    CUdevice handle = new CUdevice();
    check(JCudaDriver.cuDeviceGet(handle, device.gpu().ordinal()) == 0, "cuDeviceGet");
    for (int[] attribute : expected) {
      int[] value = new int[1];
      check(
          JCudaDriver.cuDeviceGetAttribute(value, attribute[0], handle) == 0,
          "cuDeviceGetAttribute");
      check(
          value[0] == attribute[1],
          model + ": attribute " + attribute[0] + " is " + value[0] + ", not " + attribute[1]);
    }
  }

  /** The PTX of the jar, as the driver compiles it, also where the jar has SASS. */
  static void ptxInPlaceOfSass() throws Exception {
    CudaSettings settings = Gpu.settings(null, BlockSettings.DEFAULT);
    for (CudaDevice found : Gpu.require(settings)) {
      CudaDevice device =
          new CudaDevice(
              withoutSass(found.gpu()), settings, new CudaKernels(settings, DriverLibrary.open()));
      device.open();
      int rows = Gpu.isDouble(device) ? 500 : 30_000;
      for (Batch batch : Batches.builtIn(rows, 5)) {
        try (batch;
            CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
          String image = device.kernel(batch.call(), batch.udf()).toString();
          check(image.contains(".ptx "), "no PTX: " + image);
          compute(device, launcher, rows, rows / 3);
          batch.check();
        }
      }
      device.close();
    }
  }

  /** The same GPU, as of a newer compute capability than its own that there is no SASS for. */
  private static GpuFacts withoutSass(GpuFacts gpu) {
    GpuFacts.Builder facts = new GpuFacts.Builder();
    facts.ordinal = gpu.ordinal();
    facts.index = gpu.index();
    facts.uuidHex = gpu.uuidHex();
    facts.product = gpu.product();
    facts.major = gpu.major();
    // 8.9 has SASS.
    facts.minor = gpu.major() == 8 ? 8 : 9;
    facts.memoryBytes = gpu.memoryBytes();
    facts.multiprocessors = gpu.multiprocessors();
    facts.copyEngines = gpu.copyEngines();
    facts.memoryPools = gpu.memoryPools();
    facts.pciBusId = gpu.pciBusId();
    facts.numaNode = gpu.numaNode();
    return facts.build();
  }
}
