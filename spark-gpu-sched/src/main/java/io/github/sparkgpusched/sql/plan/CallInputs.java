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
import org.apache.spark.sql.types.DataTypes;

/**
 * A child's columns, and beside them the arguments and guards of calls that are none of them. A
 * guard may refer to the column of a branch's number, and a guarded argument to that of its guard.
 */
final class CallInputs {
  /** Of a guard, in one column. */
  private static final int MOST_PARTS = 3;

  private final LogicalPlan child;
  private final GuardColumns guards;
  private final List<Alias> computed = new ArrayList<>();

  CallInputs(LogicalPlan child, GuardColumns guards) {
    this.child = child;
    this.guards = guards;
  }

  /** The column that holds a guard; one for all calls that have it. */
  Expression guard(Expression guard) {
    Attribute known = guards.get(guard);
    if (known != null && (child.outputSet().contains(known) || isComputed(known))) {
      return known;
    }
    List<Expression> parts = GuardedCalls.parts(guards.shortened(guard, child.outputSet()));
    if (parts.size() > MOST_PARTS) {
      // Guards of layers above may begin with all but the last part.
      List<Expression> all = GuardedCalls.parts(guard);
      Expression beginning = GuardedCalls.and(all.subList(0, all.size() - 1));
      Expression last = parts.get(parts.size() - 1);
      Expression others = GuardedCalls.and(parts.subList(0, parts.size() - 1));
      parts = List.of(add(beginning, others), last);
    }
    return add(guard, GuardedCalls.and(parts));
  }

  private Expression add(Expression guard, Expression shorter) {
    Expression numbered = BranchNumber.inColumns(shorter, this::guard);
    boolean isNumber = !numbered.dataType().equals(DataTypes.BooleanType);
    boolean simple = numbered instanceof Attribute || isNumber;
    Expression column = column(simple ? numbered : InOrder.of(numbered));
    guards.add(guard, (Attribute) column);
    return column;
  }

  private boolean isComputed(Attribute column) {
    return computed.stream().anyMatch(alias -> alias.exprId().equals(column.exprId()));
  }

  /** The column that holds an argument. */
  Expression column(Expression e) {
    if (e instanceof Attribute) {
      return e;
    }
    Alias alias = Named.as("_gpusched_in" + (child.output().length() + computed.size()), e);
    computed.add(alias);
    return alias.toAttribute();
  }

  /** The child, and a projection for each step of what refers to what. */
  LogicalPlan plan() {
    LogicalPlan plan = child;
    List<Alias> left = computed;
    while (!left.isEmpty()) {
      Set<ExprId> later = new HashSet<>();
      left.forEach(alias -> later.add(alias.exprId()));
      List<NamedExpression> columns = new ArrayList<>(Scala.<NamedExpression>list(plan.output()));
      List<Alias> waiting = new ArrayList<>();
      for (Alias alias : left) {
        boolean waits =
            alias.child().exists(part -> part instanceof Attribute a && later.contains(a.exprId()));
        if (waits) {
          waiting.add(alias);
        } else {
          columns.add(alias);
        }
      }
      plan = new Project(Scala.seq(columns), plan);
      left = waiting;
    }
    return plan;
  }
}
