package io.github.sparkgpusched.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.AtLeastNNonNulls;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.ConditionalExpression;
import org.apache.spark.sql.catalyst.expressions.Elt;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.HigherOrderFunction;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.TryEval;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.types.DataTypes;

/**
 * The calls in an expression, each with its <b>guard</b>: the condition under which Spark would
 * evaluate it. CASE, IF, COALESCE, AND, OR, IN, {@code elt}, {@code na.drop} and an aggregate's
 * FILTER do not evaluate all of their inputs on every row. A guard of null stands for every row.
 */
final class GuardedCalls {
  /** What becomes of a call. */
  interface Placement {
    /**
     * What stands for a call from now on, or the call itself if it stays.
     *
     * @param guard or null
     */
    Expression place(ScalaUDF call, Expression guard);
  }

  private final Placement placement;

  GuardedCalls(Placement placement) {
    this.placement = placement;
  }

  /** An expression that is evaluated on every row, with its calls replaced, the innermost first. */
  Expression replace(Expression expression) {
    return rewrite(expression, null);
  }

  private Expression rewrite(Expression e, Expression guard) {
    if (!GpuCalls.mayContainCalls(e) || e instanceof PlanExpression || e instanceof TryEval) {
      return e;
    }
    if (GpuCalls.isCall(e) && !GpuCalls.anyArgumentContainsCall(e)) {
      return placement.place((ScalaUDF) e, guard);
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
    } else if (endsEarly(e)) {
      rewriteUntilDecided(e, inputs, guard, rewritten);
    } else if (e instanceof AggregateExpression aggregate) {
      // What is above it is asked once a group; its inputs are evaluated on each row all the same.
      Expression filter = aggregate.filter().isDefined() ? rewrite(inputs.get(1), null) : null;
      rewritten.add(rewrite(inputs.get(0), filter));
      if (filter != null) {
        rewritten.add(filter);
      }
    } else if (e instanceof ConditionalExpression conditional) {
      List<Expression> always = Scala.list(conditional.alwaysEvaluatedInputs());
      for (Expression input : inputs) {
        rewritten.add(containsSame(always, input) ? rewrite(input, guard) : input);
      }
    } else {
      inputs.forEach(input -> rewritten.add(rewrite(input, guard)));
    }
    Expression result = e.withNewChildren(Scala.seq(rewritten));
    return GpuCalls.isCall(e) ? placement.place((ScalaUDF) result, guard) : result;
  }

  /** IF and CASE: predicate, value, predicate, value, …, and the value of ELSE if there is one. */
  private void rewriteBranches(List<Expression> inputs, Expression guard, List<Expression> into) {
    List<Expression> predicates = new ArrayList<>();
    List<Expression> branches = new ArrayList<>();
    Expression reached = guard;
    for (int i = 0; i + 1 < inputs.size(); i += 2) {
      Expression predicate = rewrite(inputs.get(i), reached);
      predicates.add(predicate);
      branches.add(and(reached, predicate));
      reached = and(reached, new Not(new EqualNullSafe(predicate, Literal.TrueLiteral())));
    }
    branches.add(reached);
    Expression number = BranchNumber.isOf(predicates) ? BranchNumber.of(predicates) : null;
    for (int i = 0; i < inputs.size(); i++) {
      int branch = i / 2;
      if (i % 2 == 0 && branch < predicates.size()) {
        into.add(predicates.get(branch));
      } else if (number == null) {
        into.add(rewrite(inputs.get(i), branches.get(branch)));
      } else {
        into.add(rewrite(inputs.get(i), and(guard, BranchNumber.is(number, branch))));
      }
    }
  }

  /** True of expressions that are not conditional to Spark, but look at no input in vain. */
  static boolean endsEarly(Expression e) {
    return e instanceof In || e instanceof Elt || e instanceof AtLeastNNonNulls;
  }

  private void rewriteUntilDecided(
      Expression e, List<Expression> inputs, Expression guard, List<Expression> into) {
    for (int i = 0; i < inputs.size(); i++) {
      Expression input = inputs.get(i);
      into.add(
          GpuCalls.mayContainCalls(input)
              ? rewrite(input, and(guard, whereReached(e, i, into)))
              : input);
    }
  }

  /**
   * Where an input is looked at.
   *
   * @param before the inputs before it
   */
  private static Expression whereReached(Expression e, int input, List<Expression> before) {
    if (e instanceof Elt) {
      return input == 0
          ? null
          : new EqualTo(before.get(0), Literal.create(input, DataTypes.IntegerType));
    } else if (e instanceof AtLeastNNonNulls nonNulls) {
      return input < nonNulls.n()
          ? null
          : new Not(new AtLeastNNonNulls(nonNulls.n(), Scala.seq(before)));
    }
    // Of IN, the value and then, if it is not null, the list up to what is equal to it.
    if (input == 0) {
      return null;
    }
    Expression value = before.get(0);
    Expression isThere = value.nullable() ? new IsNotNull(value) : null;
    return input == 1
        ? isThere
        : and(
            isThere,
            new Not(
                new EqualNullSafe(
                    new In(value, Scala.seq(before.subList(1, before.size()))),
                    Literal.TrueLiteral())));
  }

  private static boolean containsSame(List<Expression> list, Expression e) {
    return list.stream().anyMatch(other -> other == e);
  }

  /**
   * Both conditions; null stands for true. What grows is the right side, whose parts {@link #parts}
   * finds. As a column the guard is {@link InOrder}.
   */
  static Expression and(Expression left, Expression right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    List<Expression> parts = parts(left);
    parts.add(right);
    return and(parts);
  }

  /** All of these conditions, in this order; null if there are none. */
  static Expression and(List<Expression> parts) {
    Expression all = null;
    for (int i = parts.size() - 1; i >= 0; i--) {
      all = all == null ? parts.get(i) : new And(parts.get(i), all);
    }
    return all;
  }

  /** The conditions that {@link #and} has joined. */
  static List<Expression> parts(Expression guard) {
    List<Expression> parts = new ArrayList<>();
    Expression rest = guard;
    while (rest instanceof And both) {
      parts.add(both.left());
      rest = both.right();
    }
    parts.add(rest);
    return parts;
  }
}
