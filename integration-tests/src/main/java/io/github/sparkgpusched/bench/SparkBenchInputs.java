package io.github.sparkgpusched.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.SparkSession;

/**
 * The tables of {@link SparkBench}. They are written by a JVM of their own: in one that has written
 * Parquet, the JIT compiler inlines less of what reads it, and scans take up to half as long again.
 *
 * <p>Usage: {@code SparkBenchInputs OUT_DIRECTORY}. Tables that are there stay.
 */
public final class SparkBenchInputs {
  /** A table's columns, as expressions of the number of the row. */
  record Table(String name, long rows, List<String> columns) {
    private Path at(Path directory, Size size) {
      return directory
          .resolve("inputs")
          .resolve(size.name().toLowerCase(Locale.ROOT))
          .resolve(name);
    }

    private void write(SparkSession spark, Path directory, Size size) {
      Path path = at(directory, size);
      if (!Files.exists(path.resolve("_SUCCESS"))) {
        spark
            .range(0, size.of(rows), 1, 4)
            .selectExpr(columns.toArray(String[]::new))
            .write()
            .mode("overwrite")
            .parquet(path.toString());
      }
    }
  }

  /** How large the tables are. */
  enum Size {
    WHOLE(1),
    /** To run queries so often that the JIT compiler is done with all of Spark that they need. */
    SMALL(1000);

    private final int divisor;

    Size(int divisor) {
      this.divisor = divisor;
    }

    long of(long rows) {
      return rows / divisor;
    }
  }

  private static final List<String> EVEN_COLUMNS =
      List.of(
          "case when id % 3 = 0 then 0.0D else 3.0D end as re",
          "cast(id % 7 as double) / 100 as im");

  /**
   * Points inside the set cost all iterations, points far outside one. Of {@code skewed}'s four
   * partitions the first has 90% of the cost. Of {@code prices} little is to be read: what is left
   * to be compared is the function.
   */
  private static final List<Table> TABLES =
      List.of(
          new Table(
              "skewed",
              200_000,
              List.of(
                  "case when id < 50000 then 0.0D when id % 27 = 0 then 0.0D else 3.0D end as re",
                  "cast(id % 7 as double) / 100 as im", "cast(id as int) as id")),
          new Table("even", 4_000_000, EVEN_COLUMNS),
          new Table("even_light", 40_000_000, EVEN_COLUMNS),
          new Table(
              "doubles",
              120_000_000,
              List.of(
                  "cast(id as double) / 7 as x", "cast(id % 1000 as double) as y", "id % 10 as k")),
          new Table("prices", 400_000_000, List.of("pmod(hash(id), 1000) / 4.0D as price")));

  private SparkBenchInputs() {}

  public static void main(String[] args) {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("inputs of bench spark")
            .config("spark.ui.enabled", "false")
            .getOrCreate();
    Path directory = Path.of(args[0]);
    for (Size size : Size.values()) {
      TABLES.forEach(table -> table.write(spark, directory, size));
      CostCases.tables().forEach(table -> table.write(spark, directory, size));
    }
    spark.stop();
  }

  /** Makes views of the tables. */
  static void read(SparkSession spark, Path directory, Size size) {
    // One partition a file, as written: Spark must neither split nor pack them.
    spark.conf().set("spark.sql.files.openCostInBytes", String.valueOf(128 << 20));
    List<Table> tables = new ArrayList<>(TABLES);
    tables.addAll(CostCases.tables());
    for (Table table : tables) {
      spark
          .read()
          .parquet(table.at(directory, size).toString())
          .createOrReplaceTempView(table.name());
    }
    RowCases.views(spark, size);
    CostCases.views(spark, size);
  }
}
