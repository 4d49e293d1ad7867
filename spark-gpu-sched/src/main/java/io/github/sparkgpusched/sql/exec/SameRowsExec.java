package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.sql.plan.Scala;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import org.json4s.JValue;
import scala.Tuple2;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A node over one child whose rows stay where they are and in their order. Two are equal if they
 * are of one class and all their parts are.
 */
abstract class SameRowsExec extends SparkPlan implements UnaryExecNode {
  private static final long serialVersionUID = 1L;

  final SparkPlan child;

  /** Spark's rules ask for it all the time. */
  private final Seq<SparkPlan> children;

  SameRowsExec(SparkPlan child) {
    this.child = child;
    this.children = Scala.seq(List.of(child));
  }

  /** The arguments of the constructor, in order: Spark copies a node by them. */
  abstract List<Object> parts();

  @Override
  public final SparkPlan child() {
    return child;
  }

  @Override
  public final Seq<SparkPlan> children() {
    return children;
  }

  @Override
  public final Partitioning outputPartitioning() {
    return child.outputPartitioning();
  }

  @Override
  public final Seq<SortOrder> outputOrdering() {
    return child.outputOrdering();
  }

  @Override
  public final SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> newChildren) {
    return withNewChildInternal(newChildren.head());
  }

  @Override
  public final int productArity() {
    return parts().size();
  }

  @Override
  public final Object productElement(int n) {
    return parts().get(n);
  }

  /** For {@code toJSON}, as of a projection: Spark looks at a class of Scala's for the names. */
  @Override
  public final scala.collection.immutable.List<Tuple2<String, JValue>> jsonFields() {
    return new ProjectExec(Scala.map(output(), column -> (NamedExpression) column), child)
        .jsonFields();
  }

  @Override
  public final boolean canEqual(Object other) {
    return other != null && other.getClass() == getClass();
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof SameRowsExec that && canEqual(that) && parts().equals(that.parts());
  }

  @Override
  public final int hashCode() {
    return parts().hashCode();
  }

  /**
   * What Scala makes of a {@code super} call in the trait, and asks of each class that has it:
   * Spark 3.5 has that call, Spark 4.0 does not.
   */
  public String org$apache$spark$sql$execution$UnaryExecNode$$super$formattedNodeName() {
    return super.formattedNodeName();
  }
}
