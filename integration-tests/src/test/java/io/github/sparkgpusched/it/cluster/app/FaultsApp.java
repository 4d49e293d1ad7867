package io.github.sparkgpusched.it.cluster.app;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * Queries of which one of four partitions has 90 % of the cost, a fault in each, and their answers
 * beside those of plain Spark. Arguments: how many faults of each kind, a seed, kinds.
 */
public final class FaultsApp {
  private static final long ROWS = 20_000;
  private static final int STEPS = 100_000;
  private static final int QUERIES = 3;

  /** Three others have a 27th of the heavy one's cost each. */
  private static final int HEAVIER = 27;

  private final SparkSession spark;
  private final Watch watch = new Watch();
  private final Injector injector;
  private final List<List<Row>> expected = new ArrayList<>();
  private final ExecutorService queries =
      Executors.newSingleThreadExecutor(
          run -> {
            Thread thread = new Thread(run, "queries");
            thread.setDaemon(true);
            return thread;
          });

  private FaultsApp(SparkSession spark) {
    this.spark = spark;
    this.injector = new Injector(spark, watch);
  }

  public static void main(String[] args) throws Exception {
    SparkSession spark = Answers.session();
    spark.sparkContext().setLogLevel("ERROR");
    FaultsApp app = new FaultsApp(spark);
    app.prepare();
    for (String kind : args[2].split(",", -1)) {
      app.bring(Fault.of(kind), Integer.parseInt(args[0]), Long.parseLong(args[1]));
    }
    Answers.say("left over", String.join("; ", Leftovers.await(spark)));
    spark.stop();
  }

  private void prepare() throws InterruptedException {
    SparkSession plain = Answers.rowWise(spark);
    for (SparkSession session : List.of(spark, plain)) {
      session.udf().register("churn", new Churn(), DataTypes.StringType);
      session
          .range(0, 4 * ROWS, 1, 4)
          .selectExpr("id", "if(id < " + ROWS + ", " + STEPS + ", " + STEPS / HEAVIER + ") steps")
          .createOrReplaceTempView("rows");
    }
    for (int i = 0; i < QUERIES; i++) {
      expected.add(plain.sql(query(i)).collectAsList());
    }
    Leftovers.await(spark); // so that executors know what they hold before
    spark.sparkContext().addSparkListener(watch);
  }

  private static String query(int number) {
    return "select count(t) n, sum(crc32(t)) c, bit_xor(xxhash64(id, t)) x, count(u) m,"
        + " bit_xor(xxhash64(id, u)) y from (select id, churn(id + 1000003 * "
        + number
        + ", steps) t, churn(if(id % 3 = 0, null, id), 2) u from rows)";
  }

  private void bring(Fault fault, int times, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(31 * seed + fault.text().hashCode());
    int exact = 0;
    int wrong = 0;
    int came = 0;
    int late = 0;
    int withRows = 0;
    int failedBefore = watch.failed();
    long lentBefore = injector.borrowedRows();
    for (int i = 0; came < times && late < 10 + 3 * times; i++) {
      injector.awaitCalm();
      watch.forgetOwner();
      long before = injector.borrowedRows();
      long begin = System.nanoTime();
      int number = i % QUERIES;
      Future<List<Row>> query = queries.submit(() -> spark.sql(query(number)).collectAsList());
      boolean inTime = injector.inject(fault, random.split(), query, before);
      long millis = (System.nanoTime() - begin) / 1_000_000;
      boolean lent = injector.borrowedRows() > before;
      String answer = outcome(query, expected.get(number));
      boolean right = answer.equals("exact");
      came += inTime ? 1 : 0;
      late += inTime ? 0 : 1;
      exact += inTime && right ? 1 : 0;
      wrong += right ? 0 : 1;
      withRows += inTime && lent ? 1 : 0;
      System.out.printf(
          "%s %d: %s, %s after %d ms, %s, query %d ms%n",
          fault.text(),
          came,
          inTime ? "came" : "too late",
          lent ? "rows lent" : "no rows lent",
          millis,
          answer,
          (System.nanoTime() - begin) / 1_000_000);
    }
    injector.awaitCalm();
    Answers.say(
        fault.text(),
        String.join(
            ",",
            String.valueOf(came),
            String.valueOf(exact),
            String.valueOf(wrong),
            String.valueOf(withRows),
            String.valueOf(late),
            String.valueOf(watch.failed() - failedBefore),
            String.valueOf(injector.borrowedRows() - lentBefore)));
  }

  private static String outcome(Future<List<Row>> query, List<Row> expected)
      throws InterruptedException {
    try {
      List<Row> answer = query.get(4, TimeUnit.MINUTES);
      return answer.equals(expected) ? "exact" : "WRONG: " + answer + " for " + expected;
    } catch (ExecutionException e) {
      return "FAILED: " + String.valueOf(e.getCause()).replace('\n', ' ');
    } catch (TimeoutException e) {
      return "HANGS";
    }
  }
}
