package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.immutable.IndexedSeq;

/**
 * Two expressions with one meaning: the first has calls of CUDA texts, the second has none. {@link
 * CudaForms} takes one of them, each time a query is planned.
 */
final class CudaOrElse extends UnplannedExpression {
  private static final long serialVersionUID = 1L;

  CudaOrElse(Expression cuda, Expression otherwise) {
    super(cuda, otherwise);
  }

  Expression cuda() {
    return first();
  }

  Expression otherwise() {
    return last();
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new CudaOrElse(newChildren.head(), newChildren.last());
  }
}
