package io.github.sparkgpusched.it.cluster.app;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import scala.Option;

/**
 * Prints the final plan of each {@link RapidsQuery}, and what is logged while it is made. Nothing
 * is run. Argument: a folder of Parquet files, which may be empty.
 */
public final class RapidsPlansApp {
  /** What stands in a line before a query's name, its plan, and after that. */
  public static final String QUERY = "=== query ";

  public static final String PLAN = "=== plan";
  public static final String END = "=== end";

  private RapidsPlansApp() {}

  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().getOrCreate();
    RapidsTables.register(spark, args[0]);
    for (RapidsQuery query : RapidsQuery.values()) {
      System.out.println(QUERY + query);
      System.out.println(PLAN + "\n" + plan(spark, query) + END);
    }
    spark.stop();
  }

  private static String plan(SparkSession spark, RapidsQuery query) {
    Map<String, Option<String>> before = new HashMap<>();
    query.settings().keySet().forEach(key -> before.put(key, spark.conf().getOption(key)));
    query.settings().forEach(spark.conf()::set);
    try {
      return spark.sql(query.sql()).queryExecution().executedPlan().toString();
    } catch (RuntimeException e) {
      return "no plan: " + e + "\n";
    } finally {
      before.forEach(
          (key, value) -> {
            if (value.isDefined()) {
              spark.conf().set(key, value.get());
            } else {
              spark.conf().unset(key);
            }
          });
    }
  }
}
