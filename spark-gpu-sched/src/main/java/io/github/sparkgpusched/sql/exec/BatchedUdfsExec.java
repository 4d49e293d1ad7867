package io.github.sparkgpusched.sql.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.sql.plan.Scala;
import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * Computes calls in batches on the executor's devices. Columnar out: Spark puts its own transition
 * above where rows are wanted, fused with what comes next. In, it takes batches from a columnar
 * child and rows from any other. Between rows on both sides {@link AdaptiveUdfsExec} takes its
 * place, unless every row is to be batched.
 */
public final class BatchedUdfsExec extends BatchExec {
  private static final long serialVersionUID = 1L;

  /** What a plan says of nodes whose tasks may stop early. */
  static final String BELOW_A_LIMIT = ", below a limit";

  private final UdfCalls calls;
  private final boolean mayStopEarly;

  /** Made at first use on the driver; one a node, as Spark reads it several times. */
  @GuardedBy("this")
  private transient BatchMetrics metrics;

  /**
   * @param passed the child's columns that are passed on
   * @param mayStopEarly whether tasks may be left before their last row
   */
  public BatchedUdfsExec(
      Seq<Expression> calls,
      Seq<Expression> guards,
      Seq<Attribute> results,
      Seq<Attribute> passed,
      boolean mayStopEarly,
      SparkPlan child) {
    super(child);
    this.calls = new UdfCalls(calls, guards, results, passed);
    this.mayStopEarly = mayStopEarly;
  }

  UdfCalls calls() {
    return calls;
  }

  boolean mayStopEarly() {
    return mayStopEarly;
  }

  /** The same node for a consumer that may leave its tasks before their last row. */
  BatchedUdfsExec thatMayStopEarly() {
    return new BatchedUdfsExec(
        calls.calls(), calls.guards(), calls.results(), calls.passed(), true, child);
  }

  @Override
  public Seq<Attribute> output() {
    return calls.output();
  }

  @Override
  public AttributeSet producedAttributes() {
    return calls.resultSet();
  }

  private synchronized BatchMetrics batchMetrics() {
    if (metrics == null) {
      metrics = new BatchMetrics(sparkContext());
    }
    return metrics;
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return Scala.map(batchMetrics().byName());
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    BatchSpec.Builder builder =
        calls.spec(
            Scala.list(child.output()), conf(), sparkContext(), batchMetrics(), semanticHash());
    builder.mayStopEarly = mayStopEarly;
    BatchSpec spec = builder.build();
    var tag = ClassTag$.MODULE$.<ColumnarBatch>apply(ColumnarBatch.class);
    return child.supportsColumnar()
        ? child.executeColumnar().mapPartitions(new FromBatches(spec), false, tag)
        : child.execute().mapPartitions(new FromRows(spec), false, tag);
  }

  @Override
  public String argString(int maxFields) {
    return calls.describe() + (mayStopEarly ? BELOW_A_LIMIT : "");
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new BatchedUdfsExec(
        calls.calls(), calls.guards(), calls.results(), calls.passed(), mayStopEarly, newChild);
  }

  @Override
  List<Object> parts() {
    return List.of(
        calls.calls(), calls.guards(), calls.results(), calls.passed(), mayStopEarly, child);
  }

  private static final class FromRows
      extends AbstractFunction1<Iterator<InternalRow>, Iterator<ColumnarBatch>>
      implements Serializable {
    private static final long serialVersionUID = 1L;
    private final BatchSpec spec;

    FromRows(BatchSpec spec) {
      this.spec = spec;
    }

    @Override
    public Iterator<ColumnarBatch> apply(Iterator<InternalRow> rows) {
      TaskLedger ledger = new TaskLedger(spec, TaskContext.get());
      RowBatches.Input input = new RowBatches.Input(spec, rows);
      Supplier<TaskBatches> maker = () -> new RowBatches(spec, ledger, input);
      // Rows are not computed ahead of a consumer that may want no more.
      return new OverlappedBatches(maker, !spec.mayStopEarly());
    }
  }

  private static final class FromBatches
      extends AbstractFunction1<Iterator<ColumnarBatch>, Iterator<ColumnarBatch>>
      implements Serializable {
    private static final long serialVersionUID = 1L;
    private final BatchSpec spec;

    FromBatches(BatchSpec spec) {
      this.spec = spec;
    }

    @Override
    public Iterator<ColumnarBatch> apply(Iterator<ColumnarBatch> batches) {
      TaskLedger ledger = new TaskLedger(spec, TaskContext.get());
      VectorBatches.Input input = new VectorBatches.Input(batches);
      Supplier<TaskBatches> maker = () -> new VectorBatches(spec, ledger, input);
      return new OverlappedBatches(maker, !spec.mayStopEarly() && VectorBatches.areCopies(spec));
    }
  }
}
