package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/** Runs a query of which one task is so slow that Spark starts another attempt beside it. */
public final class SpeculationApp {
  private static final long ROWS = 4_000;

  /**
   * Slow in the first attempt at the first partition, until it is killed: for minutes, as nobody
   * can say when that is. Spark tells by the clock of the machine which task is slow, and that
   * clock may jump.
   */
  public static final class Straggles implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Long value) throws InterruptedException {
      TaskContext task = TaskContext.get();
      boolean slow =
          task.partitionId() == 0 && task.attemptNumber() == 0 && task.stageAttemptNumber() == 0;
      Slowly.sleep(slow ? 200 : 1);
      return value;
    }
  }

  private SpeculationApp() {}

  public static void main(String[] args) throws InterruptedException {
    SparkSession spark = Answers.session();
    spark.udf().register("straggles", new Straggles(), DataTypes.LongType);
    long sum =
        spark
            .range(0, ROWS, 1, 4)
            .selectExpr("sum(straggles(id))")
            .collectAsList()
            .get(0)
            .getLong(0);
    Answers.say("equal", sum == ROWS * (ROWS - 1) / 2);
    LoadFigures.say(spark, ROWS);
    spark.stop();
  }
}
