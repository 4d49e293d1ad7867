package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.config.BatchingMode;
import io.github.sparkgpusched.sql.plan.GpuCalls;
import io.github.sparkgpusched.sql.plan.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.RowToColumnarExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import scala.collection.immutable.Seq;

/**
 * Puts an {@link AdaptiveUdfsExec} in the place of each batched node that has rows on both sides:
 * its child gives rows, and Spark would make rows of its batches. A node over batches stays, as
 * they are there anyway, unless no row is to be batched, or tasks may be left early.
 */
final class AdaptivePlan {
  private final BatchingMode mode;

  private AdaptivePlan(BatchingMode mode) {
    this.mode = mode;
  }

  /** The plan with such nodes, whose transitions Spark has put in. */
  static SparkPlan of(SparkPlan plan, BatchingMode mode) {
    return mode == BatchingMode.ALWAYS ? plan : new AdaptivePlan(mode).rewrite(plan, null);
  }

  /**
   * @param readAbove the node's columns that are read above; null: all
   */
  private SparkPlan rewrite(SparkPlan node, AttributeSet readAbove) {
    if (node instanceof ColumnarToRowExec transition
        && transition.child() instanceof BatchedUdfsExec batched
        && isBetweenRows(batched)) {
      return adaptive(batched, readAbove);
    }
    AttributeSet below = readBelow(node, readAbove);
    List<SparkPlan> children = new ArrayList<>();
    for (SparkPlan child : Scala.<SparkPlan>list(node.children())) {
      children.add(rewrite(child, below));
    }
    return node.withNewChildren(Scala.seq(children));
  }

  private static AttributeSet readBelow(SparkPlan node, AttributeSet readAbove) {
    if (node instanceof ProjectExec || node instanceof BaseAggregateExec) {
      return node.references();
    } else if (node instanceof FilterExec && readAbove != null) {
      return readAbove.$plus$plus(node.references());
    } else if (node instanceof InputAdapter) {
      return readAbove;
    }
    return null;
  }

  /** Whether rows come in, or might as well. */
  private boolean isBetweenRows(BatchedUdfsExec batched) {
    boolean text =
        Scala.list(batched.calls().calls()).stream().anyMatch(call -> GpuCalls.isText(call));
    if (text) {
      return false; // no core computes it
    }
    SparkPlan child = batched.child();
    if (mode == BatchingMode.NEVER || batched.mayStopEarly()) {
      return true;
    } else if (child instanceof RowToColumnarExec rows) {
      return BatchedFilterExec.instead(rows.child()) == rows.child();
    }
    return child instanceof BatchedUdfsExec below && isBetweenRows(below);
  }

  private SparkPlan adaptive(BatchedUdfsExec batched, AttributeSet readAbove) {
    UdfCalls calls = batched.calls();
    Seq<Attribute> inputs = batched.child().output();
    List<Attribute> read =
        Scala.<Attribute>list(inputs).stream()
            .filter(column -> readAbove == null || readAbove.contains(column))
            .toList();
    AttributeSet below =
        readAbove == null ? null : calls.read().$plus$plus(Scala.set(Scala.seq(read)));
    return new AdaptiveUdfsExec(
        calls.calls(),
        calls.guards(),
        calls.results(),
        Scala.seq(read),
        mode,
        batched.mayStopEarly(),
        rows(batched.child(), below));
  }

  /** The rows of a batched node's child. */
  private SparkPlan rows(SparkPlan child, AttributeSet read) {
    if (child instanceof RowToColumnarExec rows) {
      return rewrite(rows.child(), read);
    } else if (child instanceof BatchedUdfsExec batched && isBetweenRows(batched)) {
      return adaptive(batched, read);
    }
    return new ColumnarToRowExec(rewrite(child, null));
  }
}
