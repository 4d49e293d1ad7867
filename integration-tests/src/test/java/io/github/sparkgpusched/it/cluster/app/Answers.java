package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.it.cluster.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/** What the test applications share: a query with batched UDFs, and how they answer. */
final class Answers {
  /** How long an answer waits for what comes soon: the test waits for that answer. */
  static final Duration PATIENCE = Waiting.PATIENCE.dividedBy(2);

  private Answers() {}

  static void say(String key, Object value) {
    System.out.println("answer: " + key + "=" + value);
  }

  static SparkSession session() {
    SparkSession spark = SparkSession.builder().getOrCreate();
    say("application", spark.sparkContext().applicationId());
    if (spark.sparkContext().uiWebUrl().isDefined()) {
      say("ui", spark.sparkContext().uiWebUrl().get());
    }
    register(spark);
    return spark;
  }

  private static void register(SparkSession spark) {
    spark.udf().register("steps", new CollatzSteps(), DataTypes.IntegerType);
    spark.udf().register("slowly", new Slowly(), DataTypes.LongType);
  }

  /** Another session of the application, in which calls stay row by row. */
  static SparkSession rowWise(SparkSession spark) {
    SparkSession plain = spark.newSession();
    plain.conf().set("spark.gpusched.enabled", "false");
    register(plain);
    return plain;
  }

  /** A skewed table, of which the last partition has nearly all rows. */
  static Dataset<Row> table(SparkSession spark, long rows) {
    return spark
        .range(0, rows, 1, 2)
        .selectExpr("id", "if(id % 11 = 0, null, id) n", "id % 7 k", "if(id % 10 = 0, id, 1) skew")
        .repartition(4, new org.apache.spark.sql.Column("skew"));
  }

  /** Calls in a filter, over an expression, and below an aggregate. */
  static Dataset<Row> query(SparkSession spark, long rows) {
    return table(spark, rows)
        .where("steps(id) > 5")
        .groupBy("k")
        .agg(
            org.apache.spark.sql.functions.expr("count(n) c"),
            org.apache.spark.sql.functions.expr("sum(steps(n)) s"),
            org.apache.spark.sql.functions.expr("max(steps(n + k)) m"))
        .orderBy("k");
  }

  /** Runs the query both ways and says whether the answers are the same. */
  static void compare(SparkSession spark, long rows) {
    Dataset<Row> batched = query(spark, rows);
    List<Row> answer = batched.collectAsList();
    say("batched", isBatched(batched));
    Dataset<Row> plain = query(rowWise(spark), rows);
    say("plain", !isBatched(plain));
    say("equal", answer.size() == 7 && plain.collectAsList().equals(answer));
  }

  static boolean isBatched(Dataset<Row> dataset) {
    return dataset.queryExecution().executedPlan().toString().contains("BatchedUdfs");
  }

  /** Whether it comes true while anybody waits. Executors report a quarter of a second later. */
  static boolean isSoon(BooleanSupplier condition) {
    try {
      Waiting.until(() -> "", PATIENCE, condition);
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }

  static void awaitFile(String file) throws InterruptedException {
    while (!Files.exists(Path.of(file))) {
      Thread.sleep(50);
    }
  }
}
