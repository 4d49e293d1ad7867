package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.sql.plan.Scala;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.RowToColumnarExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;

/**
 * Unions of batched nodes give rows, as they would without the plugin, so that cheap calls below
 * them are not batched. And from Spark 4.1 on a union says that it has the partitioning of its
 * children; up to 4.1.3, and in 4.2.0, only its rows come so. Its columns are there all children's
 * partitions, one after the other.
 */
final class RowUnions {
  private RowUnions() {}

  /** A plan whose transitions Spark has put in. */
  static SparkPlan apply(SparkPlan plan) {
    return plan.transformUp(Scala.<SparkPlan, SparkPlan>total(RowUnions::withRows));
  }

  private static SparkPlan withRows(SparkPlan node) {
    if (node instanceof UnionExec union
        && union.supportsColumnar()
        && Scala.list(union.children()).stream().anyMatch(RowUnions::givesRowsWithout)) {
      return new RowToColumnarExec(
          union.withNewChildren(Scala.map(union.children(), ColumnarToRowExec::new)));
    } else if (node instanceof ColumnarToRowExec rows
        && rows.child() instanceof RowToColumnarExec columns) {
      return columns.child();
    }
    return node;
  }

  /** Whether it would give rows without the plugin: a batched node, or a union of such. */
  private static boolean givesRowsWithout(SparkPlan child) {
    return child instanceof BatchedUdfsExec
        || (child instanceof RowToColumnarExec rows && rows.child() instanceof UnionExec);
  }
}
