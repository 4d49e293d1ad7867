package io.github.sparkgpusched.sql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.Tuple2;

/**
 * Which branch of a CASE a row takes, as a number: of a CASE whose predicates have no calls, one
 * column in place of a guard for each branch that has all predicates before it.
 */
final class BranchNumber {
  /** With fewer branches, guards are shorter. */
  private static final int LEAST_BRANCHES = 3;

  private BranchNumber() {}

  /** Is it better for a CASE with these predicates? */
  static boolean isOf(List<Expression> predicates) {
    return predicates.size() >= LEAST_BRANCHES
        && predicates.stream().noneMatch(GpuCalls::mayContainCalls);
  }

  /** The number; that of ELSE is the number of predicates. */
  static Expression of(List<Expression> predicates) {
    List<Tuple2<Expression, Expression>> numbers = new ArrayList<>();
    for (int i = 0; i < predicates.size(); i++) {
      numbers.add(new Tuple2<>(predicates.get(i), number(i)));
    }
    return new CaseWhen(Scala.seq(numbers), Option.apply(number(predicates.size())));
  }

  /** True of rows that take this branch. */
  static Expression is(Expression number, int branch) {
    return new EqualTo(number, number(branch));
  }

  /**
   * A guard in which numbers of branches are columns. As in the guard, a number is computed only
   * where all that stands before it is true: its predicates may fail elsewhere.
   */
  static Expression inColumns(Expression guard, UnaryOperator<Expression> column) {
    List<Expression> parts = new ArrayList<>();
    for (Expression part : GuardedCalls.parts(guard)) {
      if (part instanceof EqualTo equal
          && equal.left() instanceof CaseWhen number
          && equal.right() instanceof Literal) {
        Expression before = GuardedCalls.and(parts);
        Literal none = Literal.create(null, number.dataType());
        Expression wanted = before == null ? number : new If(InOrder.of(before), number, none);
        parts.add(new EqualTo(column.apply(wanted), equal.right()));
      } else {
        parts.add(part);
      }
    }
    return GuardedCalls.and(parts);
  }

  private static Expression number(int branch) {
    return Literal.create(branch, DataTypes.IntegerType);
  }
}
