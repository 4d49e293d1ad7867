package io.github.sparkgpusched.it.testing;

import io.github.sparkgpusched.sql.exec.AdaptiveUdfsExec;
import io.github.sparkgpusched.sql.exec.BatchedUdfsExec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import scala.jdk.javaapi.CollectionConverters;

/** The batched nodes of a query that has been run. */
public final class BatchedNodes {
  private BatchedNodes() {}

  /** Those of its plan, its subqueries and cached parts, and of the stages of an adaptive one. */
  public static List<SparkPlan> of(Dataset<?> query) {
    List<SparkPlan> nodes = new ArrayList<>();
    find(query.queryExecution().executedPlan(), nodes);
    return nodes;
  }

  private static void find(SparkPlan plan, List<SparkPlan> nodes) {
    if (plan instanceof BatchedUdfsExec || plan instanceof AdaptiveUdfsExec) {
      nodes.add(plan);
    }
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      find(adaptive.executedPlan(), nodes);
    }
    if (plan instanceof QueryStageExec stage) {
      find(stage.plan(), nodes);
    }
    if (plan instanceof InMemoryTableScanExec cached) {
      find(cached.relation().cachedPlan(), nodes);
    }
    CollectionConverters.asJava(plan.children()).forEach(child -> find(child, nodes));
    CollectionConverters.asJava(plan.subqueries()).forEach(query -> find(query, nodes));
  }

  /** How many batches they computed. */
  public static long batches(Dataset<?> query) {
    return metric(query, "numBatches");
  }

  /** The sum of one of their metrics. */
  public static long metric(Dataset<?> query, String name) {
    return of(query).stream().mapToLong(node -> node.metrics().apply(name).value()).sum();
  }
}
