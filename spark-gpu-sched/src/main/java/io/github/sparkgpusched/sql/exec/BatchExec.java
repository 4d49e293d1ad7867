package io.github.sparkgpusched.sql.exec;

import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;

/** A node that gives batches. */
abstract class BatchExec extends SameRowsExec {
  private static final long serialVersionUID = 1L;

  BatchExec(SparkPlan child) {
    super(child);
  }

  @Override
  public final boolean supportsColumnar() {
    return true;
  }

  @Override
  public final RDD<InternalRow> doExecute() {
    throw new IllegalStateException(nodeName() + " gives batches, not rows");
  }
}
