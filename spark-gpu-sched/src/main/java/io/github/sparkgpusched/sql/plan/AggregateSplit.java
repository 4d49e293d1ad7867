package io.github.sparkgpusched.sql.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import scala.collection.immutable.Seq;

/**
 * An aggregate cut in two: the grouping keys and aggregate functions alone, and above them what the
 * query makes of them, such as {@code f(sum(x))}.
 *
 * @param aggregate computes keys and aggregate functions
 * @param results the original output, over the output of {@code aggregate}
 */
record AggregateSplit(Aggregate aggregate, Seq<NamedExpression> results) {
  /** True if a call stands outside the aggregate functions. */
  static boolean needed(Aggregate aggregate) {
    return Scala.list(aggregate.aggregateExpressions()).stream()
        .anyMatch(result -> callOutside((Expression) result));
  }

  private static boolean callOutside(Expression e) {
    if (e instanceof AggregateExpression) {
      return false;
    }
    return GpuCalls.isCall(e)
        || Scala.list(e.children()).stream().anyMatch(AggregateSplit::callOutside);
  }

  static AggregateSplit of(Aggregate aggregate) {
    Map<Expression, NamedExpression> parts = new LinkedHashMap<>();
    for (Expression key : Scala.<Expression>list(aggregate.groupingExpressions())) {
      parts.computeIfAbsent(key.canonicalized(), canonical -> named(key));
    }
    List<NamedExpression> results = new ArrayList<>();
    for (NamedExpression result : Scala.<NamedExpression>list(aggregate.aggregateExpressions())) {
      results.add((NamedExpression) overParts((Expression) result, parts));
    }
    Aggregate core =
        withAggregates(aggregate, Scala.seq(new ArrayList<NamedExpression>(parts.values())));
    return new AggregateSplit(core, Scala.seq(results));
  }

  /**
   * A copy. By its fields, of which the aggregates are the second: how many there are differs
   * between versions of Spark, and so does {@code copy}.
   */
  private static Aggregate withAggregates(Aggregate aggregate, Seq<NamedExpression> of) {
    Object[] fields = new Object[aggregate.productArity()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = i == 1 ? of : aggregate.productElement(i);
    }
    return (Aggregate) aggregate.makeCopy(fields);
  }

  /**
   * An expression over the aggregate's output, with keys and aggregate functions replaced by
   * attributes.
   */
  private static Expression overParts(Expression e, Map<Expression, NamedExpression> parts) {
    NamedExpression part = parts.get(e.canonicalized());
    if (part == null && e instanceof AggregateExpression) {
      part = named(e);
      parts.put(e.canonicalized(), part);
    }
    if (part != null) {
      return (Expression) part.toAttribute();
    }
    List<Expression> children = new ArrayList<>();
    for (Expression child : Scala.<Expression>list(e.children())) {
      children.add(overParts(child, parts));
    }
    return children.isEmpty() ? e : e.withNewChildren(Scala.seq(children));
  }

  private static NamedExpression named(Expression e) {
    return e instanceof NamedExpression named ? named : Named.as("_gpusched_agg", e);
  }
}
