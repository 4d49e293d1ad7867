package io.github.sparkgpusched.bench.cluster;

import static org.apache.spark.sql.functions.expr;

import io.github.sparkgpusched.bench.SparkBench;
import io.github.sparkgpusched.functions.MandelbrotIterations;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.jobs.CityCountries;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * Queries that are run as plain Spark, with the plugin, and with it where executors share nothing.
 * Each answers in one row, which does not depend on the order of its rows.
 */
enum ClusterCase {
  /** A function of 50 to 70 us a row; 90% of the cost is in the first of four partitions. */
  CHURN("90% of a made-up function in one partition", true) {
    @Override
    Dataset<Row> query(SparkSession spark, String data, int divisor) {
      return churn(spark, 120_000 / divisor, "int(if(id < %d, 50000, 50000 / 27))");
    }
  },
  /** Cities in countries; a tenth of the pairs of city and polygon is spread over 15 partitions. */
  MAIN("90% of the main job in one partition", true) {
    @Override
    Dataset<Row> query(SparkSession spark, String data, int divisor) {
      return hashed(
          cities(spark, data, 2 * divisor).answer(),
          "city_id, country, found_country, found_name",
          "found_name");
    }
  },
  /** As {@code bench spark} has it: a point costs 20,000 iterations or one. */
  MANDELBROT("90% of Mandelbrot in one partition", true) {
    @Override
    Dataset<Row> query(SparkSession spark, String data, int divisor) {
      long rows = 160_000 / divisor;
      return hashed(
          spark
              .range(0, 4 * rows, 1, 4)
              .selectExpr(
                  "id",
                  "if(id < " + rows + " or id % 27 = 0, 0D, 3D) as re",
                  "cast(id % 7 as double) / 100 as im")
              .selectExpr("id", "mandelbrot_iterations(re, im, 20000) as n"),
          "id, n",
          "n");
    }
  },
  /** The function of {@link #CHURN} at half the cost, in all rows. */
  EVEN("even work", false) {
    @Override
    Dataset<Row> query(SparkSession spark, String data, int divisor) {
      return churn(spark, 60_000 / divisor, "int(25000 + id %% 2)");
    }
  },
  /** Whole numbers: their sum is exact in any order. */
  CHEAP("cheap function", false) {
    @Override
    Dataset<Row> query(SparkSession spark, String data, int divisor) {
      return spark
          .range(0, 360_000_000L / divisor, 1, 4)
          .selectExpr("multiply_add(double(id % 1000), 2D, 1D) as x")
          .selectExpr("count(x)", "sum(x)");
    }
  };

  private final String title;
  private final boolean skewed;

  ClusterCase(String title, boolean skewed) {
    this.title = title;
    this.skewed = skewed;
  }

  String title() {
    return title;
  }

  /** Whether there is something to steal. */
  boolean isSkewed() {
    return skewed;
  }

  /** Whether its function has a batch method, which {@link #registerByCall} takes away. */
  boolean hasBatchMethod() {
    return this != CHURN && this != EVEN;
  }

  /**
   * The query.
   *
   * @param data the folder of the demo data
   * @param divisor for so many times less rows
   */
  abstract Dataset<Row> query(SparkSession spark, String data, int divisor);

  static void register(SparkSession spark) {
    CityCountries.register(spark);
    var udf = spark.udf();
    udf.register("churn", new Churn(), DataTypes.LongType);
    udf.register("watched_churn", new WatchedChurn(), DataTypes.LongType);
    udf.register("since_task_start", new SinceTaskStart(), DataTypes.StringType);
    udf.register("mandelbrot_iterations", new MandelbrotIterations(), DataTypes.IntegerType);
    udf.register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
  }

  /** Registers in place of functions with a batch method the same ones without. */
  static void registerByCall(SparkSession spark) {
    var udf = spark.udf();
    udf.register("point_in_ring", new PointInRingByCall(), DataTypes.BooleanType);
    udf.register("mandelbrot_iterations", new SparkBench.MandelbrotByCall(), DataTypes.IntegerType);
    udf.register("multiply_add", new SparkBench.MultiplyAddByCall(), DataTypes.DoubleType);
  }

  /**
   * The main job over one city of so many.
   *
   * <p>What is 0 of ten is one partition's, and the rest is the others'.
   */
  static CityCountries cities(SparkSession spark, String data, int every) {
    return new CityCountries(
        spark.read().parquet(data + "/cities.parquet").where("city_id % " + every + " = 0"),
        spark.read().parquet(data + "/rings.parquet"),
        expr(
            "if(pmod(xxhash64(city_id, ring_id), 10) > 0, 0, 1 + pmod(xxhash64(ring_id, city_id), 97))"));
  }

  private static Dataset<Row> churn(SparkSession spark, long rows, String steps) {
    return hashed(
        spark
            .range(0, 4 * rows, 1, 4)
            .selectExpr("id", String.format(steps, rows) + " as steps")
            .selectExpr("id", "churn(id, steps) as n"),
        "id, n",
        "n");
  }

  /** Rows, rows with a value, and a sum of hashes, which has no order. */
  private static Dataset<Row> hashed(Dataset<Row> rows, String columns, String value) {
    return rows.selectExpr(
        "count(*)", "count(" + value + ")", "sum(pmod(xxhash64(" + columns + "), 1099511627776L))");
  }
}
