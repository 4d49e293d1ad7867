package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.sql.plan.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.BlockingOperatorWithCodegen;
import org.apache.spark.sql.execution.LimitExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.exchange.Exchange;

/**
 * Finds the batched nodes whose tasks may be left before their last row: those below a limit, if
 * nothing in between reads all of its rows before it gives one. Looks at physical plans, where it
 * is known what is sorted, exchanged and broadcast; an adaptive query's stages are looked at one by
 * one.
 *
 * <p>Where it is wrong, a task computes its rows in a few batches more, or some that nobody wants.
 */
final class EarlyStops {
  private EarlyStops() {}

  /** The plan with such nodes marked. */
  static SparkPlan mark(SparkPlan plan) {
    return mark(plan, false);
  }

  private static SparkPlan mark(SparkPlan node, boolean mayStopEarly) {
    boolean below = isLimit(node) || (mayStopEarly && !readsAllFirst(node));
    List<SparkPlan> children = new ArrayList<>();
    for (SparkPlan child : Scala.<SparkPlan>list(node.children())) {
      children.add(mark(child, below));
    }
    SparkPlan marked =
        mayStopEarly && node instanceof BatchedUdfsExec udfs ? udfs.thatMayStopEarly() : node;
    return marked.withNewChildren(Scala.seq(children));
  }

  /** Of an offset alone the limit is negative. */
  private static boolean isLimit(SparkPlan node) {
    return node instanceof LimitExec limit && limit.limit() >= 0;
  }

  private static boolean readsAllFirst(SparkPlan node) {
    return node instanceof BlockingOperatorWithCodegen
        || node instanceof BaseAggregateExec
        || node instanceof Exchange;
  }
}
