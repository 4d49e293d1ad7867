package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.QueryKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Exists;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ListQuery;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.optimizer.CollapseProject$;
import org.apache.spark.sql.catalyst.optimizer.RewritePredicateSubquery$;
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
import org.apache.spark.sql.catalyst.plans.logical.Subquery;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.internal.SQLConf;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Pulls calls of GPU UDFs out of operators into {@link BatchedUdfs} nodes below them. Runs late in
 * the optimizer, when predicates have been pushed and columns pruned. Running it again changes
 * nothing.
 *
 * <ul>
 *   <li>A filter's conjuncts without calls go below the calls, and conjuncts with calls follow one
 *       another, so that a call sees only the rows that passed what stands before it. As with
 *       Spark's own Python UDFs, the order of conjuncts in the query does not count.
 *   <li>A call over an aggregate's result moves to a projection above the aggregate.
 *   <li>A call in a join condition is computed on the side that it refers to; if it refers to both,
 *       the conjunct moves to a filter above an inner join.
 *   <li>A subquery in IN or EXISTS becomes a join first, if calls depend on that.
 *   <li>Of a {@link DeviceOrElse} the calls of CUDA texts are taken if GPUs can compute them, and
 *       if all of them can be pulled out.
 * </ul>
 */
public final class PullOutGpuUdfs extends Rule<LogicalPlan> {
  /** What a plan becomes, and what is to be told of that. */
  private record Pulled(LogicalPlan plan, Explanation explanation) {}

  /** The only place that tells: Spark optimizes a query once, however often it is run or shown. */
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (!hasCalls(plan)) {
      return plan;
    }
    Pulled pulled = pulled(plan, Set.of());
    pulled.explanation().surface();
    pulled.explanation().log(config(conf()).get(QueryKeys.EXPLAIN));
    return pulled.plan();
  }

  private static boolean hasCalls(LogicalPlan plan) {
    return plan.exists(node -> hasCall(node) || hasCallInSubquery(node));
  }

  /**
   * @param fallbacks calls that were in the plan and are not any more
   */
  private Pulled pulled(LogicalPlan plan, Set<Explanation.Fallback> fallbacks) {
    GpuSchedConfig config = config(conf());
    Optional<String> whyNoCuda =
        DeviceForms.areIn(plan) ? CudaFunctions.whyNot(conf()) : Optional.empty();
    if (whyNoCuda.isPresent()) {
      return pulled(
          withoutCuda(plan, whyNoCuda.get()), DeviceForms.fallbacks(plan, whyNoCuda.get()));
    }
    if (!config.get(QueryKeys.ENABLED) || !hasCalls(plan)) {
      return new Pulled(plan, new Explanation(fallbacks));
    }
    // SET refuses an unknown key, but spark.conf.set goes past every rule: it is found out here.
    GpuSchedConfig.validate(CollectionConverters.asJava(conf().getAllConfs()));
    if (plan instanceof Subquery subquery && subquery.correlated()) {
      // Spark looks for operators that it knows in it, when it makes a join of it.
      return new Pulled(plan, new Explanation(fallbacks));
    }
    LogicalPlan joined =
        plan.exists(PullOutGpuUdfs::hasCallInSubquery)
            ? RewritePredicateSubquery$.MODULE$.apply(plan)
            : plan;
    DeviceForms.require(joined);
    LogicalPlan pulled = pullOutAll(DeviceForms.onDevices(joined));
    Explanation explanation = Explanation.of(fallbacks, pulled);
    Optional<String> whyRowWise = explanation.whyCudaTextStays();
    if (whyRowWise.isEmpty()) {
      return new Pulled(pulled, explanation);
    }
    LogicalPlan without = pullOutAll(withoutCuda(joined, whyRowWise.get()));
    return new Pulled(
        without, Explanation.of(DeviceForms.fallbacks(joined, whyRowWise.get()), without));
  }

  /** Two sides kept projections apart, and Spark fuses Python calls within one alone. */
  private static LogicalPlan withoutCuda(LogicalPlan plan, String reason) {
    return CollapseProject$.MODULE$.apply(DeviceForms.fallBack(plan, reason));
  }

  private LogicalPlan pullOutAll(LogicalPlan plan) {
    return plan.transformUp(Scala.<LogicalPlan, LogicalPlan>total(LimitsFirst::apply))
        .transformUp(Scala.<LogicalPlan, LogicalPlan>total(this::pullOut));
  }

  /** The plugin's settings of a session. */
  public static GpuSchedConfig config(SQLConf conf) {
    return GpuSchedConfig.from(key -> conf.getConfString(key, null));
  }

  static boolean hasCall(LogicalPlan node) {
    return !(node instanceof BatchedUdfs)
        && Scala.list(node.expressions()).stream().anyMatch(GpuCalls::containsCall);
  }

  /** True if a subquery of IN or EXISTS has calls that its own optimization left in place. */
  private static boolean hasCallInSubquery(LogicalPlan node) {
    return Scala.list(node.expressions()).stream()
        .anyMatch(expression -> expression.exists(PullOutGpuUdfs::isSubqueryWithCall));
  }

  private static boolean isSubqueryWithCall(Expression e) {
    return (e instanceof Exists || e instanceof ListQuery)
        && (GpuCalls.containsCall(e)
            || ((SubqueryExpression) e).plan().exists(PullOutGpuUdfs::hasCall));
  }

  private LogicalPlan pullOut(LogicalPlan node) {
    if (!hasCall(node)) {
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
    return below(node, new HashMap<>());
  }

  private static LogicalPlan below(LogicalPlan node, Map<List<Expression>, Attribute> results) {
    LogicalPlan current = node;
    while (true) {
      Layer layer = new Layer(Scala.list(current.children()), results);
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
      return below(filter);
    }
    List<Expression> plain = new ArrayList<>(conjuncts);
    plain.removeIf(GpuCalls::containsCall);
    conjuncts.removeIf(conjunct -> !GpuCalls.containsCall(conjunct));
    LogicalPlan current = filter.child();
    if (!plain.isEmpty()) {
      current = filter.copy(and(plain), current);
    }
    Map<List<Expression>, Attribute> results = new HashMap<>();
    for (Expression conjunct : conjuncts) {
      current = below(filter.copy(conjunct, current), results);
    }
    return current;
  }

  private LogicalPlan split(Aggregate aggregate) {
    AggregateSplit split = AggregateSplit.of(aggregate);
    LogicalPlan inputs = below(split.aggregate());
    return below(new Project(split.results(), inputs));
  }

  private LogicalPlan join(Join join) {
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
    List<Expression> above = new ArrayList<>(staying);
    above.removeIf(conjunct -> !GpuCalls.containsCall(conjunct) || !conjunct.deterministic());
    staying.removeAll(above);
    return above.isEmpty()
        ? current
        : filter(new Filter(and(above), withCondition((Join) current, staying)));
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

  private static LogicalPlan withCondition(Join join, List<Expression> conjuncts) {
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

  private static scala.collection.immutable.Seq<NamedExpression> named(
      scala.collection.immutable.Seq<Attribute> attributes) {
    return Scala.map(attributes, attribute -> (NamedExpression) attribute);
  }
}
