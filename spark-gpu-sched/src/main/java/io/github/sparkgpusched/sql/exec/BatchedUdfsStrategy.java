package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.sql.plan.BatchedUdfs;
import io.github.sparkgpusched.sql.plan.Rapids;
import io.github.sparkgpusched.sql.plan.RapidsProjection;
import io.github.sparkgpusched.sql.plan.Scala;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.ProjectExec;
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
    BatchedUdfs rest = udfs.only(call -> !RapidsProjection.canHave(call), udfs.child().output());
    BatchedUdfs given =
        udfs.only(RapidsProjection::canHave, Scala.concat(udfs.passed(), rest.results()));
    if (given.calls().isEmpty()) {
      return batched(udfs, child);
    } else if (rest.calls().isEmpty()) {
      return RapidsProjection.of(given, child);
    }
    SparkPlan both = RapidsProjection.of(given, batched(rest, child));
    return new ProjectExec(Scala.map(udfs.output(), column -> (NamedExpression) column), both);
  }

  /** The batched node of a node's calls. */
  static SparkPlan batched(BatchedUdfs udfs, SparkPlan child) {
    return new BatchedUdfsExec(
        udfs.calls(), udfs.guards(), udfs.results(), udfs.passed(), false, child);
  }
}
