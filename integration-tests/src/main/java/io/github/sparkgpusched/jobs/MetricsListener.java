package io.github.sparkgpusched.jobs;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.util.QueryExecutionListener;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/** Reads the metrics of batched nodes from the queries that a session finishes. */
final class MetricsListener implements QueryExecutionListener, AutoCloseable {
  private static final long WAIT_SECONDS = 30;

  private final SparkSession spark;

  /** Put by Spark's listener thread, taken by the job. */
  private final LinkedBlockingQueue<Map<String, Long>> finished = new LinkedBlockingQueue<>();

  MetricsListener(SparkSession spark) {
    this.spark = spark;
    spark.listenerManager().register(this);
  }

  /** The metrics of the first query since registration that had a batched node; empty if none. */
  Optional<Map<String, Long>> await() throws InterruptedException {
    return Optional.ofNullable(finished.poll(WAIT_SECONDS, TimeUnit.SECONDS));
  }

  @Override
  public void onSuccess(String function, QueryExecution query, long nanos) {
    Map<String, Long> sums = new TreeMap<>();
    new PlanWalker()
        .foreach(
            query.executedPlan(),
            node -> {
              addMetrics(node, sums);
              return BoxedUnit.UNIT;
            });
    if (!sums.isEmpty()) {
      finished.add(sums);
    }
  }

  private static void addMetrics(SparkPlan node, Map<String, Long> sums) {
    Map<String, SQLMetric> metrics = CollectionConverters.asJava(node.metrics());
    if (metrics.containsKey("numStolenBlocks")) {
      metrics.forEach((name, metric) -> sums.merge(name, metric.value(), Long::sum));
    }
  }

  @Override
  public void onFailure(String function, QueryExecution query, Exception error) {}

  @Override
  public void close() {
    spark.listenerManager().unregister(this);
  }

  /** Walks into the stages of adaptive plans too. */
  private static final class PlanWalker implements AdaptiveSparkPlanHelper {}
}
