package io.github.sparkgpusched.it.cluster.app;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Says which GPUs its tasks were given, and compares an answer. */
public final class ResourcesApp {
  private ResourcesApp() {}

  public static void main(String[] args) {
    SparkSession spark = Answers.session();
    Answers.compare(spark, 10_000);
    List<String> addresses =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(List.of(1, 2, 3, 4), 4)
            .map(task -> Arrays.toString(TaskContext.get().resourcesJMap().get("gpu").addresses()))
            .distinct()
            .collect();
    Answers.say("gpus of tasks", addresses.stream().sorted().toList());
    spark.stop();
  }
}
