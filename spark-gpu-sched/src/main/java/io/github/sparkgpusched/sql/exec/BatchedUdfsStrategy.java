package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.sql.plan.BatchedUdfs;
import io.github.sparkgpusched.sql.plan.Rapids;
import io.github.sparkgpusched.sql.plan.RapidsProjection;
import io.github.sparkgpusched.sql.plan.Scala;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.immutable.Seq;

/**
 * Plans batched nodes. The RAPIDS Accelerator is asked first, where it executes: what it leaves is
 * found by {@link LeftByRapids}.
 */
public final class BatchedUdfsStrategy extends SparkStrategy {
  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    return plan instanceof BatchedUdfs udfs ? Scala.seq(List.of(plan(udfs))) : Scala.seq(List.of());
  }

  private SparkPlan plan(BatchedUdfs udfs) {
    SparkPlan child = planLater(udfs.child());
    if (!Rapids.isGivenCalls(SQLConf.get())) {
      return batched(udfs, child);
    }
    SparkPlan below = batched(udfs.only(call -> !RapidsProjection.canHave(call)), child);
    BatchedUdfs given = udfs.only(RapidsProjection::canHave);
    return given.calls().isEmpty() ? below : RapidsProjection.of(given, below);
  }

  /** The batched node of some calls, or the child itself if there are none. */
  static SparkPlan batched(BatchedUdfs udfs, SparkPlan child) {
    return udfs.calls().isEmpty()
        ? child
        : new BatchedUdfsExec(udfs.calls(), udfs.guards(), udfs.results(), false, child);
  }
}
