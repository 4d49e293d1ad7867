package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.GpuSched;
import io.github.sparkgpusched.load.Work;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * Runs a skewed query, says how many rows each surface of the plugin counts, and stays until a file
 * exists.
 *
 * <p>Arguments: the name under which the UDF is registered, and that file; without a file it stops
 * as soon as it has the answer.
 */
public final class LoadApp {
  public static final long ROWS = 60_000;

  private LoadApp() {}

  public static void main(String[] args) throws Exception {
    SparkSession spark = Answers.session();
    String udf = args[0];
    spark.udf().register(udf, new CollatzSteps(), DataTypes.IntegerType);
    spark.range(0, ROWS, 1, 2).createOrReplaceTempView("rows");
    spark
        .sql(
            "SELECT sum(`"
                + udf
                + "`(id)) FROM (SELECT /*+ repartition(4, k) */ id, if(id % 10 = 0, id, 1) k FROM"
                + " rows)")
        .collectAsList();
    if (args.length == 1) {
      spark.stop();
      return;
    }
    Answers.say("expected", ROWS);
    Answers.say(
        "accumulator",
        LoadAccumulator.of(spark.sparkContext()).value().values().stream()
            .mapToLong(Work::rows)
            .sum());
    Answers.isSoon(() -> rows(spark) >= ROWS);
    Answers.say("load table", rows(spark));
    Answers.awaitFile(args[1]);
    spark.stop();
  }

  private static long rows(SparkSession spark) {
    List<Row> table = GpuSched.loadTable(spark).collectAsList();
    return table.stream().mapToLong(row -> row.<Long>getAs("rows")).sum();
  }
}
