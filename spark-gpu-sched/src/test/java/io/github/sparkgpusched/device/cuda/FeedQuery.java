package io.github.sparkgpusched.device.cuda;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * Whole queries over a scan, on the double of the driver in its null mode, against the same scan
 * with Spark's own expression: pairs of one JVM, on two task threads. The double's results are no
 * results; that all rows went its way is checked. It says nothing of GPUs.
 *
 * <p>Usage: {@code FeedQuery OUT_FILE DATA_DIRECTORY [quick]}; writes CSV.
 */
final class FeedQuery {
  private static final String TASK_NAME = "Executor task launch worker";

  private FeedQuery() {}

  public static void main(String[] arguments) throws Exception {
    boolean quick = arguments.length > 2 && arguments[2].equals("quick");
    long rows = quick ? 200_000 : 20_000_000;
    String data = Path.of(arguments[1], "feed-" + rows + ".parquet").toString();
    StringBuilder csv =
        new StringBuilder(
            "query,rows,ratio,spark,plugin,callsPerBatch,ownerMicrosPerBatch,taskMicrosPerBatch\n");
    try (SparkSession spark = session()) {
      spark.udf().register("twice", new FeedFunctions.Twice(), DataTypes.DoubleType);
      spark.udf().register("plus", new FeedFunctions.Plus(), DataTypes.DoubleType);
      if (!Files.exists(Path.of(data, "_SUCCESS"))) {
        spark
            .range(0, rows, 1, 2)
            .selectExpr("id * 0.5D x", "id * 1.5D y")
            .write()
            .mode("overwrite")
            .parquet(data);
      }
      spark.read().parquet(data).createOrReplaceTempView("numbers");
      line(csv, spark, "sum(twice(x))", "sum(2 * x)", rows, quick);
      line(csv, spark, "sum(plus(x; y))", "sum(x + y)", rows, quick);
    }
    Files.writeString(Path.of(arguments[0]), csv);
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private static SparkSession session() {
    return SparkSession.builder()
        .master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
        .config("spark.gpusched.devices", "cuda:*")
        .config("spark.sql.files.maxPartitionBytes", "1g")
        .config("spark.sql.files.openCostInBytes", "1g")
        .getOrCreate();
  }

  private static void line(
      StringBuilder csv, SparkSession spark, String ours, String sparks, long rows, boolean quick) {
    String own = "select " + sparks + " from numbers";
    String by = "select " + ours.replace(';', ',') + " from numbers";
    List<double[]> pairs = new ArrayList<>();
    FeedFigures figures = null;
    for (int i = quick ? 0 : -3; i < (quick ? 1 : 11); i++) {
      double spent = seconds(spark, own);
      FeedFigures before = FeedFigures.now(TASK_NAME);
      double plugin = seconds(spark, by);
      figures = FeedFigures.now(TASK_NAME).since(before);
      if (i >= 0) {
        pairs.add(new double[] {spent / plugin, spent, plugin});
      }
    }
    if (figures.launches() == 0) {
      throw new IllegalStateException("no rows went to the double: " + by);
    }
    double batches = rows / 16_384.0;
    String line =
        String.format(
            Locale.ROOT,
            "%s,%d,%.3f,%.4f,%.4f,%.2f,%.2f,%.2f%n",
            ours,
            rows,
            median(pairs, 0),
            median(pairs, 1),
            median(pairs, 2),
            figures.calls() / batches,
            figures.ownerNanos() / 1e3 / batches,
            figures.taskNanos() / 1e3 / batches);
    System.out.print(line);
    csv.append(line);
  }

  private static double seconds(SparkSession spark, String query) {
    long begin = System.nanoTime();
    spark.sql(query).collectAsList();
    return (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  private static double median(List<double[]> pairs, int at) {
    double[] values = pairs.stream().mapToDouble(pair -> pair[at]).toArray();
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
