package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.immutable.IndexedSeq;

/**
 * Two expressions with one meaning: the first has calls of functions that are text, the second has
 * none. {@link DeviceForms} takes one of them, each time a query is planned.
 */
final class DeviceOrElse extends UnplannedExpression {
  private static final long serialVersionUID = 1L;

  DeviceOrElse(Expression onDevice, Expression otherwise) {
    super(onDevice, otherwise);
  }

  Expression onDevice() {
    return first();
  }

  Expression otherwise() {
    return last();
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new DeviceOrElse(newChildren.head(), newChildren.last());
  }
}
