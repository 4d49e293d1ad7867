package io.github.sparkgpusched.sql.plan;

import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.expressions.DynamicPruningSubquery;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.CollapseProject$;
import org.apache.spark.sql.catalyst.optimizer.PushDownPredicates$;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.dynamicpruning.PartitionPruning$;

/**
 * Dynamic partition pruning, where a side of a join has calls. Spark puts its filters below the
 * join later, and drops those that do not come down to a scan: no filter of Spark's goes below
 * {@link BatchedUdfs}. So they are put there before calls are pulled out.
 */
final class PrunedPartitions {
  private PrunedPartitions() {}

  /**
   * The plan with filters at scans whose partitions joins choose, if calls stand between.
   *
   * @param pullOut what is done to the other side of such a join: a filter reads what is broadcast
   *     for the join if both are the same
   */
  static LogicalPlan of(LogicalPlan plan, UnaryOperator<LogicalPlan> pullOut) {
    if (!plan.exists(PrunedPartitions::joinsCalls)) {
      return plan;
    }
    LogicalPlan pruned = PushDownPredicates$.MODULE$.apply(PartitionPruning$.MODULE$.apply(plan));
    return pruned.transformAllExpressions(
        Scala.<Expression, Expression>total(
            e ->
                e instanceof DynamicPruningSubquery filter
                    ? filter.withNewPlan(
                        // Spark does that to the join's side later, and not to this one.
                        CollapseProject$.MODULE$.apply(pullOut.apply(filter.buildQuery())))
                    : e));
  }

  private static boolean joinsCalls(LogicalPlan node) {
    return node instanceof Join join
        && (join.left().exists(OperatorCalls::hasCall)
            || join.right().exists(OperatorCalls::hasCall));
  }
}
