package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import scala.collection.immutable.IndexedSeq;

/** A call of a {@link TextUdf}. */
final class DeviceCall extends UnplannedExpression {
  private static final long serialVersionUID = 1L;

  DeviceCall(Expression call) {
    super(call);
  }

  ScalaUDF call() {
    return (ScalaUDF) first();
  }

  /** Of the function's text. */
  String language() {
    return GpuCalls.language(call()).orElseThrow();
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new DeviceCall(newChildren.head());
  }
}
