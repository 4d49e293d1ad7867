package io.github.sparkgpusched.sql.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.QueryKeys;
import io.github.sparkgpusched.config.StrategyKeys;
import io.github.sparkgpusched.config.UiKeys;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import io.github.sparkgpusched.sql.plan.BatchedUdfs;
import io.github.sparkgpusched.sql.plan.GpuCalls;
import io.github.sparkgpusched.sql.plan.Scala;
import io.github.sparkgpusched.sql.plan.SessionConfig;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * Computes calls in batches on the executor's devices. Columnar out: Spark puts its own transition
 * above where rows are wanted, fused with what comes next. In, it takes batches from a columnar
 * child and rows from any other.
 */
public final class BatchedUdfsExec extends BatchExec {
  private static final long serialVersionUID = 1L;

  private final Seq<Expression> calls;
  private final Seq<Expression> guards;
  private final Seq<Attribute> results;
  private final boolean mayStopEarly;

  /** Made at first use on the driver; one a node, as Spark reads it several times. */
  @GuardedBy("this")
  private transient BatchMetrics metrics;

  /**
   * @param mayStopEarly whether tasks may be left before their last row
   */
  public BatchedUdfsExec(
      Seq<Expression> calls,
      Seq<Expression> guards,
      Seq<Attribute> results,
      boolean mayStopEarly,
      SparkPlan child) {
    super(child);
    this.calls = calls;
    this.guards = guards;
    this.results = results;
    this.mayStopEarly = mayStopEarly;
  }

  /** The same node for a consumer that may leave its tasks before their last row. */
  BatchedUdfsExec thatMayStopEarly() {
    return new BatchedUdfsExec(calls, guards, results, true, child);
  }

  @Override
  public Seq<Attribute> output() {
    return Scala.concat(child.output(), results);
  }

  @Override
  public AttributeSet producedAttributes() {
    return AttributeSet$.MODULE$.apply(Scala.map(results, Attribute::toAttribute));
  }

  private synchronized BatchMetrics batchMetrics() {
    if (metrics == null) {
      metrics = new BatchMetrics(sparkContext());
    }
    return metrics;
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return Map$.MODULE$.from(CollectionConverters.asScala(batchMetrics().byName()));
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    BatchSpec spec = spec();
    var tag = ClassTag$.MODULE$.<ColumnarBatch>apply(ColumnarBatch.class);
    return child.supportsColumnar()
        ? child.executeColumnar().mapPartitions(new FromBatches(spec), false, tag)
        : child.execute().mapPartitions(new FromRows(spec), false, tag);
  }

  private BatchSpec spec() {
    GpuSchedConfig config = SessionConfig.of(conf());
    List<Attribute> inputs = Scala.list(child.output());
    List<DataType> types = inputs.stream().map(Attribute::dataType).toList();
    List<CallSpec> specs = new ArrayList<>();
    StringJoiner functions = new StringJoiner(" ");
    for (int i = 0; i < calls.length(); i++) {
      ScalaUDF call = (ScalaUDF) calls.apply(i);
      Expression guard = guards.apply(i);
      List<CallSpec.Argument> arguments = new ArrayList<>();
      List<DataType> argumentTypes = new ArrayList<>();
      for (Expression argument : Scala.<Expression>list(call.children())) {
        argumentTypes.add(argument.dataType());
        arguments.add(
            argument instanceof Literal literal
                ? new CallSpec.Argument(-1, literal)
                : new CallSpec.Argument(ordinal(argument, inputs), null));
      }
      functions
          .add(GpuCalls.name(call))
          .add(GpuCalls.udf(call).getClass().getName())
          .add(argumentTypes.toString());
      CallSpec.Builder one = new CallSpec.Builder();
      one.call = new UdfCall(GpuCalls.name(call), argumentTypes, call.dataType());
      one.udf = new UdfPattern(GpuCalls.name(call), GpuCalls.udf(call));
      one.takesNulls = GpuCalls.udf(call).takesNulls();
      one.mayRunTwice = GpuCalls.udf(call).mayRunTwice();
      one.exact = GpuCalls.exact(call);
      one.hints = GpuCalls.udf(call).placementHints();
      one.arguments = arguments;
      one.guard = guard instanceof Literal ? -1 : ordinal(guard, inputs);
      specs.add(one.build());
    }
    BatchSpec.Builder spec = new BatchSpec.Builder();
    spec.calls = specs;
    spec.inputTypes = new ArrayList<>(types);
    spec.batchRows = config.get(QueryKeys.BATCH_ROWS);
    spec.batchBytes = config.get(QueryKeys.BATCH_BYTES);
    spec.mayStopEarly = mayStopEarly;
    spec.functions = functions.toString();
    spec.plan = semanticHash();
    spec.weight = PoolWeight.of(sparkContext()) * Math.scalb(1.0, config.get(QueryKeys.PRIORITY));
    spec.strategy = config.get(StrategyKeys.STRATEGY);
    spec.metrics = batchMetrics();
    spec.load = LoadAccumulator.ofQuery(sparkContext());
    spec.surfaced = config.get(UiKeys.ENABLED);
    return spec.build();
  }

  static int ordinal(Expression attribute, List<Attribute> inputs) {
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).exprId().equals(((Attribute) attribute).exprId())) {
        return i;
      }
    }
    throw new IllegalStateException(attribute + " is not among " + inputs);
  }

  @Override
  public String argString(int maxFields) {
    return BatchedUdfs.describe(calls, guards, results);
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new BatchedUdfsExec(calls, guards, results, mayStopEarly, newChild);
  }

  @Override
  List<Object> parts() {
    return List.of(calls, guards, results, mayStopEarly, child);
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
      return new RowBatches(spec, TaskContext.get(), rows);
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
      return new VectorBatches(spec, TaskContext.get(), batches);
    }
  }
}
