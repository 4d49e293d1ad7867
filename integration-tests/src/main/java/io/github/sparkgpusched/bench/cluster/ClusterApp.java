package io.github.sparkgpusched.bench.cluster;

import com.codahale.metrics.Gauge;
import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.runtime.DriverRuntime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkEnv;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * The application that {@link ClusterBench} submits. It is told what to run, a line each, and
 * answers each with a line.
 *
 * <p>Arguments: the folder of the demo data, and how many executors there are.
 */
public final class ClusterApp {
  private static final String ENABLED = "spark.gpusched.enabled";
  private static final String PLUGIN = "plugin.io.github.sparkgpusched.GpuSchedPlugin";
  private static final String QUESTIONS = "gpusched.application.questions";

  private static final String HEAVY = "heavy";

  /** A lender's own task: 64 rows of 10 us. */
  private static final String OWN =
      "select since_task_start(id, 7000, id = 63) from range(0, 64, 1, 1)";

  /** Of so many rows one, for runs in which the JIT compiler finds its way. */
  private static final int SMALL = 500;

  private final SparkSession spark;
  private final String data;

  private ClusterApp(SparkSession spark, String data) {
    this.spark = spark;
    this.data = data;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    SparkSession spark = SparkSession.builder().appName("bench cluster").getOrCreate();
    ClusterCase.register(spark);
    int executors = Integer.parseInt(args[1]);
    while (spark.sparkContext().statusTracker().getExecutorInfos().length <= executors) {
      Thread.sleep(50); // the driver is one of them
    }
    ClusterApp app = new ClusterApp(spark, args[0]);
    BufferedReader questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = questions.readLine(); line != null; line = questions.readLine()) {
      System.out.println(SubmittedApp.ANSWER + app.answer(line.split(" ", -1)));
    }
    spark.stop();
  }

  private String answer(String[] words) throws InterruptedException {
    return switch (words[0]) {
      case "warm" -> warm(Integer.parseInt(words[1]));
      case "run" -> run(ClusterCase.valueOf(words[1]), Boolean.parseBoolean(words[2]));
      case "labelled" -> {
        // The label is what an event log calls the query.
        spark.sparkContext().setJobDescription(words[3]);
        yield run(ClusterCase.valueOf(words[1]), Boolean.parseBoolean(words[2]));
      }
      case "forms" -> forms(Boolean.parseBoolean(words[1]));
      case "phase" -> phase(Phase.valueOf(words[1]), Integer.parseInt(words[2]));
      case "lend" -> lend(Boolean.parseBoolean(words[1]), Integer.parseInt(words[2]));
      case "sql" -> {
        spark.sql(String.join(" ", List.of(words).subList(1, words.length))).collectAsList();
        yield "done";
      }
      case "ui" -> spark.sparkContext().uiWebUrl().get();
      case "skew" -> ClusterCase.cities(spark, data, 2).skew();
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  /** From now on functions have their batch methods, or {@code call} alone. */
  private String forms(boolean byCall) {
    ClusterCase.register(spark);
    if (byCall) {
      ClusterCase.registerByCall(spark);
    }
    return "forms";
  }

  /** Runs all queries on little data, both ways, for so many seconds. */
  private String warm(int seconds) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < until) {
      for (ClusterCase c : ClusterCase.values()) {
        for (int i = 0; i < 2 && System.nanoTime() < until; i++) {
          spark.conf().set(ENABLED, i == 0);
          c.query(spark, data, SMALL).collectAsList();
        }
      }
    }
    return "warm";
  }

  /** Seconds, rows and bytes that went to other executors, questions, and the query's answer. */
  private String run(ClusterCase c, boolean plugin) {
    spark.conf().set(ENABLED, plugin);
    long asked = questions();
    long start = System.nanoTime();
    Dataset<Row> query = c.query(spark, data, 1);
    List<Row> answer = query.collectAsList();
    double seconds = (System.nanoTime() - start) / 1e9;
    Map<String, Long> moved = moved(query.queryExecution().executedPlan());
    return String.join(
        " ",
        String.valueOf(seconds),
        String.valueOf(moved.getOrDefault("numRemoteRows", 0L)),
        String.valueOf(
            moved.getOrDefault("toRemoteBytes", 0L) + moved.getOrDefault("fromRemoteBytes", 0L)),
        String.valueOf(questions() - asked),
        answer.toString().replace(" ", ""));
  }

  /** Sums over all nodes; a metric that two nodes of an adaptive plan share counts once. */
  private static Map<String, Long> moved(SparkPlan plan) {
    Map<String, Long> sums = new HashMap<>();
    Set<Long> seen = new TreeSet<>();
    new PlanWalker()
        .foreach(
            plan,
            node -> {
              Map<String, SQLMetric> metrics = CollectionConverters.asJava(node.metrics());
              metrics.forEach(
                  (name, metric) -> {
                    // A size that was never set is -1.
                    if (name.contains("Remote") && metric.value() > 0 && seen.add(metric.id())) {
                      sums.merge(name, metric.value(), Long::sum);
                    }
                  });
              return BoxedUnit.UNIT;
            });
    return sums;
  }

  /** Questions that executors have asked the driver; 0 where there are none to be asked. */
  private static long questions() {
    long sum = 0;
    for (Source source :
        CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName(PLUGIN))) {
      Gauge<?> gauge = source.metricRegistry().getGauges().get(QUESTIONS);
      sum += gauge == null ? 0 : (Long) gauge.getValue();
    }
    return sum;
  }

  /** When there is nothing to steal. */
  enum Phase {
    /** Each executor has a partition that would like more cores. */
    BUSY {
      @Override
      String query() {
        return "select sum(churn(id, 50000) & 1023) from range(0, 20000, 1, 2)";
      }
    },
    /** They have work for 50 ms or so, again and again. */
    SHORT {
      @Override
      String query() {
        return "select sum(churn(id, 50000) & 1023) from range(0, 1400, 1, 2)";
      }
    },
    /** None has work. */
    IDLE {
      @Override
      String query() {
        return "";
      }
    };

    abstract String query();
  }

  /** Seconds, questions. */
  private String phase(Phase phase, int seconds) throws InterruptedException {
    spark.conf().set(ENABLED, true);
    long asked = questions();
    long start = System.nanoTime();
    long until = start + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < until) {
      if (phase.query().isEmpty()) {
        Thread.sleep(20);
      } else {
        spark.sql(phase.query()).collectAsList();
      }
    }
    return (System.nanoTime() - start) / 1e9 + " " + (questions() - asked);
  }

  /**
   * One executor has a heavy partition. Now and then a short task begins on the other one: of each,
   * what {@link TaskClock} tells, and microseconds until the driver has its rows.
   *
   * @param shared whether to await, before each, that the other one computes rows for the first
   */
  private String lend(boolean shared, int samples) throws InterruptedException {
    spark.conf().set(ENABLED, true);
    SparkSession own = spark.newSession();
    own.conf().set("spark.gpusched.batching", "always");
    ClusterCase.register(own);
    Thread heavy = new Thread(this::heavyUntilCancelled, "heavy");
    heavy.setDaemon(true);
    heavy.start();
    StringJoiner answer = new StringJoiner(" ");
    for (int i = 0; i < samples; i++) {
      if (awaitLending(shared)) {
        long start = System.nanoTime();
        List<Row> rows = own.sql(OWN).collectAsList();
        double micros = (System.nanoTime() - start) / 1e3;
        answer.add(rows.get(rows.size() - 1).getString(0) + "," + micros);
      }
    }
    spark.sparkContext().cancelJobGroup(HEAVY);
    heavy.join();
    return answer.toString();
  }

  private void heavyUntilCancelled() {
    spark.sparkContext().setJobGroup(HEAVY, HEAVY, false);
    try {
      while (true) {
        spark
            .sql("select sum(watched_churn(id, 50000) & 1023) from range(0, 500000, 1, 1)")
            .collectAsList();
      }
    } catch (Exception e) { // Spark is Scala, and declares none
      if (!String.valueOf(e.getMessage()).contains("cancelled")) {
        throw e;
      }
    }
  }

  /** The driver learns of lent rows up to a quarter of a second later: twice, to be sure. */
  private static boolean awaitLending(boolean shared) throws InterruptedException {
    if (!shared) {
      Thread.sleep(1200);
      return true;
    }
    Thread.sleep(300); // what was lent before the last task is known then
    for (int report = 0; report < 2; report++) {
      long before = lentRows();
      for (int i = 0; lentRows() <= before; i++) {
        if (i == 1000) {
          return false;
        }
        Thread.sleep(5);
      }
    }
    return true;
  }

  private static long lentRows() {
    return DriverRuntime.current()
        .orElseThrow()
        .load()
        .view(System.nanoTime(), System.currentTimeMillis())
        .devices()
        .stream()
        .map(LoadView.Device::load)
        .map(DeviceLoad::lentRows)
        .mapToLong(rows -> rows == null ? 0 : rows)
        .sum();
  }

  /** Walks into the stages of adaptive plans too. */
  private static final class PlanWalker implements AdaptiveSparkPlanHelper {}
}
