package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.it.queries.QueryDuel;
import io.github.sparkgpusched.it.testing.Footprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * Goes on for a time: random queries, one whose executor borrows cores, one that is cancelled and
 * one that fails, and a look at the size of the driver and of the executors, again and again.
 * Arguments: seconds, a seed, seconds between two looks.
 */
public final class SoakApp {
  private static final long ROWS = 4000;
  private static final int STEPS = 100_000;

  /** So many different queries: Spark's parser keeps what it has learned of each for ever. */
  private static final int TEXTS = 200;

  /** What is kept of a text is there once it has come so often. */
  private static final int TIMES_UNTIL_WARM = 2;

  /** So many looks have a session of their own, with its functions and tables. */
  private static final int LOOKS_A_SESSION = 10;

  private static final String HEAVY =
      "select count(t), sum(crc32(t)) from (select churn(if(id = %d, -1, id), if(id < "
          + ROWS
          + ", "
          + STEPS
          + ", 1)) t from range(0, "
          + 4 * ROWS
          + ", 1, 4))";

  private final SparkSession spark;
  private final long seed;
  private final long begin = System.nanoTime();
  private final List<Row> expected;
  private final QueryDuel duel = new QueryDuel();
  private long queries;
  private long faults;
  private long wrong;
  private long cancelled;

  /** When all texts had come {@link #TIMES_UNTIL_WARM} times; -1 until they have. */
  private double warmSecond = -1;

  private SoakApp(SparkSession spark, long seed) {
    this.spark = spark;
    this.seed = seed;
    spark.udf().register("churn", new Churn(), DataTypes.StringType);
    SparkSession plain = Answers.rowWise(spark);
    plain.udf().register("churn", new Churn(), DataTypes.StringType);
    expected = plain.sql(heavy(-5)).collectAsList();
  }

  public static void main(String[] args) throws Exception {
    long seconds = Long.parseLong(args[0]);
    double between = Double.parseDouble(args[2]);
    SparkSession spark = Answers.session();
    spark.sparkContext().setLogLevel("OFF");
    SoakApp app = new SoakApp(spark, Long.parseLong(args[1]));
    for (int look = 1; app.seconds() < seconds; look++) {
      app.goOn(look, look * between);
      app.look();
    }
    Answers.say("queries", app.queries);
    Answers.say("faults", app.faults);
    Answers.say("wrong", app.wrong);
    Answers.say("answered", app.duel.answered());
    Answers.say("batched", app.duel.batched());
    Answers.say("cancelled", app.cancelled);
    Answers.say("warm second", app.warmSecond);
    Answers.say("left over", String.join("; ", Leftovers.await(spark)));
    spark.stop();
  }

  private double seconds() {
    return (System.nanoTime() - begin) / 1e9;
  }

  private static String heavy(long failing) {
    return String.format(HEAVY, failing);
  }

  private void goOn(int look, double until) throws Exception {
    if (look == 1 || look % LOOKS_A_SESSION == 0) {
      spark.catalog().clearCache();
      duel.ask(spark.newSession());
    }
    check(spark.sql(heavy(-5)).collectAsList().equals(expected), "the heavy query");
    fail();
    cancel();
    do {
      String difference = duel.difference(seed, queries % TEXTS);
      check(difference.isEmpty(), difference);
    } while (seconds() < until);
  }

  private void check(boolean right, String what) {
    queries++;
    if (queries == TIMES_UNTIL_WARM * TEXTS) {
      warmSecond = seconds();
    }
    if (!right) {
      wrong++;
      System.out.println("NOT AS IN PLAIN SPARK: " + what);
    }
  }

  private void fail() {
    faults++;
    try {
      spark.sql(heavy(ROWS - 9)).collectAsList();
      check(false, "a query that was to fail");
    } catch (Exception e) { // Spark is Scala, and declares none
      check(e.toString().contains("minus one"), "what failed: " + e);
    }
  }

  private void cancel() throws InterruptedException {
    faults++;
    CompletableFuture<Void> query =
        CompletableFuture.runAsync(
            () -> {
              spark.sparkContext().setJobGroup("cancelled", "to be cancelled", faults % 2 == 0);
              spark.sql(heavy(-5)).collectAsList();
            },
            task -> new Thread(task, "to be cancelled").start());
    for (int i = 0; i < 5 && !query.isDone(); i++) {
      Thread.sleep(100);
      spark.sparkContext().cancelJobGroup("cancelled");
    }
    query
        .handle((none, e) -> e != null && e.toString().contains("cancelled"))
        .thenAccept(ended -> cancelled += ended ? 1 : 0)
        .join();
  }

  private void look() throws IOException {
    Map<String, String> sizes = new TreeMap<>(Map.of("driver", Footprint.now().csv()));
    int tasks = 4 * ExecutorProcesses.alive(spark).size();
    spark
        .range(0, tasks, 1, tasks)
        .mapPartitions((MapPartitionsFunction<Long, String>) SoakApp::here, Encoders.STRING())
        .collectAsList()
        .forEach(line -> sizes.put(line.substring(0, line.indexOf(':')), size(line)));
    List<String> lines = new ArrayList<>();
    sizes.forEach(
        (process, size) -> lines.add(String.format("look: %s,%.0f,%s", process, seconds(), size)));
    lines.forEach(System.out::println);
  }

  private static String size(String line) {
    return line.substring(line.indexOf(':') + 1);
  }

  /** On an executor, by a task of its own. */
  private static Iterator<String> here(Iterator<Long> rows) throws Exception {
    Thread.sleep(100); // so that each executor has one of these tasks
    while (rows.hasNext()) {
      rows.next();
    }
    return List.of("executor " + SparkEnv.get().executorId() + ":" + Footprint.now().csv())
        .iterator();
  }
}
