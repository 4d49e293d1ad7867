package io.github.sparkgpusched.it.queries;

import java.util.Map;

/** Settings that sessions of random queries need, whichever Spark they are of. */
public final class QuerySettings {
  /** Of sessions: types as Java 8 has them, and Parquet that keeps all values as they are. */
  public static final Map<String, String> OF_SPARK =
      Map.of(
          "spark.sql.datetime.java8API.enabled", "true",
          // What a query's first run has compiled serves the others, in all lanes.
          "spark.sql.codegen.cache.maxEntries", "1000",
          "spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED",
          "spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS",
          // NaNs of other bits are one in a dictionary.
          "spark.hadoop.parquet.enable.dictionary", "false");

  private QuerySettings() {}
}
