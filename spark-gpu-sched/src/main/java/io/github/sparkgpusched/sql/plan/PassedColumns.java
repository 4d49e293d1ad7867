package io.github.sparkgpusched.sql.plan;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LeafNode;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.execution.LogicalRDD;

/**
 * Has batched nodes pass on only the columns that somebody above reads. Spark would put a
 * projection above each of them for that, which all of its later rules visit. Below one that is
 * right above a table there is a projection: by that Spark finds out which columns are to be read.
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
    boolean computesInputs =
        read != null && node instanceof Project project && !picksColumns(project);
    if (!GpuCalls.mayContainCalls(node) && !computesInputs) {
      return node;
    }
    LogicalPlan narrow = read == null ? node : narrow(node, read);
    AttributeSet below = readBelow(narrow, read);
    // As it is, if no child changes.
    return narrow.mapChildren(child -> prune(child, below));
  }

  private static LogicalPlan narrow(LogicalPlan node, AttributeSet read) {
    if (node instanceof BatchedUdfs udfs) {
      return reading(udfs.passing(read));
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

  private static LogicalPlan reading(BatchedUdfs udfs) {
    LogicalPlan child = udfs.child();
    if (child instanceof Project project && picksColumns(project) && isOfATable(project.child())) {
      child = project.child();
    }
    if (!isOfATable(child)) {
      return udfs;
    }
    // What is there anyway stays: to leave it out takes a projection, which makes rows of columns.
    AttributeSet read = udfs.references().$plus$plus(PartitionFilters.givenAnyway(child));
    List<NamedExpression> columns =
        Scala.<Attribute>list(child.output()).stream()
            .filter(read::contains)
            .map(column -> (NamedExpression) column)
            .toList();
    LogicalPlan reads =
        columns.size() < child.output().length() ? new Project(Scala.seq(columns), child) : child;
    return udfs.withNewChildren(Scala.seq(List.of(reads)));
  }

  private static boolean picksColumns(Project project) {
    return Scala.<NamedExpression>list(project.projectList()).stream()
        .allMatch(column -> column instanceof Attribute);
  }

  /**
   * Whether a node is a table, or some of its rows. Of what lies in memory as rows all is there.
   */
  private static boolean isOfATable(LogicalPlan node) {
    if (node instanceof Filter filter) {
      return isOfATable(filter.child());
    }
    return node instanceof LeafNode
        && !(node instanceof LocalRelation || node instanceof LogicalRDD || node instanceof Range);
  }

  private static AttributeSet readBelow(LogicalPlan node, AttributeSet read) {
    if (node instanceof Project || node instanceof Aggregate || node instanceof BatchedUdfs) {
      return node.references();
    }
    boolean passesAll =
        node instanceof Filter
            || node instanceof Sort
            || node instanceof Window
            || node instanceof Join
            || node instanceof GlobalLimit
            || node instanceof LocalLimit;
    return passesAll && read != null ? read.$plus$plus(node.references()) : null;
  }
}
