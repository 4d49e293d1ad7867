package io.github.sparkgpusched.sql.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.Metadata;
import scala.collection.immutable.Seq;

/**
 * One layer of batched calls below an operator. {@link #rewrite} replaces, in the operator's
 * expressions, each call that can be computed from a child's rows by an attribute; {@link #below}
 * then puts the calls onto the children. A call whose argument or guard is itself a call waits for
 * the next layer.
 */
final class Layer {
  private final List<LogicalPlan> children;
  private final GuardedCalls calls = new GuardedCalls(this::place);

  /** What {@link #below} computes, by child. */
  private final List<List<PlacedCall>> placed = new ArrayList<>();

  /** What the layers below have computed. Shared by the layers of a chain of filters. */
  private final Known known;

  private final Set<ExprId> newResults = new HashSet<>();

  /**
   * Per child, what holds for the rows that matter besides the guard in the expression; null:
   * nothing.
   */
  private final Expression[] childGuards;

  /**
   * What layers have computed of an operator's calls.
   *
   * @param results attributes of results by call and guard in canonical form
   * @param guards columns that hold guards
   */
  record Known(Map<List<Expression>, Attribute> results, GuardColumns guards) {
    Known() {
      this(new HashMap<>(), new GuardColumns());
    }
  }

  Layer(List<LogicalPlan> children, Known known) {
    this.children = children;
    this.known = known;
    this.childGuards = new Expression[children.size()];
    children.forEach(child -> placed.add(new ArrayList<>()));
  }

  Layer(List<LogicalPlan> children) {
    this(children, new Known());
  }

  boolean isEmpty() {
    return newResults.isEmpty();
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
    return calls.replace(expression);
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
    Expression whole = GuardedCalls.and(childGuards[child], guard);
    List<Expression> key = key(call, whole);
    Attribute always = whole == null ? null : known.results.get(key(call, null));
    Attribute before = always != null ? always : known.results.get(key);
    // Arguments that differ from one evaluation to the next make every call a call of its own.
    if (before != null && call.deterministic()) {
      return before;
    }
    Attribute result =
        new AttributeReference(
            GpuCalls.name(call),
            call.dataType(),
            call.nullable() || whole != null, // null where it is not called
            Metadata.empty(),
            NamedExpression$.MODULE$.newExprId(),
            Scala.seq(List.of()));
    placed.get(child).add(new PlacedCall(call, whole, result));
    known.results.put(key, result);
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
    return !newResults.isEmpty()
        && e.exists(
            part -> part instanceof AttributeReference a && newResults.contains(a.exprId()));
  }

  /** The children with this layer's calls on them. */
  Seq<LogicalPlan> below() {
    List<LogicalPlan> below = new ArrayList<>();
    for (int i = 0; i < children.size(); i++) {
      below.add(PlacedCall.onto(children.get(i), placed.get(i), known.guards));
    }
    return Scala.seq(below);
  }
}
