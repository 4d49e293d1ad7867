package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.CudfException;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmAllocationMode;
import com.google.errorprone.annotations.FormatMethod;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.cuda.CudaDouble;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What is checked of calls on cuDF's columns, in a process that finds cuDF's natives or a double of
 * them: each case against its Java form. The first argument names a scenario. Ends with status 0 if
 * it returns and has left no byte on the device.
 */
final class ColumnCallScenarios {
  private static final int[] ROWS = {1, 31, 32, 33, 64, 4097};

  /** A row's value, or the lack of one. */
  private static final int NO_NULLS = 0;

  private static final int SOME_NULLS = 3;
  private static final int ALL_NULLS = 10;

  private ColumnCallScenarios() {}

  public static void main(String[] arguments) {
    try {
      run(arguments[0]);
    } catch (Throwable e) {
      e.printStackTrace(System.out);
      System.out.flush();
      Runtime.getRuntime().halt(CudaDouble.FAILED);
    }
    System.out.println("scenario done");
    System.out.flush();
    // A device's streams have threads, which nobody ends.
    Runtime.getRuntime().halt(0);
  }

  private static void run(String scenario) throws Exception {
    Rmm.initialize(RmmAllocationMode.CUDA_DEFAULT, null, 0);
    String kept = System.getenv("TMPDIR");
    if (kept != null) {
      CudfGpu.open(GpuSchedConfig.from(Map.of("spark.gpusched.cuda.cacheDir", kept + "/kernels")));
    }
    switch (scenario) {
      case "types" -> types();
      case "noRows" -> noRows();
      case "outOfMemory" -> outOfMemory();
      case "threads" -> threads();
      case "errors" -> errors();
      case "byJava" -> byJava();
      case "slices" -> slices();
      case "cosine" -> cosine();
      case "shortOfMemory" -> shortOfMemory();
      case "noColumn" -> noColumn();
      case "wideOffsets" -> wideOffsets();
      default -> throw new IllegalArgumentException("there is no scenario " + scenario);
    }
    require(Rmm.getTotalBytesAllocated() == 0, "%d bytes are left", Rmm.getTotalBytesAllocated());
  }

  @FormatMethod
  static void require(boolean is, String message, Object... arguments) {
    if (!is) {
      throw new AssertionError(message.formatted(arguments));
    }
  }

  /** Each type, with no, some and only nulls, and some in a larger batch. */
  private static void types() {
    for (TypeCase type : TypeCase.all()) {
      int byJava = 0;
      int all = 0;
      for (int rows : ROWS) {
        // The emulator takes its time.
        List<Integer> parts =
            rows > 100 ? List.of(SOME_NULLS) : List.of(NO_NULLS, SOME_NULLS, ALL_NULLS);
        for (int nulls : parts) {
          try (CallBatch batch = new CallBatch(type, rows, nulls, 31L * rows + nulls)) {
            byJava += batch.check();
            all += rows;
          }
        }
      }
      boolean leaves =
          type.function().equals("twice")
              || type.function().equals("left_if_odd")
              || (type.function().startsWith("sum_") && !type.function().equals("sum_of_bytes"));
      require(byJava < all / 2, "%s: the device computed few of its rows", type.function());
      require(leaves == byJava > 0, "%s: the Java form computed %d", type.function(), byJava);
    }
  }

  /** Not a row; then neither a kernel nor a function is called. */
  private static void noRows() {
    for (TypeCase type : TypeCase.all()) {
      try (CallBatch batch = new CallBatch(type, 0, NO_NULLS, 1)) {
        require(batch.check() == 0, "%s: the Java form was called", type.function());
      }
    }
  }

  /** Each allocation in turn; RAPIDS then tries again, with what it has freed. */
  private static void outOfMemory() {
    for (TypeCase type : TypeCase.all()) {
      try (CallBatch batch = new CallBatch(type, 33, SOME_NULLS, 5)) {
        RmmFaults.failAllocation(0, RmmFaults.OUT_OF_MEMORY);
        batch.check();
        long allocations = RmmFaults.allocations();
        require(allocations > 0, "%s allocates nothing", type.function());
        long before = RmmFaults.bytesAllocated();
        for (long n = 1; n <= allocations; n++) {
          RmmFaults.failAllocation(n, RmmFaults.OUT_OF_MEMORY);
          try {
            batch.evaluate().close();
            throw new AssertionError(batch + ": allocation " + n + " did not fail");
          } catch (OutOfMemoryError expected) {
            require(
                RmmFaults.bytesAllocated() == before,
                "%s, allocation %d: %d bytes are left",
                batch,
                n,
                RmmFaults.bytesAllocated() - before);
          }
        }
        RmmFaults.failAllocation(0, RmmFaults.OUT_OF_MEMORY);
        batch.check();
      }
    }
  }

  /** cuDF cannot make a column of the results: what was to be in it comes back all the same. */
  private static void noColumn() {
    for (String function : List.of("null_if_odd", "stars")) {
      try (CallBatch batch = new CallBatch(TypeCase.named(function), 33, SOME_NULLS, 5)) {
        long before = RmmFaults.bytesAllocated();
        int failed = 0;
        for (boolean more = true; more; ) {
          RmmFaults.failView(failed + 1);
          try (ColumnVector results = batch.evaluate()) {
            require(results.getRowCount() == 33, "%s: other rows", batch);
            more = false;
          } catch (CudfException expected) {
            failed++;
          }
          long left = RmmFaults.bytesAllocated() - before;
          require(left == 0, "%s, view %d: %d bytes are left", batch, failed, left);
        }
        RmmFaults.failView(0);
        // That of the sums of sizes, and that of the results.
        require(failed == (function.equals("stars") ? 2 : 1), "%s: %d failed", batch, failed);
      }
    }
  }

  /**
   * Strings with so many characters that libcudf counts them in longs, of which cuDF's Java classes
   * know nothing.
   */
  private static void wideOffsets() {
    for (String function : List.of("length_of", "stars", "three", "twice")) {
      try (CallBatch half = new CallBatch(TypeCase.named(function), 100, SOME_NULLS, 7);
          CallBatch batch = half.twice()) {
        ColumnVector strings = batch.columns.get(function.equals("three") ? 1 : 0);
        int bytes = GivenArgument.offsetBytes(strings, strings.getData());
        require(bytes == Long.BYTES, "%s: offsets of %d bytes", batch, bytes);
        if (function.equals("twice")) {
          fails("argument 1 of UDF 'twice' has strings of 2 GiB or more", batch::evaluate);
        } else {
          require(batch.check() == 0, "%s: by Java", batch);
        }
      }
    }
  }

  /** The memory itself is short: what was allocated for the call comes back, and then it runs. */
  private static void shortOfMemory() {
    try (CallBatch batch = new CallBatch(TypeCase.named("stars"), 20_000, SOME_NULLS, 5)) {
      batch.check();
      List<DeviceMemoryBuffer> others = new ArrayList<>();
      try {
        for (long bytes = 64 << 20; bytes >= 1 << 20; bytes /= 2) {
          takeAll(bytes, others);
        }
        long before = Rmm.getTotalBytesAllocated();
        try {
          batch.evaluate().close();
          throw new AssertionError("there was memory");
        } catch (OutOfMemoryError expected) {
          long left = Rmm.getTotalBytesAllocated() - before;
          require(left == 0, "%d bytes are left", left);
        }
      } finally {
        others.forEach(DeviceMemoryBuffer::close);
      }
      batch.check();
    }
  }

  private static void takeAll(long bytes, List<DeviceMemoryBuffer> taken) {
    try {
      while (true) {
        taken.add(DeviceMemoryBuffer.allocate(bytes));
      }
    } catch (OutOfMemoryError full) {
      // As it should be.
    }
  }

  /** As RAPIDS calls: several tasks at once, each with a copy of its own. */
  private static void threads() throws Exception {
    List<Thread> tasks = new ArrayList<>();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 4; i++) {
      int task = i;
      Thread thread =
          new Thread(
              () -> {
                for (TypeCase type : TypeCase.all()) {
                  try (CallBatch batch = new CallBatch(type, 300 + task, SOME_NULLS, task)) {
                    batch.check();
                  }
                }
              });
      thread.setUncaughtExceptionHandler((t, e) -> failures.add(e));
      thread.start();
      tasks.add(thread);
    }
    for (Thread task : tasks) {
      task.join();
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.toString(), failures.get(0));
    }
  }

  /** Columns that are not the call's, and a Java form that throws. */
  private static void errors() {
    TypeCase type = TypeCase.named("three");
    try (CallBatch batch = new CallBatch(type, 5, NO_NULLS, 1)) {
      ColumnVector[] two = {batch.columns.get(0), batch.columns.get(1)};
      fails("UDF 'three' was given 2 columns instead of 3", () -> batch.call.evaluate(5, two));
      fails(
          "UDF 'three' was given a column of 5 rows instead of 6",
          () -> batch.call.evaluate(6, batch.columns.toArray(ColumnVector[]::new)));
    }
    TypeCase left = TypeCase.named("left_if_odd");
    try (ColumnVector column = Values.column(left.arguments().get(0), List.of(2, 4, 5, 6))) {
      ColumnCall throwing =
          new ColumnCall(
              left.call(),
              left,
              row -> {
                throw new ArithmeticException("no " + row[0]);
              },
              inner -> {});
      fails(
          "failed for left_if_odd(5): java.lang.ArithmeticException: no 5",
          () -> throwing.evaluate(4, column));
      ColumnCall wrong = new ColumnCall(left.call(), left, row -> "five", inner -> {});
      fails("but returned a java.lang.String for left_if_odd(5)", () -> wrong.evaluate(4, column));
    }
  }

  private static void fails(String message, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      require(e.getMessage().contains(message), "%s instead of %s", e.getMessage(), message);
      return;
    }
    throw new AssertionError("no error: " + message);
  }

  /** A function that does not compile; all rows are computed by its Java form. */
  private static void byJava() {
    for (String function : List.of("or_seven", "twice", "sum_longs", "next_day")) {
      TypeCase type = TypeCase.named(function);
      TypeCase broken =
          new TypeCase(
              "no_such_" + type.function(),
              type.takesNulls(),
              type.result(),
              type.arguments(),
              type.java());
      try (CallBatch batch = new CallBatch(broken, 100, SOME_NULLS, 3)) {
        require(batch.check() == 100, "%s: not by Java", broken.function());
      }
    }
  }

  /**
   * Parts of columns, as cuDF hands them out: offsets and masks do not begin at their first row.
   */
  private static void slices() {
    for (TypeCase type : TypeCase.all()) {
      if (type.arguments().isEmpty()) {
        continue;
      }
      try (CallBatch batch = new CallBatch(type, 200, SOME_NULLS, 9);
          CallBatch part = batch.part(37, 150)) {
        part.check();
      }
    }
  }

  /** The example of docs/rapids.md. */
  @SuppressWarnings("unchecked")
  private static void cosine() {
    ArrayType vectors = new ArrayType(DataTypes.FloatType, false);
    CosineSimilarity udf = new CosineSimilarity();
    List<Object> a = new ArrayList<>();
    List<Object> b = new ArrayList<>();
    Random random = new Random(3);
    for (int row = 0; row < 500; row++) {
      int length = 1 + random.nextInt(20);
      a.add(row % 7 == 0 ? null : Values.some(DataTypes.FloatType, length, NO_NULLS, random));
      b.add(row % 5 == 0 ? null : Values.some(DataTypes.FloatType, length, NO_NULLS, random));
    }
    ColumnCall call =
        new ColumnCall(
            new UdfCall("cosine", List.of(vectors, vectors), DataTypes.FloatType),
            udf,
            row -> udf.call((Seq<Float>) row[0], (Seq<Float>) row[1]),
            inner -> {});
    try (ColumnVector left = Values.column(vectors, a);
        ColumnVector right = Values.column(vectors, b);
        ColumnVector result = call.evaluate(500, left, right);
        HostColumnVector host = result.copyToHost()) {
      for (int row = 0; row < 500; row++) {
        Object expected =
            a.get(row) == null || b.get(row) == null
                ? null
                : udf.call(seq((List<Float>) a.get(row)), seq((List<Float>) b.get(row)));
        Object actual = HostValues.get(host, DataTypes.FloatType, row);
        require(Objects.equals(expected, actual), "row %d: %s, not %s", row, actual, expected);
      }
    }
  }

  private static Seq<Float> seq(List<Float> list) {
    return CollectionConverters.asScala(list);
  }
}
