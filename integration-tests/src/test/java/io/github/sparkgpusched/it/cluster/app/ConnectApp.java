package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.GpuSched;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * A Spark Connect client: sends its jar and registers a UDF by name. Arguments: the server's
 * address and the jar.
 */
public final class ConnectApp {
  private static final String QUERY =
      "select id % 7 k, sum(steps(id)) s from range(0, 10000, 1, 2) where steps(id + 1) > 5"
          + " group by id % 7 order by k";

  private ConnectApp() {}

  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().remote(args[0]).getOrCreate();
    spark.addArtifact(args[1]);
    spark.udf().register("steps", new CollatzSteps(), DataTypes.IntegerType);
    Answers.say("session", spark.getClass().getName());
    List<Row> batched = spark.sql(QUERY).collectAsList();
    Answers.say("batched", plan(spark).contains("BatchedUdfs"));
    Answers.say("load table", GpuSched.loadTable(spark).count());
    spark.conf().set("spark.gpusched.enabled", "false");
    List<Row> plain = spark.sql(QUERY).collectAsList();
    Answers.say("plain", !plan(spark).contains("BatchedUdfs"));
    Answers.say("equal", batched.size() == 7 && batched.equals(plain));
    spark.stop();
  }

  private static String plan(SparkSession spark) {
    return spark.sql("explain " + QUERY).collectAsList().get(0).getString(0);
  }
}
