package io.github.sparkgpusched;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What a program may ask the plugin while it runs. Thread-safe. */
public final class GpuSched {
  private GpuSched() {}

  /**
   * The application's load table as it is now: one row for each device of each executor. Rows of
   * executors that have ended stay for a while, with the state {@code ended}.
   *
   * <p>Figures are those that the executors last reported, at most 250 ms old while there is work;
   * {@code ageMillis} says how old each is. Columns that a kind of device does not measure are
   * null. The Dataset keeps what this call found; call again for newer figures. Works through Spark
   * Connect too, as does {@code SELECT * FROM gpusched_load()}.
   *
   * @param spark a session of an application that runs with this plugin; of any other, Spark says
   *     that it knows no function {@code gpusched_load}: set {@code
   *     spark.plugins=io.github.sparkgpusched.GpuSchedPlugin} when the application starts
   */
  public static Dataset<Row> loadTable(SparkSession spark) {
    return spark.sql("SELECT * FROM gpusched_load()");
  }

  /**
   * The application's last queries that have calls which devices compute, as they are now: one row
   * each, oldest first. Columns that are not known, or not yet, are null. The Dataset keeps what
   * this call found; call again for newer figures. Works through Spark Connect too, as does {@code
   * SELECT * FROM gpusched_queries()}.
   *
   * @param spark as of {@link #loadTable}
   */
  public static Dataset<Row> queries(SparkSession spark) {
    return spark.sql("SELECT * FROM gpusched_queries()");
  }
}
