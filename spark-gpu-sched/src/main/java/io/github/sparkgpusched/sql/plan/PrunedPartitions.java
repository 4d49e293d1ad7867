package io.github.sparkgpusched.sql.plan;

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

  /** The plan with filters at scans whose partitions joins choose, if calls stand between. */
  static LogicalPlan of(LogicalPlan plan) {
    return plan.exists(PrunedPartitions::joinsCalls)
        ? PushDownPredicates$.MODULE$.apply(PartitionPruning$.MODULE$.apply(plan))
        : plan;
  }

  private static boolean joinsCalls(LogicalPlan node) {
    return node instanceof Join join
        && (join.left().exists(OperatorCalls::hasCall)
            || join.right().exists(OperatorCalls::hasCall));
  }
}
