package io.github.sparkgpusched.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/**
 * The tables of {@link SparkBench}. They are written by a JVM of their own: in one that has written
 * Parquet, the JIT compiler inlines less of what reads it, and scans take up to half as long again.
 *
 * <p>Usage: {@code SparkBenchInputs OUT_DIRECTORY}. Tables that are there stay.
 */
public final class SparkBenchInputs {
  private static final List<String> TABLES = List.of("skewed", "even", "doubles", "prices");

  private SparkBenchInputs() {}

  public static void main(String[] args) {
    Path directory = directory(Path.of(args[0]));
    if (TABLES.stream().allMatch(t -> Files.exists(directory.resolve(t).resolve("_SUCCESS")))) {
      return;
    }
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("inputs of bench spark")
            .config("spark.ui.enabled", "false")
            .getOrCreate();
    write(spark, directory);
    spark.stop();
  }

  private static Path directory(Path out) {
    return out.resolve("inputs");
  }

  /** Makes views of the tables. */
  static void read(SparkSession spark, Path out) {
    // One partition a file, as written: Spark must neither split nor pack them.
    spark.conf().set("spark.sql.files.openCostInBytes", String.valueOf(128 << 20));
    for (String name : TABLES) {
      spark.read().parquet(directory(out).resolve(name).toString()).createOrReplaceTempView(name);
    }
  }

  private static void write(SparkSession spark, Path directory) {
    // Points inside the set cost all iterations, points far outside one: 4 partitions, 90% of the
    // cost in the first.
    spark
        .range(0, 2_000_000, 1, 4)
        .selectExpr(
            "case when id < 500000 then 0.0D when id % 27 = 0 then 0.0D else 3.0D end as re",
            "cast(id % 7 as double) / 100 as im", "cast(id as int) as id")
        .write()
        .mode("overwrite")
        .parquet(directory.resolve("skewed").toString());
    spark
        .range(0, 2_000_000, 1, 4)
        .selectExpr(
            "case when id % 3 = 0 then 0.0D else 3.0D end as re",
            "cast(id % 7 as double) / 100 as im")
        .write()
        .mode("overwrite")
        .parquet(directory.resolve("even").toString());
    spark
        .range(0, 120_000_000, 1, 4)
        .selectExpr("cast(id as double) / 7 as x", "cast(id % 1000 as double) as y", "id % 10 as k")
        .write()
        .mode("overwrite")
        .parquet(directory.resolve("doubles").toString());
    // One column, of which little is to be read: what is left to be compared is the function.
    spark
        .range(0, 400_000_000, 1, 4)
        .selectExpr("pmod(hash(id), 1000) / 4.0D as price")
        .write()
        .mode("overwrite")
        .parquet(directory.resolve("prices").toString());
  }
}
