package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.config.BatchingMode;
import io.github.sparkgpusched.sql.plan.GpuCalls;
import io.github.sparkgpusched.sql.plan.Scala;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.RowToColumnarExec;
import org.apache.spark.sql.execution.SparkPlan;

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
    return mode == BatchingMode.ALWAYS ? plan : new AdaptivePlan(mode).rewrite(plan);
  }

  private SparkPlan rewrite(SparkPlan node) {
    if (node instanceof ColumnarToRowExec transition
        && transition.child() instanceof BatchedUdfsExec batched
        && isBetweenRows(batched)) {
      return adaptive(batched);
    }
    return node.withNewChildren(Scala.map(node.children(), this::rewrite));
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

  private SparkPlan adaptive(BatchedUdfsExec batched) {
    UdfCalls calls = batched.calls();
    return new AdaptiveUdfsExec(
        calls.calls(),
        calls.guards(),
        calls.results(),
        calls.passed(),
        mode,
        batched.mayStopEarly(),
        rows(batched.child()));
  }

  /** The rows of a batched node's child. */
  private SparkPlan rows(SparkPlan child) {
    if (child instanceof RowToColumnarExec rows) {
      return rewrite(rows.child());
    } else if (child instanceof BatchedUdfsExec batched && isBetweenRows(batched)) {
      return adaptive(batched);
    }
    return new ColumnarToRowExec(rewrite(child));
  }
}
