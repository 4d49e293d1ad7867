package io.github.sparkgpusched.it.cluster.app;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * Runs queries whose UDF recurses until its stack is full, one after the other, and says how each
 * ended and with how many executors. Arguments: {@code plain}, {@code call}, {@code batch}, {@code
 * helper}.
 */
public final class RecursionApp {
  private static final Semaphore LOST_EXECUTORS = new Semaphore(0);

  private RecursionApp() {}

  public static void main(String[] args) throws InterruptedException {
    SparkSession spark = Answers.session();
    spark.sparkContext().addSparkListener(new Watch());
    for (String way : args) {
      run(way.equals("plain") ? Answers.rowWise(spark) : spark, way);
    }
    Answers.say("afterwards", spark.sql("select sum(slowly(id)) from range(100)").first().get(0));
    Answers.say("lost more", LOST_EXECUTORS.availablePermits());
    spark.stop();
  }

  private static void run(SparkSession spark, String way) throws InterruptedException {
    Endless udf = new Endless(way.equals("batch"), way.equals("helper"));
    spark.udf().register("endless", udf, DataTypes.LongType);
    String ended;
    try {
      ended =
          spark.range(0, 1_000, 1, 1).selectExpr("endless(id)").collectAsList().size() + " rows";
    } catch (Exception e) {
      ended = e.toString().lines().findFirst().orElseThrow();
    }
    Answers.say(way, ended);
    // The task's failure may be known before the end of the executor is.
    Answers.say(
        way + " lost one",
        LOST_EXECUTORS.tryAcquire(Answers.PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }

  /** Listens on Spark's bus, whose thread alone calls it. */
  private static final class Watch extends SparkListener {
    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
      LOST_EXECUTORS.release();
    }
  }
}
