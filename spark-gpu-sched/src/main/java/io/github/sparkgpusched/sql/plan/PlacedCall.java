package io.github.sparkgpusched.sql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * A call that is computed on a child's rows.
 *
 * @param guard the condition under which it is computed, or null: on every row
 * @param result the attribute that stands for it above
 */
record PlacedCall(ScalaUDF call, Expression guard, Attribute result) {
  /** A child with calls on it, and below them what they need that is no column of the child. */
  static LogicalPlan onto(LogicalPlan child, List<PlacedCall> calls, GuardColumns guards) {
    CallInputs inputs = new CallInputs(child, guards);
    List<PlacedCall> ready = new ArrayList<>();
    calls.forEach(call -> ready.add(call.over(inputs)));
    // A node's calls are computed by the same devices: those that only some can compute are apart,
    // lest another one keep them from these.
    Map<String, List<PlacedCall>> byLanguage = new TreeMap<>();
    for (PlacedCall placed : ready) {
      String language = GpuCalls.language(placed.call).orElse("");
      byLanguage.computeIfAbsent(language, none -> new ArrayList<>()).add(placed);
    }
    LogicalPlan plan = inputs.plan();
    for (List<PlacedCall> together : byLanguage.values()) {
      plan = node(together, plan);
    }
    return plan;
  }

  /**
   * The same call of columns and literals. Where the guard is not true its arguments are null, so
   * that an argument that fails there is not evaluated either.
   */
  private PlacedCall over(CallInputs inputs) {
    Expression condition = guard == null ? Literal.TrueLiteral() : inputs.guard(guard);
    List<Expression> arguments = new ArrayList<>();
    for (Expression argument : Scala.<Expression>list(call.children())) {
      if (argument instanceof Attribute || argument instanceof Literal) {
        arguments.add(argument);
      } else if (guard == null) {
        arguments.add(inputs.column(argument));
      } else {
        Literal none = Literal.create(null, argument.dataType());
        arguments.add(inputs.column(new If(condition, argument, none)));
      }
    }
    ScalaUDF ready = (ScalaUDF) call.withNewChildren(Scala.seq(arguments));
    return new PlacedCall(ready, condition, result);
  }

  private static LogicalPlan node(List<PlacedCall> calls, LogicalPlan source) {
    return new BatchedUdfs(
        Scala.seq(calls.stream().map(PlacedCall::call).toList()),
        Scala.seq(calls.stream().map(PlacedCall::guard).toList()),
        Scala.seq(calls.stream().map(PlacedCall::result).toList()),
        source.output(),
        source);
  }
}
