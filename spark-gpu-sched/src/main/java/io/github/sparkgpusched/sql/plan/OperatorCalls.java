package io.github.sparkgpusched.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.optimizer.CheckCartesianProducts$;
import org.apache.spark.sql.catalyst.plans.Cross$;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Expand;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.RebalancePartitions;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * Pulls the calls out of one operator, into {@link BatchedUdfs} nodes below it.
 *
 * <ul>
 *   <li>A filter's conjuncts follow one another, so that a call, and what might fail, sees only the
 *       rows that passed what stands before it. Those without calls that are {@link SafeConditions}
 *       go below the calls, as all do with Spark's own Python UDFs. {@link PartitionFilters} stay.
 *   <li>A call over an aggregate's result moves to a projection above the aggregate.
 *   <li>A call in a join condition is computed on the side that it refers to; if it refers to both,
 *       the conjunct moves to a filter above an inner join. {@link StreamJoins} stay as they are.
 * </ul>
 */
final class OperatorCalls {
  private OperatorCalls() {}

  /** True if an operator's expressions have calls that might be pulled out. */
  static boolean hasCall(LogicalPlan node) {
    return !(node instanceof BatchedUdfs)
        && GpuCalls.expressions(node).stream().anyMatch(GpuCalls::containsCall);
  }

  /** The operator with its calls below it, and the same output. */
  static LogicalPlan pullOut(LogicalPlan node) {
    if (!hasCall(node) || StreamJoins.is(node)) {
      return node;
    }
    LogicalPlan pulled;
    if (node instanceof Filter filter) {
      pulled = filter(filter);
    } else if (node instanceof Aggregate aggregate) {
      pulled = AggregateSplit.needed(aggregate) ? split(aggregate) : below(aggregate);
    } else if (node instanceof Join join) {
      pulled = join(join);
    } else if (isSupported(node)) {
      pulled = below(node);
    } else {
      return node;
    }
    return sameOutput(node, pulled) ? pulled : new Project(named(node.output()), pulled);
  }

  /** True for the operators that calls are pulled out of. */
  static boolean isSupported(LogicalPlan node) {
    return node instanceof Project
        || node instanceof Filter
        || node instanceof Aggregate
        || node instanceof Join
        || node instanceof Window
        || node instanceof Sort
        || node instanceof Generate
        || node instanceof Expand
        || node instanceof RepartitionByExpression
        || node instanceof RebalancePartitions;
  }

  /** Puts the calls of an operator's expressions below it, layer by layer. */
  private static LogicalPlan below(LogicalPlan node) {
    return below(node, new Layer.Known());
  }

  private static LogicalPlan below(LogicalPlan node, Layer.Known known) {
    LogicalPlan current = node;
    while (true) {
      Layer layer = new Layer(Scala.list(current.children()), known);
      LogicalPlan rewritten = current.mapExpressions(layer::rewrite);
      if (layer.isEmpty()) {
        return rewritten;
      }
      current = rewritten.withNewChildren(layer.below());
    }
  }

  private static LogicalPlan filter(Filter filter) {
    List<Expression> conjuncts = conjuncts(filter.condition());
    if (!conjuncts.stream().allMatch(Expression::deterministic)) {
      return below(withFirst(filter, conjuncts));
    }
    List<Expression> plain = new ArrayList<>();
    List<Expression> inOrder = new ArrayList<>();
    for (Expression conjunct : conjuncts) {
      boolean goesBelow =
          PartitionFilters.choosesFiles(conjunct, filter.child())
              || (!GpuCalls.containsCall(conjunct)
                  && (inOrder.isEmpty()
                      || SafeConditions.is(conjunct)
                      || PartitionFilters.isOfSubquery(conjunct, filter.child())));
      (goesBelow ? plain : inOrder).add(conjunct);
    }
    LogicalPlan current = filter.child();
    if (!plain.isEmpty()) {
      current = filter.copy(and(plain), current);
    }
    Layer.Known known = new Layer.Known();
    for (Expression conjunct : inOrder) {
      current = below(filter.copy(conjunct, current), known);
    }
    return current;
  }

  /**
   * What stands before the first call, and before what differs from one evaluation to the next, in
   * a filter of its own: a table may be asked for rows of which it holds. The others are evaluated
   * for the same rows as ever.
   */
  private static LogicalPlan withFirst(Filter filter, List<Expression> conjuncts) {
    int first = 0;
    while (conjuncts.get(first).deterministic() && !GpuCalls.containsCall(conjuncts.get(first))) {
      first++;
    }
    return first == 0
        ? filter
        : filter.copy(
            and(conjuncts.subList(first, conjuncts.size())),
            filter.copy(and(conjuncts.subList(0, first)), filter.child()));
  }

  private static LogicalPlan split(Aggregate aggregate) {
    AggregateSplit split = AggregateSplit.of(aggregate);
    LogicalPlan inputs = below(split.aggregate());
    return below(new Project(split.results(), inputs));
  }

  private static LogicalPlan join(Join join) {
    List<Expression> staying = conjuncts(join.condition().get());
    LogicalPlan current = join;
    while (true) {
      List<LogicalPlan> sides = Scala.list(current.children());
      Layer layer = new Layer(sides);
      List<Expression> rewritten = new ArrayList<>();
      for (int i = 0; i < staying.size(); i++) {
        for (int side = 0; side < 2; side++) {
          layer.setChildGuard(side, guardOf(staying.subList(0, i), sides.get(side)));
        }
        rewritten.add(layer.rewrite(staying.get(i)));
      }
      staying = rewritten;
      current = withCondition((Join) current, staying);
      if (layer.isEmpty()) {
        break;
      }
      current = current.withNewChildren(layer.below());
    }
    if (!(join.joinType() instanceof InnerLike)) {
      return current;
    }
    List<Expression> above = new ArrayList<>();
    for (Expression conjunct : staying) {
      // What might fail behind a call is evaluated behind it. Keys of a join are, by Spark, before.
      boolean behind = !above.isEmpty() && !isKey(conjunct) && !SafeConditions.is(conjunct);
      if (conjunct.deterministic() && (behind || GpuCalls.containsCall(conjunct))) {
        above.add(conjunct);
      }
    }
    staying.removeAll(above);
    return above.isEmpty()
        ? current
        : filter(new Filter(and(above), asMeant(withCondition((Join) current, staying), join)));
  }

  /**
   * A join without the conjuncts that go above it. Where {@code spark.sql.crossJoin.enabled} is
   * false, Spark refuses an inner join that has no other, which the query did not ask for.
   */
  private static Join asMeant(Join left, Join written) {
    boolean isCross =
        CheckCartesianProducts$.MODULE$.isCartesianProduct(left)
            && !CheckCartesianProducts$.MODULE$.isCartesianProduct(written);
    return isCross
        ? left.copy(left.left(), left.right(), Cross$.MODULE$, left.condition(), left.hint())
        : left;
  }

  private static boolean isKey(Expression conjunct) {
    return conjunct instanceof EqualTo || conjunct instanceof EqualNullSafe;
  }

  /** What must hold on a side for a pair to match, of the conjuncts that stand before a call. */
  private static Expression guardOf(List<Expression> before, LogicalPlan side) {
    List<Expression> guards = new ArrayList<>();
    for (Expression conjunct : before) {
      if (conjunct.deterministic()
          && !GpuCalls.containsCall(conjunct)
          && !conjunct.references().isEmpty()
          && conjunct.references().subsetOf(side.outputSet())) {
        guards.add(conjunct);
      }
    }
    return guards.isEmpty() ? null : and(guards);
  }

  private static Join withCondition(Join join, List<Expression> conjuncts) {
    return join.copy(
        join.left(),
        join.right(),
        join.joinType(),
        conjuncts.isEmpty() ? Option.empty() : Option.apply(and(conjuncts)),
        join.hint());
  }

  private static List<Expression> conjuncts(Expression condition) {
    List<Expression> conjuncts = new ArrayList<>();
    collectConjuncts(condition, conjuncts);
    return conjuncts;
  }

  private static void collectConjuncts(Expression condition, List<Expression> into) {
    if (condition instanceof And and) {
      collectConjuncts(and.left(), into);
      collectConjuncts(and.right(), into);
    } else {
      into.add(condition);
    }
  }

  private static Expression and(List<Expression> conjuncts) {
    return conjuncts.stream().reduce(And::new).orElseThrow();
  }

  private static boolean sameOutput(LogicalPlan a, LogicalPlan b) {
    List<Attribute> left = Scala.list(a.output());
    List<Attribute> right = Scala.list(b.output());
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      if (!left.get(i).exprId().equals(right.get(i).exprId())) {
        return false;
      }
    }
    return true;
  }

  private static Seq<NamedExpression> named(Seq<Attribute> attributes) {
    return Scala.map(attributes, attribute -> (NamedExpression) attribute);
  }
}
