package io.github.sparkgpusched.sql.plan;

import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Sort;

/**
 * Limits and offsets over sorted rows inside a query. Spark has all rows shuffled to one partition
 * for these, and sorts them once more there, as blocks come in any order: but only where it knows
 * each operator between the two. A batched node is none of those, so calls stay there. At the top
 * of a query Spark takes the rows of one partition after the other.
 */
final class SortedLimits {
  static final String WHY_ROW_WISE =
      "it stands between a sort and a limit or offset inside the query, which need the order of rows";

  private SortedLimits() {}

  /** True for a limit or an offset. */
  static boolean isLimit(LogicalPlan node) {
    return node instanceof LocalLimit || node instanceof GlobalLimit || node instanceof Offset;
  }

  /** Whether a node is a limit of sorted rows. */
  static boolean is(LogicalPlan node) {
    return isLimit(node) && isSorted(child(node));
  }

  private static boolean isSorted(LogicalPlan node) {
    return isGlobalSort(node)
        || ((isLimit(node) || node instanceof Project || node instanceof Filter)
            && isSorted(child(node)));
  }

  static boolean isGlobalSort(LogicalPlan node) {
    return node instanceof Sort sort && sort.global();
  }

  /** The limit, with another plan in the place of the sort. */
  static LogicalPlan withSort(LogicalPlan node, UnaryOperator<LogicalPlan> other) {
    return isGlobalSort(node)
        ? other.apply(node)
        : node.mapChildren(child -> withSort(child, other));
  }

  private static LogicalPlan child(LogicalPlan node) {
    return Scala.<LogicalPlan>list(node.children()).get(0);
  }
}
