package io.github.sparkgpusched.sql.plan;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import scala.Option;

/** Expressions as columns. */
final class Named {
  private Named() {}

  /** A column of its own. */
  static Alias as(String name, Expression value) {
    return alias(value, name, NamedExpression$.MODULE$.newExprId());
  }

  /** What gives a column its values. */
  static Alias as(Attribute column, Expression value) {
    return alias(value, column.name(), column.exprId());
  }

  private static Alias alias(Expression value, String name, ExprId id) {
    return new Alias(value, name, id, Scala.seq(List.of()), Option.empty(), Scala.seq(List.of()));
  }
}
