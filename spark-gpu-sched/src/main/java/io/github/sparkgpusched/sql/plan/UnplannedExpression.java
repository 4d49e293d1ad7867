package io.github.sparkgpusched.sql.plan;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.json4s.JValue;
import scala.Tuple2;
import scala.collection.immutable.Seq;

/**
 * What stands in a plan from analysis until {@link PullOutGpuUdfs}. Unevaluable, so that the
 * optimizer does not compute it on the driver, over a local relation for example. Its type is that
 * of its first child, its text that of its last.
 */
abstract class UnplannedExpression extends Expression implements Unevaluable {
  private static final long serialVersionUID = 1L;

  private final List<Expression> parts;

  UnplannedExpression(Expression... parts) {
    this.parts = List.of(parts);
  }

  final Expression first() {
    return parts.get(0);
  }

  final Expression last() {
    return parts.get(parts.size() - 1);
  }

  @Override
  public final Seq<Expression> children() {
    return Scala.seq(parts);
  }

  @Override
  public final DataType dataType() {
    return first().dataType();
  }

  @Override
  public final boolean nullable() {
    return true;
  }

  @Override
  public final boolean foldable() {
    return false;
  }

  @Override
  public final String sql() {
    return last().sql();
  }

  @Override
  public final String toString() {
    return last().toString();
  }

  @Override
  public final Object eval(InternalRow input) {
    throw new IllegalStateException(this + " is not evaluated");
  }

  @Override
  public final ExprCode doGenCode(CodegenContext context, ExprCode code) {
    throw new IllegalStateException(this + " is not evaluated");
  }

  /** For {@code toJSON}: Spark looks at a class of Scala's for the names. */
  @Override
  public final scala.collection.immutable.List<Tuple2<String, JValue>> jsonFields() {
    return new Coalesce(children()).jsonFields();
  }

  @Override
  public final int productArity() {
    return parts.size();
  }

  @Override
  public final Object productElement(int n) {
    return parts.get(n);
  }

  @Override
  public final boolean canEqual(Object other) {
    return other != null && other.getClass() == getClass();
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof UnplannedExpression that
        && that.canEqual(this)
        && parts.equals(that.parts);
  }

  @Override
  public final int hashCode() {
    return parts.hashCode();
  }
}
