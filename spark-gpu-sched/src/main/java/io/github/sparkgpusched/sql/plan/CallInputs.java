package io.github.sparkgpusched.sql.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;

/** A child's columns, and beside them the arguments and guards of calls that are none of them. */
final class CallInputs {
  private final LogicalPlan child;
  private final List<Alias> computed = new ArrayList<>();

  CallInputs(LogicalPlan child) {
    this.child = child;
  }

  /** The column that holds an argument or a guard. */
  Expression column(Expression e) {
    if (e instanceof Attribute) {
      return e;
    }
    Alias alias = Named.as("_gpusched_in" + (child.output().length() + computed.size()), e);
    computed.add(alias);
    return alias.toAttribute();
  }

  /**
   * The child, and what computes the columns. A guarded argument refers to the column of its guard,
   * which a projection computes beside it, not before it: two projections, the guards first.
   */
  LogicalPlan plan() {
    if (computed.isEmpty()) {
      return child;
    }
    Set<ExprId> ids = new HashSet<>();
    computed.forEach(alias -> ids.add(alias.exprId()));
    List<NamedExpression> first = new ArrayList<>(Scala.<NamedExpression>list(child.output()));
    List<NamedExpression> second = new ArrayList<>();
    for (Alias alias : computed) {
      boolean refersToOther =
          alias.child().exists(part -> part instanceof Attribute a && ids.contains(a.exprId()));
      (refersToOther ? second : first).add(alias);
    }
    LogicalPlan guarded = new Project(Scala.seq(first), child);
    if (second.isEmpty()) {
      return guarded;
    }
    List<NamedExpression> all = new ArrayList<>();
    first.forEach(input -> all.add(input instanceof Alias alias ? alias.toAttribute() : input));
    all.addAll(second);
    return new Project(Scala.seq(all), guarded);
  }
}
