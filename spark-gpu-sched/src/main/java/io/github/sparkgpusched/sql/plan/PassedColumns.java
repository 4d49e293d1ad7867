package io.github.sparkgpusched.sql.plan;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.Window;

/**
 * Has batched nodes pass on only the columns that somebody above reads. Spark would put a
 * projection above each of them for that, which all of its later rules visit.
 */
final class PassedColumns {
  private PassedColumns() {}

  /** The plan, with the same output. */
  static LogicalPlan prune(LogicalPlan plan) {
    return prune(plan, null);
  }

  /**
   * @param read the node's columns that are read above; null: all
   */
  private static LogicalPlan prune(LogicalPlan node, AttributeSet read) {
    if (!GpuCalls.mayContainCalls(node)) {
      return node;
    }
    LogicalPlan narrow = read == null ? node : narrow(node, read);
    AttributeSet below = readBelow(narrow, read);
    // As it is, if no child changes.
    return narrow.mapChildren(child -> prune(child, below));
  }

  private static LogicalPlan narrow(LogicalPlan node, AttributeSet read) {
    if (node instanceof BatchedUdfs udfs) {
      return udfs.passing(read);
    } else if (node instanceof Project project) {
      List<NamedExpression> columns = Scala.list(project.projectList());
      List<NamedExpression> some =
          columns.stream().filter(column -> read.contains(column.toAttribute())).toList();
      return some.size() == columns.size()
          ? project
          : new Project(Scala.seq(some), project.child());
    }
    return node;
  }

  private static AttributeSet readBelow(LogicalPlan node, AttributeSet read) {
    if (node instanceof Project || node instanceof Aggregate || node instanceof BatchedUdfs) {
      return node.references();
    }
    boolean passesAll =
        node instanceof Filter
            || node instanceof Sort
            || node instanceof Window
            || node instanceof GlobalLimit
            || node instanceof LocalLimit;
    return passesAll && read != null ? read.$plus$plus(node.references()) : null;
  }
}
