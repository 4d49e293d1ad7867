package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.RowLevelWrite;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.SchemaPruning$;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.execution.datasources.v2.V2ScanRelationPushDown$;
import org.apache.spark.sql.types.AtomicType;

/**
 * What tables are asked for, found out while calls are still where they were written: fields of
 * structs, and by the second interface conditions, limits and columns, too. Spark's rules for that
 * come right after this project's, and see no further than a {@link BatchedUdfs}.
 */
final class TableReads {
  private TableReads() {}

  /** The plan with tables as Spark would have asked for them, had it no calls. */
  static LogicalPlan of(LogicalPlan plan) {
    LogicalPlan pruned =
        plan.exists(TableReads::isTableOfNested) ? SchemaPruning$.MODULE$.apply(plan) : plan;
    return plan.exists(node -> node instanceof DataSourceV2Relation)
            && !plan.exists(TableReads::isLeftToSpark)
        ? V2ScanRelationPushDown$.MODULE$.apply(pruned)
        : pruned;
  }

  private static boolean isTableOfNested(LogicalPlan node) {
    return node instanceof LogicalRelation
        && Scala.<Attribute>list(node.output()).stream()
            .anyMatch(column -> !(column.dataType() instanceof AtomicType));
  }

  /**
   * Scans of what MERGE and its like change have a rule of Spark's, which comes first. And of calls
   * in conditions that choose files nothing would be left in the plan, to be told or to be refused.
   */
  private static boolean isLeftToSpark(LogicalPlan node) {
    return node instanceof RowLevelWrite
        || (node instanceof Filter filter && PartitionFilters.haveCalls(filter));
  }
}
