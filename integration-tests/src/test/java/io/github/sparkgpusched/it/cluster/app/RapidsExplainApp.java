package io.github.sparkgpusched.it.cluster.app;

import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs each plain {@link RapidsQuery} on a table that it writes before, and compares the answer
 * with the row-wise one. Argument: a folder for the table.
 */
public final class RapidsExplainApp {
  private RapidsExplainApp() {}

  public static void main(String[] args) {
    SparkSession spark = Answers.session();
    spark
        .range(2000)
        .selectExpr(
            // Numbers whose sums are exact: they do not depend on an order.
            "if(id % 7 = 0, null, id / 4) a",
            "id % 16 / 2 b",
            "id / 8 c",
            "cast(id % 50 as int) k",
            "if(id % 11 = 0, null, substring('Zürich', 1, cast(id % 7 as int))) s",
            "repeat('ü', cast(id % 3 as int)) u")
        .write()
        .mode("overwrite")
        .parquet(args[0]);
    RapidsTables.register(spark, args[0]);
    SparkSession plain = Answers.rowWise(spark);
    RapidsTables.register(plain, args[0]);
    for (RapidsQuery query : RapidsQuery.values()) {
      if (query.isPlain()) {
        Dataset<Row> batched = spark.sql(query.sql());
        List<Row> answer = sorted(batched);
        Answers.say("rows." + query, answer.size());
        Answers.say("batched." + query, Answers.isBatched(batched));
        Answers.say("equal." + query, answer.equals(sorted(plain.sql(query.sql()))));
      }
    }
    spark.stop();
  }

  private static List<Row> sorted(Dataset<Row> query) {
    return query.collectAsList().stream().sorted(Comparator.comparing(Row::toString)).toList();
  }
}
