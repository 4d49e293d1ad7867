package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.types.DataType;
import org.json4s.JValue;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.List;
import scala.collection.immutable.Seq;

/** A call of a {@link RowWiseFunction}. Spark's errors name the class of the user's UDF. */
class NamedScalaUdf extends ScalaUDF {
  private static final long serialVersionUID = 1L;

  /** The parameters are those of a {@code ScalaUDF}, by which Spark copies it. */
  NamedScalaUdf(
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
  static NamedScalaUdf of(ScalaUDF call) {
    return new NamedScalaUdf(
        call.function(),
        call.dataType(),
        call.children(),
        call.inputEncoders(),
        call.outputEncoder(),
        call.udfName(),
        call.nullable(),
        call.udfDeterministic());
  }

  /** A case class calls its subclasses equal, and Spark's transformations keep what is equal. */
  @Override
  public boolean canEqual(Object other) {
    return other.getClass() == getClass();
  }

  @Override
  public String funcCls() {
    return ((RowWiseFunction) function()).udf().getClass().getSimpleName();
  }

  /** For {@code toJSON}: Spark looks at a class of Scala's for the names. */
  @Override
  public List<Tuple2<String, JValue>> jsonFields() {
    return new ScalaUDF(
            function(),
            dataType(),
            children(),
            inputEncoders(),
            outputEncoder(),
            udfName(),
            nullable(),
            udfDeterministic())
        .jsonFields();
  }

  @Override
  public ScalaUDF withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return of(super.withNewChildrenInternal(newChildren));
  }
}
