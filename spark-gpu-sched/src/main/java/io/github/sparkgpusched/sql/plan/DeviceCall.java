package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.immutable.IndexedSeq;

/** A call of a {@link DeviceTextUdf}. */
final class DeviceCall extends UnplannedExpression {
  private static final long serialVersionUID = 1L;

  DeviceCall(Expression call) {
    super(call);
  }

  Expression call() {
    return first();
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new DeviceCall(newChildren.head());
  }
}
