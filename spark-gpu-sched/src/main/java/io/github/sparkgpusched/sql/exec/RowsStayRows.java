package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.config.BatchingMode;
import io.github.sparkgpusched.config.QueryKeys;
import io.github.sparkgpusched.sql.plan.Scala;
import io.github.sparkgpusched.sql.plan.SessionConfig;
import java.util.List;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.RowToColumnarExec;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * What remains to be done to batched nodes in a physical plan that is otherwise finished.
 *
 * <p>Takes out the transition that Spark puts between a row-based child and a columnar node: a
 * batched node copies rows to its columns itself, whole, where the transition would copy them value
 * by value. Of a filter over a columnar plan no rows are made at all.
 *
 * <p>First of all, nodes go above what drops rows ({@link CallsLast}). Later, unions get rows
 * ({@link RowUnions}), calls that the RAPIDS Accelerator leaves become such nodes ({@link
 * LeftByRapids}), nodes that are below a limit are marked ({@link EarlyStops}), and those between
 * rows become a part of Spark's generated code ({@link AdaptivePlan}).
 */
public final class RowsStayRows extends ColumnarRule {
  /** Before Spark puts transitions in. */
  @Override
  public Rule<SparkPlan> preColumnarTransitions() {
    return new Rule<>() {
      @Override
      public SparkPlan apply(SparkPlan plan) {
        return CallsLast.apply(plan);
      }
    };
  }

  @Override
  public Rule<SparkPlan> postColumnarTransitions() {
    return new Rule<>() {
      @Override
      public SparkPlan apply(SparkPlan finished) {
        SparkPlan plan = LeftByRapids.batched(finished, conf());
        if (!plan.exists(BatchedUdfsExec.class::isInstance)) {
          return plan;
        }
        plan = RowUnions.apply(plan);
        BatchingMode mode = SessionConfig.get(conf(), QueryKeys.BATCHING);
        return AdaptivePlan.of(EarlyStops.mark(plan), mode)
            .transformUp(Scala.<SparkPlan, SparkPlan>total(RowsStayRows::withRows));
      }
    };
  }

  private static SparkPlan withRows(SparkPlan node) {
    if (node instanceof BatchedUdfsExec batched
        && batched.child() instanceof RowToColumnarExec transition) {
      SparkPlan child = BatchedFilterExec.instead(transition.child());
      return node.withNewChildren(Scala.seq(List.of(child)));
    }
    return node;
  }
}
