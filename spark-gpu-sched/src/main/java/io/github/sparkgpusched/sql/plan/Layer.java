package io.github.sparkgpusched.sql.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.ConditionalExpression;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.HigherOrderFunction;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.TryEval;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.Metadata;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * One layer of batched calls below an operator. {@link #rewrite} replaces, in the operator's
 * expressions, each call that can be computed from a child's rows by an attribute; {@link #below}
 * then puts the calls onto the children. A call whose argument or guard is itself a call waits for
 * the next layer.
 *
 * <p><b>Guards.</b> CASE, IF, COALESCE, AND, OR and an aggregate's FILTER do not evaluate all of
 * their inputs on every row. A call below one of them is computed only on rows where Spark would
 * evaluate it: its guard is that condition, and its arguments are null where the guard is not true,
 * so that an argument that fails there is not evaluated either.
 */
final class Layer {
  private record Placed(int child, ScalaUDF call, Expression guard, Attribute result) {}

  private final List<LogicalPlan> children;

  /** What {@link #below} computes. */
  private final List<Placed> placed = new ArrayList<>();

  /**
   * Attributes of results by call and guard in canonical form. Shared by the layers of a chain of
   * filters.
   */
  private final Map<List<Expression>, Attribute> results;

  private final Set<ExprId> newResults = new HashSet<>();

  /**
   * Per child, what holds for the rows that matter besides the guard in the expression; null:
   * nothing.
   */
  private final Expression[] childGuards;

  Layer(List<LogicalPlan> children, Map<List<Expression>, Attribute> results) {
    this.children = children;
    this.results = results;
    this.childGuards = new Expression[children.size()];
  }

  Layer(List<LogicalPlan> children) {
    this(children, new HashMap<>());
  }

  boolean isEmpty() {
    return placed.isEmpty();
  }

  /**
   * From now on, calls placed on a child matter only for rows where {@code guard} is true; null:
   * for all.
   */
  void setChildGuard(int child, Expression guard) {
    childGuards[child] = guard;
  }

  /** Replaces the calls of this layer in an expression that is evaluated on every row. */
  Expression rewrite(Expression expression) {
    return rewrite(expression, null);
  }

  /**
   * @param guard the condition under which Spark evaluates the expression; null: always
   */
  private Expression rewrite(Expression e, Expression guard) {
    if (!GpuCalls.containsCall(e) || e instanceof PlanExpression || e instanceof TryEval) {
      return e;
    }
    List<Expression> inputs = Scala.list(e.children());
    List<Expression> rewritten = new ArrayList<>(inputs.size());
    if (e instanceof HigherOrderFunction f) {
      List<Expression> arguments = Scala.list(f.arguments());
      for (Expression input : inputs) {
        rewritten.add(containsSame(arguments, input) ? rewrite(input, guard) : input);
      }
    } else if (e instanceof If || e instanceof CaseWhen) {
      rewriteBranches(inputs, guard, rewritten);
    } else if (e instanceof Coalesce) {
      Expression reached = guard;
      for (Expression input : inputs) {
        Expression done = rewrite(input, reached);
        rewritten.add(done);
        reached = and(reached, new IsNull(done));
      }
    } else if (e instanceof And || e instanceof Or) {
      Expression left = rewrite(inputs.get(0), guard);
      Literal decided = e instanceof And ? Literal.FalseLiteral() : Literal.TrueLiteral();
      rewritten.add(left);
      rewritten.add(rewrite(inputs.get(1), and(guard, new Not(new EqualNullSafe(left, decided)))));
    } else if (e instanceof AggregateExpression aggregate && aggregate.filter().isDefined()) {
      Expression filter = rewrite(inputs.get(1), guard);
      rewritten.add(rewrite(inputs.get(0), and(guard, filter)));
      rewritten.add(filter);
    } else if (e instanceof ConditionalExpression conditional) {
      List<Expression> always = Scala.list(conditional.alwaysEvaluatedInputs());
      for (Expression input : inputs) {
        rewritten.add(containsSame(always, input) ? rewrite(input, guard) : input);
      }
    } else {
      inputs.forEach(input -> rewritten.add(rewrite(input, guard)));
    }
    Expression result = e.withNewChildren(Scala.seq(rewritten));
    return GpuCalls.isCall(e) ? place((ScalaUDF) result, guard) : result;
  }

  /** IF and CASE: predicate, value, predicate, value, …, and the value of ELSE if there is one. */
  private void rewriteBranches(List<Expression> inputs, Expression guard, List<Expression> into) {
    Expression reached = guard;
    int i = 0;
    for (; i + 1 < inputs.size(); i += 2) {
      Expression predicate = rewrite(inputs.get(i), reached);
      into.add(predicate);
      into.add(rewrite(inputs.get(i + 1), and(reached, predicate)));
      reached = and(reached, new Not(new EqualNullSafe(predicate, Literal.TrueLiteral())));
    }
    if (i < inputs.size()) {
      into.add(rewrite(inputs.get(i), reached));
    }
  }

  /** The attribute that stands for a call, or the call itself if it is not of this layer. */
  private Expression place(ScalaUDF call, Expression guard) {
    if (GpuCalls.whyNever(call).isPresent()
        || GpuCalls.anyArgumentContainsCall(call)
        || isOfThisLayer(call)
        || (guard != null
            && (!guard.deterministic() || GpuCalls.containsCall(guard) || isOfThisLayer(guard)))) {
      return call;
    }
    int child = childWith(call);
    if (child < 0) {
      return call;
    }
    if (guard != null && !guard.references().subsetOf(children.get(child).outputSet())) {
      return call;
    }
    Expression whole = and(childGuards[child], guard);
    Attribute always = results.get(key(call, null));
    Attribute known = always != null ? always : results.get(key(call, whole));
    // Arguments that differ from one evaluation to the next make every call a call of its own.
    if (known != null && call.deterministic()) {
      return known;
    }
    Attribute result =
        new AttributeReference(
            GpuCalls.name(call),
            call.dataType(),
            call.nullable(),
            Metadata.empty(),
            NamedExpression$.MODULE$.newExprId(),
            Scala.seq(List.of()));
    placed.add(new Placed(child, call, whole, result));
    results.put(key(call, whole), result);
    newResults.add(result.exprId());
    return result;
  }

  private static List<Expression> key(ScalaUDF call, Expression guard) {
    return guard == null
        ? List.of(call.canonicalized())
        : List.of(call.canonicalized(), guard.canonicalized());
  }

  /** The child from whose rows a call can be computed, or -1. */
  private int childWith(ScalaUDF call) {
    for (int i = 0; i < children.size(); i++) {
      if (call.references().subsetOf(children.get(i).outputSet())) {
        return i;
      }
    }
    return -1;
  }

  private boolean isOfThisLayer(Expression e) {
    return e.exists(
        part -> part instanceof AttributeReference a && newResults.contains(a.exprId()));
  }

  private static boolean containsSame(List<Expression> list, Expression e) {
    return list.stream().anyMatch(other -> other == e);
  }

  private static Expression and(Expression left, Expression right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    return new And(left, right);
  }

  /** The children with this layer's calls on them. */
  Seq<LogicalPlan> below() {
    List<LogicalPlan> below = new ArrayList<>();
    for (int i = 0; i < children.size(); i++) {
      below.add(below(i));
    }
    return Scala.seq(below);
  }

  private LogicalPlan below(int index) {
    LogicalPlan child = children.get(index);
    List<NamedExpression> inputs = new ArrayList<>(Scala.list(child.output()));
    int plainInputs = inputs.size();
    List<Expression> calls = new ArrayList<>();
    List<Expression> guards = new ArrayList<>();
    List<Attribute> results = new ArrayList<>();
    for (Placed p : placed) {
      if (p.child() != index) {
        continue;
      }
      Expression guard = p.guard() == null ? Literal.TrueLiteral() : input(p.guard(), inputs);
      List<Expression> arguments = new ArrayList<>();
      for (Expression argument : Scala.<Expression>list(p.call().children())) {
        if (argument instanceof Attribute || argument instanceof Literal) {
          arguments.add(argument);
        } else {
          arguments.add(
              input(
                  p.guard() == null
                      ? argument
                      : new If(guard, argument, Literal.create(null, argument.dataType())),
                  inputs));
        }
      }
      calls.add(p.call().withNewChildren(Scala.seq(arguments)));
      guards.add(guard);
      results.add(p.result());
    }
    if (calls.isEmpty()) {
      return child;
    }
    LogicalPlan source =
        inputs.size() == plainInputs ? child : projected(child, inputs, plainInputs);
    // A node's calls are computed by the same devices: those that only GPUs can compute are apart,
    // lest another one keep them from GPUs.
    return node(true, calls, guards, results, node(false, calls, guards, results, source));
  }

  private static LogicalPlan node(
      boolean cudaTexts,
      List<Expression> calls,
      List<Expression> guards,
      List<Attribute> results,
      LogicalPlan source) {
    List<Integer> chosen =
        IntStream.range(0, calls.size())
            .filter(
                i -> GpuCalls.udf((ScalaUDF) calls.get(i)) instanceof DeviceTextUdf == cudaTexts)
            .boxed()
            .toList();
    return chosen.isEmpty()
        ? source
        : new BatchedUdfs(
            Scala.seq(chosen.stream().map(calls::get).toList()),
            Scala.seq(chosen.stream().map(guards::get).toList()),
            Scala.seq(chosen.stream().map(results::get).toList()),
            source);
  }

  /** An attribute that holds an argument or a guard, computed below the calls if need be. */
  private static Expression input(Expression e, List<NamedExpression> inputs) {
    if (e instanceof Attribute) {
      return e;
    }
    Alias alias =
        new Alias(
            e,
            "_gpusched_in" + inputs.size(),
            NamedExpression$.MODULE$.newExprId(),
            Scala.seq(List.of()),
            Option.empty(),
            Scala.seq(List.of()));
    inputs.add(alias);
    return alias.toAttribute();
  }

  /**
   * A guarded argument refers to the attribute of its guard, which a projection computes beside it,
   * not before it: two projections, the guards first.
   */
  private static LogicalPlan projected(
      LogicalPlan child, List<NamedExpression> inputs, int plainInputs) {
    Set<ExprId> computed = new HashSet<>();
    inputs.subList(plainInputs, inputs.size()).forEach(input -> computed.add(input.exprId()));
    List<NamedExpression> first = new ArrayList<>(inputs.subList(0, plainInputs));
    List<NamedExpression> second = new ArrayList<>();
    for (NamedExpression input : inputs.subList(plainInputs, inputs.size())) {
      boolean refersToOther =
          ((Alias) input)
              .child()
              .exists(part -> part instanceof Attribute a && computed.contains(a.exprId()));
      (refersToOther ? second : first).add(input);
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
