package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.device.cuda.CudaScenarios.check;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.testing.Patience;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToDoubleFunction;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/** What the plugin asks of NVRTC, in a process that finds the test double of it: see NvrtcTest. */
final class NvrtcScenarios {
  private static final CudaSource TWICE =
      CudaSource.text("__device__ double twice(double x) { return 2 * x; }", "twice");

  private NvrtcScenarios() {}

  private record Twice(Optional<CudaSource> cuda) implements UDF1<Double, Double>, GpuUdf {
    @Override
    public Double call(Double x) {
      return x == null ? null : 2 * x;
    }
  }

  /** Calls what is in no CUDA function, nor in C++: the functions of StrictMath. */
  private record Strict(Optional<CudaSource> cuda) implements UDF1<Double, Double>, GpuUdf {
    @Override
    public Double call(Double x) {
      return StrictMath.pow(StrictMath.exp(x), 0.3) + StrictMath.sin(1e9 * x);
    }
  }

  /**
   * A function of a double that gives one has the same bits from a device as from Java.
   *
   * @param blockRows rows that go at once
   */
  private static void givesJavaFormsAnswers(
      GpuUdf udf, String name, int rows, int blockRows, IntToDoubleFunction argument)
      throws Exception {
    CudaDevice device = CudaScenarios.devices().get(0);
    device.open();
    try (Batch batch =
            new Batch(rows, udf, name, DataTypes.DoubleType, DataTypes.DoubleType)
                .argument(argument::applyAsDouble);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      CudaScenarios.compute(device, launcher, batch.rows(), blockRows);
      batch.check();
    }
    device.close();
  }

  static void nvrtcStrictMath() throws Exception {
    CudaSource text =
        CudaSource.text(
            """
            __device__ double strict(double x) {
              return strict_pow(strict_exp(x), 0.3) + strict_sin(1e9 * x);
            }
            """,
            "strict");
    givesJavaFormsAnswers(
        new Strict(Optional.of(text)), "strict", 1000, 1000, row -> row / 7.0 - 60);
  }

  /** An author may have any names and macros. */
  static void nvrtcOfAnyNames() throws Exception {
    CudaSource text =
        CudaSource.text(
            """
            #define P 2
            #define p nothing.of(this
            __device__ double call_call(double P2) { return P2 * P; }
            __device__ double call(double x) { return call_call(x); }
            """,
            "call");
    givesJavaFormsAnswers(new Twice(Optional.of(text)), "call", 1000, 1000, row -> row / 7.0);
  }

  private static final String COLLATZ =
      """
      struct collatz_state {
        double value;
        double turns;
      };
      __device__ void collatz_init(collatz_state& s, double value) { s = {value, 0}; }
      __device__ bool collatz_step(collatz_state& s) {
        if (s.value <= 1) return false;
        double half = s.value / 2;
        s.value = half == floor(half) ? half : 3 * s.value + 1;
        s.turns += 1;
        return true;
      }
      __device__ double collatz_done(collatz_state& s) { return s.turns; }
      """;

  private record Collatz(Optional<CudaSource> cuda) implements UDF1<Double, Double>, GpuUdf {
    @Override
    public Double call(Double x) {
      double turns = 0;
      for (double value = x; value > 1; turns++) {
        value = value % 2 == 0 ? value / 2 : 3 * value + 1;
      }
      return turns;
    }

    @Override
    public Optional<String> blockStrategy() {
      return Optional.of("auto");
    }
  }

  /**
   * A function that is written in steps gives the answers of the Java form, in launches of all
   * schedules and forms that are tried.
   */
  static void nvrtcInSteps() throws Exception {
    CudaSource text = CudaSource.text(COLLATZ, "collatz").inSteps();
    givesJavaFormsAnswers(
        new Collatz(Optional.of(text)), "collatz", 70_000, 5000, row -> row % 997);
    CudaKernels kernels =
        new CudaKernels(CudaScenarios.settings("cuda:*", null, 64 << 20), DriverLibrary.open());
    CudaSource lacks = CudaSource.text(COLLATZ.replace("_step(", "_turn("), "collatz").inSteps();
    System.out.println(
        "lacks: " + kernels.get(call("collatz"), new Collatz(Optional.of(lacks)), 80).failure());
  }

  /** Counts who asks it how its rows are shared, which is asked as its kernel is made. */
  private record Slow(AtomicInteger asked, CountDownLatch answers)
      implements UDF1<Double, Double>, GpuUdf {
    @Override
    public Double call(Double x) {
      return x;
    }

    @Override
    public Optional<String> blockStrategy() {
      asked.incrementAndGet();
      try {
        check(answers.await(Patience.SECONDS, TimeUnit.SECONDS), "nobody lets it answer");
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return Optional.of("none");
    }
  }

  private static UdfCall call(String name) {
    return new UdfCall(name, List.of(DataTypes.DoubleType), DataTypes.DoubleType);
  }

  /** One kernel takes long: others, some in its bin of the map, are made; it is made once. */
  static void nvrtcAtOnce() throws Exception {
    CudaKernels kernels =
        new CudaKernels(CudaScenarios.settings("cuda:*", null, 64 << 20), DriverLibrary.open());
    Slow slow = new Slow(new AtomicInteger(), new CountDownLatch(1));
    Slow quick = new Slow(new AtomicInteger(), new CountDownLatch(0));
    ExecutorService pool = Executors.newFixedThreadPool(3);
    Future<?> first = pool.submit(() -> kernels.get(call("slow"), slow, 90));
    while (slow.asked().get() == 0) {
      CudaScenarios.pause();
    }
    pool.submit(
            () -> {
              for (int i = 0; i < 100; i++) {
                kernels.get(call("quick" + i), quick, 90);
              }
            })
        .get(Patience.SECONDS, TimeUnit.SECONDS);
    Future<?> second = pool.submit(() -> kernels.get(call("slow"), slow, 90));
    slow.answers().countDown();
    check(first.get() == second.get(), "two kernels");
    check(slow.asked().get() == 1, "it is made more than once");
    check(quick.asked().get() == 100, "not all were made");
    for (int i = 0; i < CudaKernels.MOST_KERNELS; i++) {
      kernels.get(call("later" + i), quick, 90);
    }
    kernels.get(call("slow"), slow, 90);
    check(slow.asked().get() == 2, "a kernel is kept for ever");
  }

  /** The same function for nulls, too: another kernel. */
  private record ForNulls(boolean takesNulls) implements UDF1<Double, Double>, GpuUdf {
    @Override
    public Double call(Double x) {
      return x == null ? null : 2 * x;
    }

    @Override
    public Optional<CudaSource> cuda() {
      return Optional.of(TWICE);
    }
  }

  /** Finds the classes of its parent anew, and a text of its own where they look for one. */
  private static final class OfASession extends ClassLoader {
    private final String text;

    OfASession(String text) {
      super(NvrtcScenarios.class.getClassLoader());
      this.text = text;
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    GpuUdf udf() throws Exception {
      String name = FromAResource.class.getName();
      try (InputStream in =
          NvrtcScenarios.class
              .getClassLoader()
              .getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        Class<?> own = defineClass(name, bytes, 0, bytes.length);
        return (GpuUdf) own.getConstructor().newInstance();
      }
    }
  }

  /** Its text is beside its class. */
  public static final class FromAResource implements GpuUdf {
    @Override
    public Optional<CudaSource> cuda() {
      return Optional.of(CudaSource.resource("twice.cu", "twice"));
    }
  }

  /** Functions of one name are not one: they take nulls or not, or are another session's. */
  static void nvrtcOfUnlikeFunctions() throws Exception {
    CudaKernels kernels =
        new CudaKernels(CudaScenarios.settings("cuda:*", null, 64 << 20), DriverLibrary.open());
    Set<CudaKernels.Kernel> made = Collections.newSetFromMap(new IdentityHashMap<>());
    for (boolean takesNulls : new boolean[] {false, true, false}) {
      made.add(kernels.get(call("twice"), new ForNulls(takesNulls), 80));
    }
    check(made.size() == 2, made.size() + " kernels for nulls and not");
    String text = TWICE.load(NvrtcScenarios.class);
    for (String own : List.of(text, text.replace("2 * x", "x + x"))) {
      made.add(kernels.get(call("of_a_resource"), new OfASession(own).udf(), 80));
    }
    check(made.size() == 4, made.size() + " kernels of two sessions and two for nulls");
  }

  /** The disk is full, or not there: what is compiled is used by this process alone. */
  static void nvrtcWithoutACache() throws Exception {
    Path kernelsFolder = Path.of(System.getenv("TMPDIR"), "kernels");
    Files.deleteIfExists(kernelsFolder);
    Files.createFile(kernelsFolder);
    CudaKernels kernels =
        new CudaKernels(CudaScenarios.settings("cuda:*", null, 64 << 20), DriverLibrary.open());
    CudaKernels.Kernel kernel = kernels.get(call("twice"), new Twice(Optional.of(TWICE)), 90);
    check(kernel.failure() == null, kernel.failure());
  }

  /** Of each GPU, and exact or not, the options that NVRTC was given; or why there is no kernel. */
  static void nvrtcOptions() throws Exception {
    CudaKernels kernels =
        new CudaKernels(CudaScenarios.settings("cuda:*", null, 64 << 20), DriverLibrary.open());
    UdfCall call = new UdfCall("twice", List.of(DataTypes.DoubleType), DataTypes.DoubleType);
    for (CudaSource source : List.of(TWICE, TWICE.notExact())) {
      for (int architecture : new int[] {70, 80, 90, 120}) {
        CudaKernels.Kernel kernel = kernels.get(call, new Twice(Optional.of(source)), architecture);
        System.out.println(
            (source.exact() ? "exact " : "fast ") + architecture + ": " + what(kernel));
      }
    }
  }

  private static String what(CudaKernels.Kernel kernel) {
    return kernel.failure() != null
        ? kernel.failure()
        : StandardCharsets.UTF_8
            .decode(kernel.image().code().duplicate())
            .toString()
            .lines()
            .toList()
            .get(1);
  }
}
