package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.types.DataType;
import scala.Option;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A call in a plan that may read rows of the driver, as {@code createDataFrame} and {@code VALUES}
 * make them. Spark's optimizer computes projections and filters of such rows on the driver, one row
 * after the other, unless they have an {@link Unevaluable}: so this is called one. It is evaluated
 * like any other call where it stays row by row, since the methods of its class go before those of
 * an interface.
 */
final class LocalScalaUdf extends NamedScalaUdf implements Unevaluable {
  private static final long serialVersionUID = 1L;

  /** The parameters are those of a {@code ScalaUDF}, by which Spark copies it. */
  LocalScalaUdf(
      Object function,
      DataType dataType,
      Seq<Expression> children,
      Seq<Option<ExpressionEncoder<?>>> inputEncoders,
      Option<ExpressionEncoder<?>> outputEncoder,
      Option<String> udfName,
      boolean nullable,
      boolean udfDeterministic) {
    super(
        function,
        dataType,
        children,
        inputEncoders,
        outputEncoder,
        udfName,
        nullable,
        udfDeterministic);
  }

  /** The same call. */
  static LocalScalaUdf of(ScalaUDF call) {
    return new LocalScalaUdf(
        call.function(),
        call.dataType(),
        call.children(),
        call.inputEncoders(),
        call.outputEncoder(),
        call.udfName(),
        call.nullable(),
        call.udfDeterministic());
  }

  @Override
  public ScalaUDF withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return of(super.withNewChildrenInternal(newChildren));
  }
}
