package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.sql.plan.BatchedUdfs;
import io.github.sparkgpusched.sql.plan.Scala;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;

/** Plans batched nodes. */
public final class BatchedUdfsStrategy extends SparkStrategy {
  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    return plan instanceof BatchedUdfs udfs
        ? Scala.seq(
            List.of(
                new BatchedUdfsExec(
                    udfs.calls(), udfs.guards(), udfs.results(), false, planLater(udfs.child()))))
        : Scala.seq(List.of());
  }
}
