package io.github.sparkgpusched.it.cluster.app;

import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * Runs a query of which one task is slow until its executor is lost, says which executor that is,
 * and how the query went.
 *
 * <p>Argument {@code map}: all rows in one partition, which helpers share. Argument {@code reduce}:
 * the task is one of those that read a shuffle; a loss then costs map outputs, too.
 */
public final class LossApp {
  private static final AtomicInteger FAILED_TASKS = new AtomicInteger();
  private static final AtomicInteger LOST_EXECUTORS = new AtomicInteger();
  private static final AtomicInteger STAGE_RETRIES = new AtomicInteger();
  private static final Set<Integer> REDUCE_STAGES = ConcurrentHashMap.newKeySet();
  private static final BlockingQueue<String> AT_WORK = new LinkedBlockingQueue<>();
  private static boolean reduce;

  private LossApp() {}

  public static void main(String[] args) throws InterruptedException {
    reduce = args[0].equals("reduce");
    SparkSession spark = Answers.session();
    spark.sparkContext().addSparkListener(new Watch());
    Thread reports = new Thread(() -> awaitReport(spark), "await-report");
    reports.setDaemon(true);
    reports.start();
    spark.udf().register("straggles", new SpeculationApp.Straggles(), DataTypes.LongType);
    String query =
        reduce
            ? "select k, sum(straggles(id)) s from (select /*+ repartition(4, id) */ slowly(id) id,"
                + " id % 7 k from rows) group by k order by k"
            : "select id % 7 k, sum(straggles(id)) s from rows group by id % 7 order by k";
    spark.range(0, reduce ? 6_000 : 9_000, 1, reduce ? 4 : 1).createOrReplaceTempView("rows");
    List<Row> answer = spark.sql(query).collectAsList();
    String plain = query.replaceAll("slowly|straggles", "bigint");
    List<Row> expected = spark.sql(plain).collectAsList();
    Answers.say("equal", answer.size() == 7 && answer.equals(expected));
    Answers.say("batched", Answers.isBatched(spark.sql(query)));
    Answers.say("failed tasks", FAILED_TASKS.get() > 0);
    Answers.say("lost executors", LOST_EXECUTORS.get());
    Answers.say("stage retries", STAGE_RETRIES.get() > 0);
    LoadFigures.say(spark, reduce ? 12_000 : 9_000);
    spark.stop();
  }

  /** Says when the driver has heard of rows of the task that is at work. */
  private static void awaitReport(SparkSession spark) {
    try {
      String executor = AT_WORK.take();
      while (!LoadFigures.hasReportedRowsOfARunningTask(spark, executor)) {
        Thread.sleep(20);
      }
      Answers.say("reported", true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Listens on Spark's bus, whose thread alone calls it. */
  private static final class Watch extends SparkListener {
    private boolean said;

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted stage) {
      if (stage.stageInfo().attemptNumber() > 0) {
        STAGE_RETRIES.incrementAndGet();
      }
      if (stage.stageInfo().parentIds().nonEmpty()) {
        REDUCE_STAGES.add(stage.stageInfo().stageId());
      }
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart task) {
      boolean straggles = task.taskInfo().index() == 0;
      if (!said && straggles && (!reduce || REDUCE_STAGES.contains(task.stageId()))) {
        said = true;
        Answers.say("at work", task.taskInfo().executorId());
        AT_WORK.add(task.taskInfo().executorId());
      }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd task) {
      if (task.taskInfo().failed()) {
        FAILED_TASKS.incrementAndGet();
      }
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
      LOST_EXECUTORS.incrementAndGet();
    }
  }
}
