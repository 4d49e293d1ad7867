package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmAllocationMode;
import com.google.errorprone.annotations.FormatMethod;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.device.UdfCall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
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

  public static void main(String[] arguments) throws Exception {
    Rmm.initialize(RmmAllocationMode.CUDA_DEFAULT, null, 0);
    String kept = System.getenv("TMPDIR");
    if (kept != null) {
      CudfGpu.open(GpuSchedConfig.from(Map.of("spark.gpusched.cuda.cacheDir", kept + "/kernels")));
    }
    switch (arguments[0]) {
      case "types" -> types();
      case "noRows" -> noRows();
      case "outOfMemory" -> outOfMemory();
      case "threads" -> threads();
      case "errors" -> errors();
      case "byJava" -> byJava();
      case "slices" -> slices();
      case "cosine" -> cosine();
      case "shortOfMemory" -> shortOfMemory();
      default -> throw new IllegalArgumentException("there is no scenario " + arguments[0]);
    }
    require(Rmm.getTotalBytesAllocated() == 0, "%d bytes are left", Rmm.getTotalBytesAllocated());
    System.out.println("scenario done");
    System.out.flush();
    // A device's streams have threads, which nobody ends.
    Runtime.getRuntime().halt(0);
  }

  /** A call and its columns; closed by who made it. */
  private static final class Batch implements AutoCloseable {
    final TypeCase type;
    final int rows;
    final List<List<Object>> values = new ArrayList<>();
    final List<ColumnVector> columns = new ArrayList<>();
    final ColumnCall call;

    /** Rows that the Java form computed. */
    int byJava;

    Batch(TypeCase type, int rows, int nulls, long seed) {
      this.type = type;
      this.rows = rows;
      Random random = new Random(seed);
      for (DataType argument : type.arguments()) {
        List<Object> some = Values.some(argument, rows, nulls, random);
        values.add(some);
        columns.add(Values.column(argument, some));
      }
      UdfCall udf = type.call();
      call = new ColumnCall(udf, type, this::compute, inner -> {});
    }

    /** Of some of another's rows. */
    private Batch(Batch whole, int from, int until) {
      type = whole.type;
      rows = until - from;
      for (int i = 0; i < whole.values.size(); i++) {
        values.add(whole.values.get(i).subList(from, until));
        columns.add(whole.columns.get(i).subVector(from, until));
      }
      call = new ColumnCall(type.call(), type, this::compute, inner -> {});
    }

    Batch part(int from, int until) {
      return new Batch(this, from, until);
    }

    private Object compute(Object[] arguments) {
      byJava++;
      Object[] given = new Object[arguments.length];
      for (int i = 0; i < given.length; i++) {
        given[i] = plain(arguments[i]);
      }
      return fromPlain(type.expected(given));
    }

    /** Spark's own objects for UDFs to those of {@link TypeCase}. */
    private static Object plain(Object value) {
      if (value instanceof java.sql.Date date) {
        return (int) date.toLocalDate().toEpochDay();
      } else if (value instanceof java.sql.Timestamp time) {
        return time.toInstant().getEpochSecond() * 1_000_000 + time.getNanos() / 1000;
      }
      return value instanceof Seq<?> seq ? CollectionConverters.asJava(seq) : value;
    }

    private Object fromPlain(Object value) {
      return switch (type.result().typeName()) {
        case "date" ->
            value == null
                ? null
                : java.sql.Date.valueOf(java.time.LocalDate.ofEpochDay((Integer) value));
        case "timestamp" ->
            value == null
                ? null
                : java.sql.Timestamp.from(
                    java.time.Instant.EPOCH.plus(
                        (Long) value, java.time.temporal.ChronoUnit.MICROS));
        default -> value;
      };
    }

    ColumnVector evaluate() {
      return call.evaluate(rows, columns.toArray(ColumnVector[]::new));
    }

    /** Evaluates, and compares each row; gives the rows that the Java form computed. */
    int check() {
      byJava = 0;
      try (ColumnVector result = evaluate();
          HostColumnVector host = result.copyToHost()) {
        require(result.getRowCount() == rows, "%s gave %d rows", this, result.getRowCount());
        int nulls = 0;
        for (int row = 0; row < rows; row++) {
          Object[] arguments = new Object[values.size()];
          for (int i = 0; i < arguments.length; i++) {
            arguments[i] = values.get(i).get(row);
          }
          Object expected = type.expected(arguments);
          Object actual = HostValues.get(host, type.result(), row);
          nulls += expected == null ? 1 : 0;
          String text = actual == null ? null : actual.toString();
          require(
              Objects.equals(expected == null ? null : expected.toString(), text),
              "%s, row %d: %s instead of %s",
              this,
              row,
              text,
              expected);
        }
        require(result.getNullCount() == nulls, "%s has %d nulls", this, result.getNullCount());
      }
      return byJava;
    }

    @Override
    public void close() {
      columns.forEach(ColumnVector::close);
    }

    @Override
    public String toString() {
      return type.function() + " of " + rows + " rows";
    }
  }

  @FormatMethod
  private static void require(boolean is, String message, Object... arguments) {
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
          try (Batch batch = new Batch(type, rows, nulls, 31L * rows + nulls)) {
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
      try (Batch batch = new Batch(type, 0, NO_NULLS, 1)) {
        require(batch.check() == 0, "%s: the Java form was called", type.function());
      }
    }
  }

  /** Each allocation in turn; RAPIDS then tries again, with what it has freed. */
  private static void outOfMemory() {
    for (TypeCase type : TypeCase.all()) {
      try (Batch batch = new Batch(type, 33, SOME_NULLS, 5)) {
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

  /** The memory itself is short: what was allocated for the call comes back, and then it runs. */
  private static void shortOfMemory() {
    try (Batch batch = new Batch(TypeCase.named("stars"), 20_000, SOME_NULLS, 5)) {
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
                  try (Batch batch = new Batch(type, 300 + task, SOME_NULLS, task)) {
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
    try (Batch batch = new Batch(type, 5, NO_NULLS, 1)) {
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
      try (Batch batch = new Batch(broken, 100, SOME_NULLS, 3)) {
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
      try (Batch batch = new Batch(type, 200, SOME_NULLS, 9);
          Batch part = batch.part(37, 150)) {
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
