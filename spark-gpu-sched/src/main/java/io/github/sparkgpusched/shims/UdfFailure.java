package io.github.sparkgpusched.shims;

import org.apache.spark.QueryContext;
import org.apache.spark.SparkException;
import scala.Option;
import scala.collection.immutable.Map;

/**
 * Spark's error condition {@code FAILED_EXECUTE_UDF}, whose words have a place for the reason from
 * 4.0 on (SPARK-46074). Before, the reason stands behind them.
 */
public final class UdfFailure {
  public static final String CONDITION = "FAILED_EXECUTE_UDF";

  private UdfFailure() {}

  /**
   * The exception of the condition.
   *
   * @param parameters of the condition, {@code reason} among them
   * @param cause what the UDF threw
   */
  public static SparkException of(Map<String, String> parameters, Throwable cause) {
    SparkException sparks = new SparkException(CONDITION, parameters, cause);
    String reason = parameters.apply("reason");
    if (sparks.getMessage().contains(reason)) {
      return sparks;
    }
    return new SparkException(
        sparks.getMessage() + " " + reason,
        cause,
        Option.apply(CONDITION),
        parameters,
        new QueryContext[0]);
  }
}
