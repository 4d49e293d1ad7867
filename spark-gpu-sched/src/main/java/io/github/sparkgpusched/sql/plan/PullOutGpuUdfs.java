package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.QueryKeys;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Exists;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ListQuery;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.optimizer.CollapseProject$;
import org.apache.spark.sql.catalyst.optimizer.RewritePredicateSubquery$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Subquery;
import org.apache.spark.sql.catalyst.rules.Rule;

/**
 * Pulls calls of GPU UDFs out of operators into {@link BatchedUdfs} nodes below them, as {@link
 * OperatorCalls} does for one operator. Runs late in the optimizer, when predicates have been
 * pushed and columns pruned. Running it again changes nothing.
 *
 * <ul>
 *   <li>A subquery in IN or EXISTS becomes a join first, if calls depend on that.
 *   <li>Below {@link InputFiles} all stays as it is, above {@link EndlessScans}, in {@link
 *       SortedLimits} and {@link RecursiveQueries}.
 *   <li>Of a {@link DeviceOrElse} the calls of texts are taken if devices can compute them, and if
 *       all of them can be pulled out.
 * </ul>
 */
public final class PullOutGpuUdfs extends Rule<LogicalPlan> {
  /** What a plan becomes, and what is to be told of that. */
  private record Pulled(LogicalPlan plan, Explanation explanation) {}

  /** The only place that tells: Spark optimizes a query once, however often it is run or shown. */
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (!hasCalls(plan)) {
      return plan;
    }
    Pulled pulled = pulled(plan, Set.of());
    pulled.explanation().surface();
    pulled.explanation().log(SessionConfig.get(conf(), QueryKeys.EXPLAIN));
    return pulled.plan();
  }

  private static boolean hasCalls(LogicalPlan plan) {
    return GpuCalls.mayContainCalls(plan)
        && plan.exists(node -> OperatorCalls.hasCall(node) || hasCallInSubquery(node));
  }

  /**
   * @param fallbacks calls that were in the plan and are not any more
   */
  private Pulled pulled(LogicalPlan plan, Set<Explanation.Fallback> fallbacks) {
    boolean endless = EndlessScans.areIn(plan);
    Optional<String> whyNoTexts = Optional.empty();
    if (DeviceForms.areIn(plan)) {
      whyNoTexts =
          endless
              ? Optional.of(EndlessScans.WHY_ROW_WISE)
              : TextFunctions.whyNot(conf(), DeviceForms.languages(plan));
    }
    if (whyNoTexts.isPresent()) {
      return pulled(
          withoutTexts(plan, whyNoTexts.get()), DeviceForms.fallbacks(plan, whyNoTexts.get()));
    }
    if (!SessionConfig.get(conf(), QueryKeys.ENABLED) || !hasCalls(plan)) {
      return new Pulled(plan, new Explanation(fallbacks));
    }
    // SET refuses an unknown key, but spark.conf.set goes past every rule: it is found out here.
    GpuSchedConfig.validate(conf().settings());
    if (endless) {
      return new Pulled(plan, Explanation.of(fallbacks, plan));
    }
    if (plan instanceof Subquery subquery && subquery.correlated()) {
      // Spark looks for operators that it knows in it, when it makes a join of it.
      return new Pulled(plan, new Explanation(fallbacks));
    }
    LogicalPlan asking = TableReads.of(plan); // a join by itself says of no column that it is read
    LogicalPlan joined =
        LocalCalls.withConditionsInJoins(
            asking.exists(PullOutGpuUdfs::hasCallInSubquery)
                ? RewritePredicateSubquery$.MODULE$.apply(asking)
                : asking);
    DeviceForms.require(joined);
    LogicalPlan pulled = pullOutAll(DeviceForms.onDevices(joined));
    Explanation explanation = Explanation.of(fallbacks, pulled);
    Optional<String> whyRowWise = explanation.whyTextStays();
    if (whyRowWise.isEmpty()) {
      return new Pulled(pulled, explanation);
    }
    LogicalPlan without = pullOutAll(withoutTexts(joined, whyRowWise.get()));
    return new Pulled(
        without, Explanation.of(DeviceForms.fallbacks(joined, whyRowWise.get()), without));
  }

  /** Two sides kept projections apart, and Spark fuses Python calls within one alone. */
  private static LogicalPlan withoutTexts(LogicalPlan plan, String reason) {
    return CollapseProject$.MODULE$.apply(DeviceForms.fallBack(plan, reason));
  }

  private static LogicalPlan pullOutAll(LogicalPlan plan) {
    LogicalPlan pruned = PrunedPartitions.of(plan, PullOutGpuUdfs::pullOutAll);
    return PassedColumns.prune(pullOut(LimitsFirst.apply(pruned), true));
  }

  /**
   * Operators below first.
   *
   * @param atTop whether there are at most limits above the node
   */
  private static LogicalPlan pullOut(LogicalPlan node, boolean atTop) {
    if (InputFiles.areAskedForBy(node) || RecursiveQueries.is(node)) {
      return node;
    }
    if (!atTop && SortedLimits.is(node)) {
      return SortedLimits.withSort(node, sort -> pullOut(sort, false));
    }
    boolean childAtTop = atTop && SortedLimits.isLimit(node);
    LogicalPlan pulled =
        OperatorCalls.pullOut(node.mapChildren(child -> pullOut(child, childAtTop)));
    pulled.copyTagsFrom(node); // as Spark's own transformations do
    return pulled;
  }

  /** True if a subquery of IN or EXISTS has calls that its own optimization left in place. */
  private static boolean hasCallInSubquery(LogicalPlan node) {
    return GpuCalls.expressions(node).stream()
        .anyMatch(e -> e.exists(PullOutGpuUdfs::isSubqueryWithCall));
  }

  private static boolean isSubqueryWithCall(Expression e) {
    return (e instanceof Exists || e instanceof ListQuery)
        && (GpuCalls.containsCall(e)
            || ((SubqueryExpression) e).plan().exists(OperatorCalls::hasCall));
  }
}
