package io.github.sparkgpusched.sql.plan;

import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.optimizer.PushDownPredicates$;
import org.apache.spark.sql.catalyst.optimizer.ReorderJoin$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreePattern$;

/**
 * What {@link LocalScalaUdf}s keep Spark from besides: it puts no condition into a join that has
 * something unevaluable. A join without its condition has all pairs of rows.
 */
final class LocalCalls {
  private LocalCalls() {}

  /** The plan with conditions where they would be, had its calls not been called unevaluable. */
  static LogicalPlan withConditionsInJoins(LogicalPlan plan) {
    if (!plan.containsPattern(TreePattern$.MODULE$.INNER_LIKE_JOIN())
        || !plan.exists(LocalCalls::hasLocalCall)) {
      return plan;
    }
    LogicalPlan evaluable = replace(plan, NamedScalaUdf::of);
    LogicalPlan joined =
        PushDownPredicates$.MODULE$.apply(
            ReorderJoin$.MODULE$.apply(PushDownPredicates$.MODULE$.apply(evaluable)));
    return replace(joined, LocalScalaUdf::of);
  }

  private static boolean hasLocalCall(LogicalPlan node) {
    return GpuCalls.expressions(node).stream()
        .anyMatch(e -> e.exists(part -> part instanceof LocalScalaUdf));
  }

  private static LogicalPlan replace(LogicalPlan plan, UnaryOperator<ScalaUDF> by) {
    return plan.transformAllExpressions(
        Scala.<Expression, Expression>total(
            e -> e instanceof NamedScalaUdf call ? by.apply(call) : e));
  }
}
