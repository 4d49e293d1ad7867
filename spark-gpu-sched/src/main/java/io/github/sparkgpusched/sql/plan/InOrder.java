package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;

/**
 * Conditions of which each is evaluated only where all before it are true, as in a filter of
 * Spark's and in CASE: a later one may fail on other rows. An AND alone is not enough. Where its
 * left side is null Spark evaluates the right one, too; and what stands twice in its sides, or in
 * those of another AND beside it, Spark's elimination of common subexpressions evaluates on every
 * row.
 */
public final class InOrder {
  private InOrder() {}

  /** The same condition, null being false, with the parts of its ANDs in their order. */
  public static Expression of(Expression condition) {
    // What is in branches is not looked at for common subexpressions.
    return new If(Literal.TrueLiteral(), and(condition, null), Literal.FalseLiteral());
  }

  /**
   * @param rest what is evaluated where the condition is true, or null
   */
  private static Expression and(Expression condition, Expression rest) {
    if (condition instanceof And both) {
      return and(both.left(), and(both.right(), rest));
    }
    return rest == null ? condition : new If(condition, rest, Literal.FalseLiteral());
  }
}
