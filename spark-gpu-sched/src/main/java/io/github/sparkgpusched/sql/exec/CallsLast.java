package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.sql.plan.Scala;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SampleExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import scala.collection.immutable.Seq;

/**
 * Puts batched nodes above what drops rows and does not read their results: a broadcast join, a
 * sample, a filter that Spark could not put below. There, plain Spark evaluates a projected column
 * where it is first read, which is above; so it calls a function only for rows that are left.
 *
 * <pre>
 *   join                          project
 *     project                       batched node
 *       batched node      ->          join
 *         many rows                     project
 *     few rows                            many rows
 *                                       few rows
 * </pre>
 *
 * <p>Looks at physical plans, where it is known what is broadcast. A join that makes several rows
 * of one has all of them computed, as in plain Spark. Outer joins drop none of these rows.
 */
final class CallsLast {
  private CallsLast() {}

  /** The plan, into which Spark has put no transitions yet, with such nodes above. */
  static SparkPlan apply(SparkPlan plan) {
    return plan.exists(BatchedUdfsExec.class::isInstance)
        ? plan.transformUp(Scala.<SparkPlan, SparkPlan>total(CallsLast::rewrite))
        : plan;
  }

  private static SparkPlan rewrite(SparkPlan node) {
    return Drop.of(node).flatMap(CallsLast::above).orElse(node);
  }

  /**
   * A node that drops rows.
   *
   * @param child where they come from, among its children
   * @param read what decides which are dropped
   */
  private record Drop(SparkPlan node, int child, AttributeSet read) {
    static Optional<Drop> of(SparkPlan node) {
      if (!isFused(node)) {
        return Optional.empty();
      } else if (node instanceof BroadcastHashJoinExec join && dropsRows(join.joinType())) {
        boolean left = join.buildSide() != BuildLeft$.MODULE$;
        List<Expression> read = Scala.list(left ? join.leftKeys() : join.rightKeys());
        if (join.condition().isDefined()) {
          read.add(join.condition().get());
        }
        return Optional.of(new Drop(node, left ? 0 : 1, UdfCalls.references(Scala.seq(read))));
      } else if (node instanceof SampleExec sample && !sample.withReplacement()) {
        return Optional.of(new Drop(node, 0, AttributeSet$.MODULE$.empty()));
      } else if (node instanceof FilterExec filter) {
        return Optional.of(new Drop(node, 0, filter.condition().references()));
      }
      return Optional.empty();
    }

    /** Elsewhere plain Spark evaluates a projected column at once. */
    private static boolean isFused(SparkPlan node) {
      return node.conf().wholeStageEnabled()
          && hasFewFields(node)
          && Scala.<SparkPlan>list(node.children()).stream().allMatch(Drop::hasFewFields);
    }

    private static boolean hasFewFields(SparkPlan node) {
      return !WholeStageCodegenExec.isTooManyFields(node.conf(), node.schema());
    }

    private static boolean dropsRows(JoinType type) {
      return type instanceof InnerLike || type == LeftSemi$.MODULE$ || type == LeftAnti$.MODULE$;
    }

    SparkPlan input() {
      return Scala.<SparkPlan>list(node.children()).get(child);
    }

    SparkPlan over(SparkPlan input) {
      List<SparkPlan> children = Scala.list(node.children());
      children.set(child, input);
      return node.withNewChildren(Scala.seq(children));
    }
  }

  /** The batched node below, above; or nothing if there is none, or it must stay. */
  private static Optional<SparkPlan> above(Drop drop) {
    SparkPlan input = drop.input();
    List<NamedExpression> columns = columns(input.output());
    while (input instanceof ProjectExec project) {
      Optional<List<NamedExpression>> merged =
          merged(columns, Scala.<NamedExpression>list(project.projectList()));
      if (merged.isEmpty()) {
        return Optional.empty();
      }
      columns = merged.get();
      input = project.child();
    }
    return input instanceof BatchedUdfsExec batched
        ? above(drop, columns, batched)
        : Optional.empty();
  }

  private static List<NamedExpression> columns(Seq<Attribute> output) {
    return Scala.<NamedExpression>list(output);
  }

  /**
   * The columns of a projection of a projection, as one; or nothing if an expression of the lower
   * one is read more than once. Plain Spark computes that at once, too.
   */
  private static Optional<List<NamedExpression>> merged(
      List<NamedExpression> columns, List<NamedExpression> lower) {
    Map<ExprId, Alias> aliases = new HashMap<>();
    for (NamedExpression column : lower) {
      if (column instanceof Alias alias) {
        aliases.put(alias.exprId(), alias);
      }
    }
    Set<ExprId> read = new HashSet<>();
    for (NamedExpression column : columns) {
      for (Expression leaf : Scala.<Expression>list(expression(column).collectLeaves())) {
        if (leaf instanceof Attribute a
            && aliases.containsKey(a.exprId())
            && !read.add(a.exprId())) {
          return Optional.empty();
        }
      }
    }
    List<NamedExpression> merged = new ArrayList<>();
    for (NamedExpression column : columns) {
      if (column instanceof Attribute) {
        Alias alias = aliases.get(column.exprId());
        merged.add(alias == null ? column : alias);
      } else {
        merged.add(
            (NamedExpression)
                expression(column)
                    .transformUp(Scala.<Expression, Expression>total(e -> behind(e, aliases))));
      }
    }
    return Optional.of(merged);
  }

  private static Expression behind(Expression e, Map<ExprId, Alias> aliases) {
    return e instanceof Attribute column && aliases.containsKey(column.exprId())
        ? aliases.get(column.exprId()).child()
        : e;
  }

  /**
   * Likewise.
   *
   * @param columns of the batched node's rows, as the dropping node has them
   */
  private static Optional<SparkPlan> above(
      Drop drop, List<NamedExpression> columns, BatchedUdfsExec batched) {
    UdfCalls calls = batched.calls();
    List<NamedExpression> below = new ArrayList<>();
    Map<ExprId, NamedExpression> above = new LinkedHashMap<>();
    for (NamedExpression column : columns) {
      if (!readsAny(expression(column), calls.resultSet())) {
        below.add(column);
      } else if (drop.read().contains(column.toAttribute())
          || !expression(column).deterministic()) {
        return Optional.empty();
      } else {
        above.put(column.exprId(), column);
      }
    }
    if (above.isEmpty()
        || !Scala.list(calls.calls()).stream().allMatch(Expression::deterministic)) {
      return Optional.empty();
    }
    AttributeSet needed = calls.read().$plus$plus(UdfCalls.references(expressions(above.values())));
    AttributeSet there = Scala.set(attributes(below));
    for (Attribute column : Scala.<Attribute>list(batched.child().output())) {
      if (needed.contains(column) && !there.contains(column)) {
        below.add(named(column));
      }
    }
    SparkPlan dropped = rewrite(drop.over(project(below, batched.child())));
    AttributeSet kept =
        drop.node().outputSet().$plus$plus(UdfCalls.references(expressions(above.values())));
    List<Attribute> passed =
        Scala.<Attribute>list(dropped.output()).stream().filter(kept::contains).distinct().toList();
    SparkPlan computed =
        new BatchedUdfsExec(
            calls.calls(),
            calls.guards(),
            calls.results(),
            Scala.seq(passed),
            batched.mayStopEarly(),
            dropped);
    List<NamedExpression> output = new ArrayList<>();
    for (Attribute column : Scala.<Attribute>list(drop.node().output())) {
      output.add(above.getOrDefault(column.exprId(), named(column)));
    }
    return Optional.of(project(output, computed));
  }

  private static SparkPlan project(List<NamedExpression> columns, SparkPlan child) {
    List<ExprId> there =
        Scala.<Attribute>list(child.output()).stream().map(Attribute::exprId).toList();
    boolean same =
        columns.stream().allMatch(Attribute.class::isInstance)
            && columns.stream().map(NamedExpression::exprId).toList().equals(there);
    return same ? child : new ProjectExec(Scala.seq(columns), child);
  }

  private static boolean readsAny(Expression expression, AttributeSet columns) {
    return Scala.<Attribute>list(expression.references().toSeq()).stream()
        .anyMatch(columns::contains);
  }

  private static Seq<Expression> expressions(Collection<NamedExpression> columns) {
    return Scala.seq(columns.stream().map(CallsLast::expression).toList());
  }

  private static Seq<Attribute> attributes(List<NamedExpression> columns) {
    return Scala.seq(columns.stream().map(NamedExpression::toAttribute).toList());
  }

  /** For the compiler: in Scala all named expressions are expressions. */
  private static Expression expression(NamedExpression column) {
    return (Expression) column;
  }

  private static NamedExpression named(Attribute column) {
    return column;
  }
}
