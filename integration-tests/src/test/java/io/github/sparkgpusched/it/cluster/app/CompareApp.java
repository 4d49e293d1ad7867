package io.github.sparkgpusched.it.cluster.app;

import java.util.Arrays;
import org.apache.spark.sql.SparkSession;

/** Compares the batched answer with the row-wise one. Arguments: rows, and a file to wait for. */
public final class CompareApp {
  private CompareApp() {}

  public static void main(String[] args) throws InterruptedException {
    SparkSession spark = Answers.session();
    Answers.compare(spark, Long.parseLong(args[0]));
    long executors = Arrays.stream(spark.sparkContext().statusTracker().getExecutorInfos()).count();
    Answers.say("executors", executors - 1);
    Answers.say("compared", true);
    if (args.length > 1) {
      Answers.awaitFile(args[1]);
    }
    spark.stop();
  }
}
