package io.github.sparkgpusched.sql.plan;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Limits the rows before calls are computed. Spark puts projections below limits, which costs
 * nothing as long as rows are computed one by one when they are asked for; a batch would compute
 * all of a partition's. Inside a query, limits of sorted rows need that, too: see {@link
 * SortedLimits}.
 */
final class LimitsFirst {
  private LimitsFirst() {}

  /** A plan whose limits over projections with calls are turned round. */
  static LogicalPlan apply(LogicalPlan plan) {
    return GpuCalls.mayContainCalls(plan) ? apply(plan, true) : plan;
  }

  /**
   * @param atTop whether there are at most limits above the node
   */
  private static LogicalPlan apply(LogicalPlan node, boolean atTop) {
    boolean childAtTop = atTop && SortedLimits.isLimit(node);
    LogicalPlan applied = node.mapChildren(child -> apply(child, childAtTop));
    LogicalPlan turned = turned(applied, atTop);
    if (turned != node) {
      turned.copyTagsFrom(node);
    }
    return turned;
  }

  private static LogicalPlan turned(LogicalPlan node, boolean atTop) {
    // A stateful operator keeps its state at the end of its rows, before which a limit may stop.
    if (!SortedLimits.isLimit(node)
        || node.isStreaming()
        || !(Scala.list(node.children()).get(0) instanceof Project project)
        || !OperatorCalls.hasCall(project)
        || !Scala.list(project.expressions()).stream().allMatch(e -> e.deterministic())) {
      return node;
    }
    LogicalPlan child = project.child();
    if (SortedLimits.isLimit(child)
        || (SortedLimits.isGlobalSort(child) && (!atTop || isOfTopRows(node)))) {
      // Spark knows a limit right above a sort, and keeps no more rows than that.
      return with(project, with(node, child));
    }
    // Spark knows a limit at the top of a query and reads no more partitions than needed, and in
    // their order, so it stays there.
    return node instanceof LocalLimit ? with(node, with(project, with(node, child))) : node;
  }

  /**
   * Whether Spark takes the limit above a sort for one of the top rows, wherever it is. Others, and
   * an offset without a limit, keep the sort's order at the top of a query alone.
   */
  private static boolean isOfTopRows(LogicalPlan node) {
    return node instanceof LocalLimit limit
        && limit.limitExpr() instanceof Literal literal
        && literal.value() instanceof Integer rows
        && rows < SQLConf.get().topKSortFallbackThreshold();
  }

  private static LogicalPlan with(LogicalPlan node, LogicalPlan child) {
    return node.withNewChildren(Scala.seq(List.of(child)));
  }
}
