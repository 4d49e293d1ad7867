package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.functions.MultiplyAdd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.collection.immutable.Map$;

/**
 * What the plugin adds to the planning of a query, from its text to its physical plan: two sessions
 * of one JVM, one without the plugin's rules, plan the same query in pairs. The ratio is that of
 * the medians, plain over plugin.
 *
 * <p>Usage: {@code PlanningBench OUT_DIRECTORY [PAIRS [CALLS]]}: queries with so many calls, or
 * with each of 0, 1, 20 and 100.
 */
public final class PlanningBench {
  private static final int WARM_UP_SECONDS = 20;

  /** Calls of a query. */
  private static final int[] CASES = {0, 1, 20, 100};

  private PlanningBench() {}

  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[0]);
    int pairs = args.length > 1 ? Integer.parseInt(args[1]) : 300;
    int[] cases = args.length > 2 ? new int[] {Integer.parseInt(args[2])} : CASES;
    SparkSession plugin =
        SparkSession.builder()
            .master("local[2]")
            .appName("bench planning")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .getOrCreate();
    SparkSession plain =
        new SparkSession(
            plugin.sparkContext(),
            Option.empty(),
            Option.empty(),
            new SparkSessionExtensions(),
            Map$.MODULE$.empty(),
            Map$.MODULE$.empty());
    for (SparkSession session : List.of(plain, plugin)) {
      session.udf().register("f", new MultiplyAdd(), DataTypes.DoubleType);
      session
          .range(1000)
          .selectExpr("id % 7 as k", "id / 7D as x", "id / 3D as y")
          .createOrReplaceTempView("t");
    }
    StringJoiner csv = new StringJoiner("\n", "calls,plainMillis,pluginMillis,ratio\n", "\n");
    System.out.println("calls in a query | plain [ms] | plugin [ms] | plain / plugin");
    for (int calls : cases) {
      double[][] millis = measure(plain, plugin, calls, pairs);
      double without = Bench.median(millis[0]);
      double with = Bench.median(millis[1]);
      System.out.printf(
          Locale.ROOT, "%16d | %10.3f | %11.3f | %.3f%n", calls, without, with, without / with);
      csv.add(
          String.format(Locale.ROOT, "%d,%.4f,%.4f,%.4f", calls, without, with, without / with));
    }
    Files.createDirectories(out);
    Files.writeString(out.resolve("planning.csv"), csv.toString());
    plugin.stop();
  }

  /** Milliseconds of each pair, without the plugin and with it. */
  private static double[][] measure(SparkSession plain, SparkSession plugin, int calls, int pairs) {
    long warm = System.nanoTime() + TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS);
    for (int i = 0; System.nanoTime() < warm; i++) {
      plan(plain, calls, i);
      plan(plugin, calls, i);
    }
    double[][] millis = new double[2][pairs];
    for (int i = 0; i < pairs; i++) {
      for (int turn = 0; turn < 2; turn++) {
        int which = (i + turn) % 2;
        millis[which][i] = plan(which == 0 ? plain : plugin, calls, i) / 1e6;
      }
    }
    return millis;
  }

  /** Nanoseconds to plan one query, which differs from the last in a literal. */
  private static long plan(SparkSession session, int calls, int number) {
    StringJoiner sums = new StringJoiner(", ");
    sums.add("sum(x)");
    IntStream.range(0, calls).forEach(i -> sums.add("sum(f(x, y, " + i + ".5D))"));
    String query = "select k, " + sums + " from t where y > " + number + " group by k";
    long start = System.nanoTime();
    session.sql(query).queryExecution().executedPlan();
    return System.nanoTime() - start;
  }
}
