package io.github.sparkgpusched.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions of one application that query at once, each with its own settings and functions. */
@Tag("faults")
class SessionsTest {
  private static final int SESSIONS = 6;
  private static final int QUERIES = 4;

  /** Each session's function of the same name adds another number. */
  private static SparkSession session(LocalSpark spark, int number) {
    SparkSession session = spark.session().newSession();
    long added = number;
    session.udf().register("f", Scripted.rows(value -> value + added), DataTypes.LongType);
    session.conf().set("spark.gpusched.enabled", String.valueOf(number % 3 != 2));
    session.conf().set("spark.gpusched.batch.rows", String.valueOf(7 << number));
    session.conf().set("spark.gpusched.explain", "NONE");
    return session;
  }

  private static void query(SparkSession session, int number, Random random) {
    long rows = random.nextInt(1, 3_000);
    int partitions = random.nextInt(1, 5);
    Dataset<Row> values = session.range(0, rows, 1, partitions).selectExpr("f(id) v", "id");
    assertEquals(
        number % 3 != 2, values.queryExecution().executedPlan().toString().contains("BatchedUdfs"));
    List<Row> sum = values.where("f(id) >= " + number).groupBy().sum("v").collectAsList();
    assertEquals(rows * (rows - 1) / 2 + rows * number, sum.get(0).getLong(0));
  }

  @Test
  void doNotDisturbEachOther() throws Exception {
    try (LocalSpark spark = LocalSpark.start(4)) {
      ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
      try {
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
          int number = i;
          done.add(
              threads.submit(
                  () -> {
                    SparkSession session = session(spark, number);
                    Random random = new Random(number);
                    for (int q = 0; q < QUERIES; q++) {
                      query(session, number, random);
                    }
                  }));
        }
        for (Future<?> session : done) {
          session.get();
        }
      } finally {
        threads.shutdownNow();
      }
      spark.assertRecovered();
    }
  }
}
