package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.device.Repeat;
import io.github.sparkgpusched.functions.Levenshtein;
import io.github.sparkgpusched.functions.MandelbrotIterations;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.functions.PointInRing;
import io.github.sparkgpusched.load.UdfLoad;
import io.github.sparkgpusched.runtime.DriverRuntime;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import io.github.sparkgpusched.testing.Patience;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A Spark application whose queries run on the devices that DEVICES names, and again as plain
 * Spark, over ROWS rows. Prints what each device did. Status 0 if all answers are equal.
 */
final class CudaSparkApp {
  private static final List<String> QUERIES =
      List.of(
          "select id, mandelbrot_iterations(id % 700 / 300D - 2D, id % 411 / 200D - 1D,"
              + " if(id % 13 = 0, null, 400)) from range(0, ROWS, 1, 4)",
          "select id, levenshtein_udf(concat('a', id % 997), reverse(cast(id % 313 as string))),"
              + " multiply_add(id / 7D, id / 3D, 1.5D) from range(0, ROWS, 1, 4)",
          "select id, repeat_udf(concat('ß', id % 7), cast(id % 29 as int) - 1) from range(0, ROWS div 2, 1, 4)",
          "select id, point_in_ring(id % 101 / 100D, id % 97 / 96D, array(0D, 1D, if(id % 50 = 0,"
              + " null, 1D), 0D), array(0D, 0D, 1D, 0D)) from range(0, ROWS div 2, 1, 4)",
          "select sum(case when id % 3 = 0 then multiply_add(cast(id as double), 2D, 1D) else 0D end) from"
              + " range(0, ROWS, 1, 4)");

  /** Rounds of all queries. */
  private static final int LOST_AFTER = 20;

  /** How many rounds in a row a device has taken no work. The main thread's. */
  private static final Map<String, Integer> ROUNDS_AWAY = new TreeMap<>();

  private CudaSparkApp() {}

  public static void main(String[] arguments) {
    int status = 1;
    try {
      status = run();
    } catch (Throwable e) {
      e.printStackTrace(System.out);
    }
    System.out.flush();
    Runtime.getRuntime().halt(status);
  }

  private static int run() throws Exception {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.devices", System.getenv("DEVICES"))
            // A device answers when g++ has compiled its first kernel for the host.
            .config("spark.gpusched.device.timeoutMillis", setting("TIMEOUT_MILLIS", "60000"))
            .config("spark.gpusched.cuda.resident.blocks", setting("RESIDENT_BLOCKS", "0"))
            .config("spark.gpusched.cuda.cacheDir", System.getenv("TMPDIR") + "/kernels");
    int wrong = 0;
    try (SparkSession spark = builder.getOrCreate()) {
      spark.udf().register("levenshtein_udf", new Levenshtein(), DataTypes.IntegerType);
      spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
      spark
          .udf()
          .register("mandelbrot_iterations", new MandelbrotIterations(), DataTypes.IntegerType);
      spark.udf().register("repeat_udf", new Repeat(), DataTypes.StringType);
      spark.udf().register("point_in_ring", new PointInRing(), DataTypes.BooleanType);
      printBytes(spark);
      printBatches(spark);
      long begin = System.nanoTime();
      do {
        wrong += runQueries(spark);
      } while (!hasSeenAll(spark) && System.nanoTime() - begin < Patience.NANOS);
      wrong += isRefused(spark) ? 0 : 1;
      ofGpus(spark.sql("select device, offers, stalledMillis from gpusched_load()"))
          .forEach(row -> System.out.println("LOAD " + row));
      ExecutorRuntime.current().load().snapshot().stream()
          .filter(load -> load.inner() != null)
          .forEach(load -> System.out.println("INNER " + load.device() + ": " + load.inner()));
      LoadAccumulator.of(spark.sparkContext())
          .value()
          .forEach((device, work) -> System.out.println("WORK " + device + ": " + work));
    }
    System.out.println(wrong == 0 ? "answers are equal" : wrong + " queries differ");
    return wrong == 0 ? 0 : 1;
  }

  private static int runQueries(SparkSession spark) {
    int wrong = 0;
    for (String template : QUERIES) {
      String query = template.replace("ROWS", setting("ROWS", "60000"));
      List<Row> devices = spark.sql(query).collectAsList();
      spark.sql("set spark.gpusched.enabled=false");
      List<Row> plain = spark.sql(query).collectAsList();
      spark.sql("set spark.gpusched.enabled=true");
      if (!devices.equals(plain)) {
        wrong++;
        System.out.println("WRONG: " + query);
      }
    }
    return wrong;
  }

  /**
   * Whether all devices that WORKED names have computed rows, and each of the double's GPUs that
   * KERNELS names ({@code 0:3,1:3}) was given so many kernels, or has been away for longer than it
   * takes to recover, and will get none. On a busy machine that may take more rounds than one: a
   * device may be opened late, and others be faster.
   */
  private static boolean hasSeenAll(SparkSession spark) {
    Map<String, ?> work = LoadAccumulator.of(spark.sparkContext()).value();
    for (String device : items("WORKED")) {
      if (!work.containsKey("driver/" + device)) {
        return false;
      }
    }
    for (String least : items("KERNELS")) {
      String[] parts = least.split(":", 2);
      if (DoubleFaults.kernels(Integer.parseInt(parts[0])) < Integer.parseInt(parts[1])
          && !isLost("cuda:" + parts[0])) {
        return false;
      }
    }
    return true;
  }

  /** Called once a round. */
  private static boolean isLost(String device) {
    boolean isAway =
        ExecutorRuntime.current().load().snapshot().stream()
            .anyMatch(
                load -> load.device().equals(device) && load.state() == DeviceState.QUARANTINED);
    return ROUNDS_AWAY.merge(device, 1, (before, one) -> isAway ? before + one : 0) > LOST_AFTER;
  }

  private static List<String> items(String variable) {
    String value = setting(variable, "");
    return value.isEmpty() ? List.of() : List.of(value.split(",", -1));
  }

  /** Of one row the Java form throws: the query fails with its words, on whichever device. */
  private static boolean isRefused(SparkSession spark) {
    try {
      spark
          .sql(
              "select sum(cast(point_in_ring(0.5D, 0.5D, array(0D, 1D, 0D), if(id = 1500, array(0D, 1D),"
                  + " array(0D, 1D, 0D))) as int)) from range(0, 2000, 1, 2)")
          .collectAsList();
    } catch (Exception e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause.getMessage() != null
            && cause.getMessage().contains("xs has 3 elements and ys has 2")) {
          return true;
        }
      }
      e.printStackTrace(System.out);
    }
    System.out.println("WRONG: arrays of two lengths");
    return false;
  }

  /**
   * The rows whose first column names a GPU. Not by SQL's LIKE: the GPU bundle has the classes that
   * its tests load, and they have no LIKE.
   */
  static List<Row> ofGpus(Dataset<Row> devices) {
    return devices.collectAsList().stream()
        .filter(row -> row.getString(0).startsWith("cuda:"))
        .toList();
  }

  private static String setting(String variable, String otherwise) {
    return System.getenv().getOrDefault(variable, otherwise);
  }

  /** What was copied, as all places tell it that show it. */
  private static void printBytes(SparkSession spark) throws InterruptedException {
    Dataset<Row> query =
        spark.sql("select multiply_add(id / 7D, id / 3D, 1.5D) from range(0, 100000, 1, 4)");
    query.collectAsList();
    Transfers sql = transfers(query.queryExecution().executedPlan());
    Transfers devices =
        ExecutorRuntime.current().load().snapshot().stream()
            .map(load -> load.transfers() == null ? Transfers.NONE : load.transfers())
            .reduce(Transfers.NONE, Transfers::plus);
    Transfers udfs = Transfers.NONE;
    // The driver knows after the next report.
    long begin = System.nanoTime();
    while (!udfs.equals(devices) && System.nanoTime() - begin < Patience.NANOS) {
      Thread.sleep(50);
      udfs =
          DriverRuntime.current().orElseThrow().load().view(System.nanoTime(), 0).udfs().stream()
              .map(UdfLoad::transfers)
              .reduce(Transfers.NONE, Transfers::plus);
    }
    System.out.println("BYTES sql " + sql + " devices " + devices + " udfs " + udfs + " end");
  }

  /** Of a task whose batches would have 100 rows on cores alone. */
  private static void printBatches(SparkSession spark) {
    spark.sql("set spark.gpusched.batch.rows=100");
    Dataset<Row> query =
        spark.sql("select multiply_add(id / 7D, id / 3D, 1.5D) from range(0, 20000, 1, 1)");
    query.collectAsList();
    spark.sql("reset spark.gpusched.batch.rows");
    System.out.println(
        "BATCHES " + batches(query.queryExecution().executedPlan()) + " of 20000 rows");
  }

  private static long batches(SparkPlan plan) {
    long sum = plan.metrics().contains("numBatches") ? metric(plan, "numBatches") : 0;
    for (SparkPlan child : CollectionConverters.asJava(plan.children())) {
      sum += batches(child);
    }
    return sum;
  }

  /** The sums of a plan's metrics. */
  private static Transfers transfers(SparkPlan plan) {
    Transfers sum = Transfers.NONE;
    if (plan.metrics().contains("toAcceleratorBytes")) {
      sum =
          new Transfers(
              metric(plan, "toAcceleratorBytes"),
              metric(plan, "fromAcceleratorBytes"),
              metric(plan, "transferTime"));
    }
    for (SparkPlan child : CollectionConverters.asJava(plan.children())) {
      sum = sum.plus(transfers(child));
    }
    return sum;
  }

  private static long metric(SparkPlan plan, String name) {
    return plan.metrics().apply(name).value();
  }
}
