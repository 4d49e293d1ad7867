package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.functions.MultiplyAdd;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * Prints the plan of one call over Parquet files, by no class of RAPIDS'. Nothing is run. Argument:
 * a folder of Parquet files, which may be empty.
 */
public final class RapidsJarsApp {
  private RapidsJarsApp() {}

  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().getOrCreate();
    spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
    spark
        .read()
        .schema("a double, b double, c double")
        .parquet(args[0])
        .createOrReplaceTempView("t");
    // Twice: what is said of a session is said once.
    for (int i = 0; i < 2; i++) {
      String plan =
          spark
              .sql("select multiply_add(a, b, c) from t")
              .queryExecution()
              .executedPlan()
              .toString();
      Answers.say("plan" + i, plan.replace('\n', ' '));
    }
    spark.stop();
  }
}
