package io.github.sparkgpusched.it.cluster.app;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ui.SQLAppStatusStore;
import org.apache.spark.sql.execution.ui.SQLExecutionUIData;
import org.apache.spark.sql.execution.ui.SQLPlanMetric;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A query of which one of four partitions has nearly all the cost, with the plugin and without.
 * Arguments: rows of that partition, steps of each of its rows, how often; and {@code fail}, if one
 * of its last rows is to: lenders, of which none is killed then, are asked what they did, too.
 */
public final class RemoteApp {
  private static final String QUERY =
      "select count(t) n, sum(crc32(t)) c, count(u) m, sum(crc32(u)) d, count(v) o,"
          + " sum(unix_micros(v)) e from (select churn(id, steps) t, churn(other, 2) u,"
          + " later(timestamp_micros(id), steps) v from rows)";

  private RemoteApp() {}

  public static void main(String[] args) throws InterruptedException {
    SparkSession spark = Answers.session();
    SparkSession plain = Answers.rowWise(spark);
    long rows = Long.parseLong(args[0]);
    for (SparkSession session : List.of(spark, plain)) {
      session.udf().register("churn", new Churn(), DataTypes.StringType);
      session.udf().register("later", new Later(), DataTypes.TimestampType);
      session
          .range(0, 4 * rows, 1, 4)
          .selectExpr(
              "id",
              "int(if(id < " + rows + ", " + args[1] + ", 1)) steps",
              "if(id % 3 = 0, null, id) other")
          .createOrReplaceTempView("rows");
    }
    if (args.length > 3) {
      try {
        spark
            .sql(QUERY.replace("churn(id,", "churn(if(id = " + (rows - 9) + ", -1, id),"))
            .collectAsList();
      } catch (Exception e) { // Spark is Scala, and declares none
        Answers.say("failure", e.toString().replace('\n', ' '));
      }
    }
    boolean equal = true;
    double best = Double.MAX_VALUE;
    double bestPlain = Double.MAX_VALUE;
    for (int i = 0; i < Integer.parseInt(args[2]); i++) {
      long begin = System.nanoTime();
      List<Row> answer = spark.sql(QUERY).collectAsList();
      long middle = System.nanoTime();
      equal &= answer.equals(plain.sql(QUERY).collectAsList());
      best = Math.min(best, (middle - begin) / 1e9);
      bestPlain = Math.min(bestPlain, (System.nanoTime() - middle) / 1e9);
    }
    Answers.say("equal", equal);
    Answers.say("ratio", bestPlain / best);
    long borrowed = inSqlMetrics(spark);
    Answers.say("rows in SQL metrics", borrowed);
    Answers.say("rows of others", sum(spark, "borrowedRows"));
    if (args.length > 3) {
      sayWhatLendersSaw(spark, borrowed);
    }
    spark.stop();
  }

  /** Nobody waits for it where nothing is lent, or a lender is killed. */
  private static void sayWhatLendersSaw(SparkSession spark, long borrowed) {
    Answers.say("lent as many", Answers.isSoon(() -> sum(spark, "lentRows") >= borrowed));
    Answers.say(
        "drawn at the lender",
        Answers.isSoon(
            () ->
                LoadFigures.view().spans().stream()
                    .anyMatch(
                        span ->
                            span.span().device().startsWith("host:")
                                && span.span().lentTo() != null
                                && !span.span().lentTo().equals(span.executorId()))));
  }

  private static long sum(SparkSession spark, String column) {
    return spark
        .sql("select coalesce(sum(" + column + "), 0) from gpusched_load()")
        .collectAsList()
        .get(0)
        .getLong(0);
  }

  /** As Spark's SQL page shows them, of all queries. */
  private static long inSqlMetrics(SparkSession spark) {
    SQLAppStatusStore store = spark.sharedState().statusStore();
    long rows = 0;
    Set<Long> seen = new HashSet<>(); // adaptive execution has a node in several plans
    for (SQLExecutionUIData query : CollectionConverters.asJava(store.executionsList())) {
      for (SQLPlanMetric metric : CollectionConverters.asJava(query.metrics())) {
        if (metric.name().equals("rows computed by other executors")
            && seen.add(metric.accumulatorId())) {
          Option<String> value =
              store.executionMetrics(query.executionId()).get(metric.accumulatorId());
          rows += value.isEmpty() ? 0 : Long.parseLong(value.get().replace(",", ""));
        }
      }
    }
    return rows;
  }
}
