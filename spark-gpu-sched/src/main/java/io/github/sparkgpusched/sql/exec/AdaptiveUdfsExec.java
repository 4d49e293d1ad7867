package io.github.sparkgpusched.sql.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.config.BatchingMode;
import io.github.sparkgpusched.config.ExplainMode;
import io.github.sparkgpusched.config.QueryKeys;
import io.github.sparkgpusched.sql.plan.GpuCalls;
import io.github.sparkgpusched.sql.plan.Scala;
import io.github.sparkgpusched.sql.plan.SessionConfig;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.execution.CodegenSupport;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag$;

/**
 * Computes calls between rows on both sides. It is a part of Spark's generated code: a row is
 * computed where it is, as if the plugin were not there, as long as that is expected to be faster;
 * else it is collected into a batch, which the executor's devices share. {@link InlineRows} says
 * which.
 *
 * <p>Columns of the child that are not passed on, and that no call reads, are not kept in batches.
 */
public final class AdaptiveUdfsExec extends SameRowsExec implements CodegenSupport {
  private static final long serialVersionUID = 1L;

  /**
   * Of so many nodes in a row the last is no part of generated code. Each has the code of all above
   * it three times: of a chain of conditions it would grow without end.
   */
  private static final int MOST_OF_A_STAGE = 3;

  private final UdfCalls calls;
  private final BatchingMode mode;
  private final boolean mayStopEarly;

  /** Whose code asks for this node's, while code is generated. Written and read by one thread. */
  private transient CodegenSupport parent;

  /** Made by {@link #doProduce}, for {@link #doConsume}. Likewise. */
  private transient InlineCode code;

  /** Made at first use on the driver; one a node, as Spark reads it several times. */
  @GuardedBy("this")
  private transient BatchMetrics metrics;

  /**
   * @param passed the child's columns that are passed on
   * @param mode when rows are batched; not {@code ALWAYS}
   * @param mayStopEarly whether tasks may be left before their last row
   */
  public AdaptiveUdfsExec(
      Seq<Expression> calls,
      Seq<Expression> guards,
      Seq<Attribute> results,
      Seq<Attribute> passed,
      BatchingMode mode,
      boolean mayStopEarly,
      SparkPlan child) {
    super(child);
    this.calls = new UdfCalls(calls, guards, results, passed);
    this.mode = mode;
    this.mayStopEarly = mayStopEarly;
  }

  UdfCalls calls() {
    return calls;
  }

  /** How many nodes like this are below it, with nothing but projections and filters between. */
  private int nodesBelow() {
    int count = 0;
    SparkPlan node = child();
    while (node instanceof AdaptiveUdfsExec
        || node instanceof ProjectExec
        || node instanceof FilterExec
        || node instanceof InputAdapter
        || node instanceof WholeStageCodegenExec) {
      count += node instanceof AdaptiveUdfsExec ? 1 : 0;
      node = ((UnaryExecNode) node).child();
    }
    return count;
  }

  /** The columns of the child that a batch keeps: those that are passed on, or read by calls. */
  List<Attribute> kept() {
    AttributeSet used = used();
    return Scala.<Attribute>list(child.output()).stream().filter(used::contains).toList();
  }

  @Override
  public String nodeName() {
    return "BatchedUdfs";
  }

  @Override
  public String argString(int maxFields) {
    return calls.describe()
        + (", batching=" + mode.name().toLowerCase(java.util.Locale.ROOT))
        + (mayStopEarly ? BatchedUdfsExec.BELOW_A_LIMIT : "");
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

  InlineSpec spec() {
    List<Attribute> kept = kept();
    BatchSpec.Builder batches =
        calls.spec(kept, conf(), sparkContext(), batchMetrics(), semanticHash());
    batches.mayStopEarly = mayStopEarly;
    batches.adaptive = true;
    List<DataType> types = new ArrayList<>(kept.stream().map(Attribute::dataType).toList());
    boolean batchMethod = false;
    for (int i = 0; i < calls.count(); i++) {
      types.add(calls.call(i).dataType());
      batchMethod |= GpuCalls.hasBatchMethod(GpuCalls.udf(calls.call(i)));
    }
    boolean explained = SessionConfig.get(conf(), QueryKeys.EXPLAIN) == ExplainMode.ALL;
    return new InlineSpec(batches.build(), mode, CopyGuess.nanos(types), batchMethod, explained);
  }

  /** The calls as expressions over the child's columns. */
  List<Expression> inlineCalls(InlineSpec spec) {
    List<Expression> inline = new ArrayList<>();
    for (int i = 0; i < calls.count(); i++) {
      CallSpec call = spec.batches().calls().get(i);
      String udfClass = GpuCalls.udf(calls.call(i)).getClass().getName();
      List<Expression> inputs = Scala.list(calls.call(i).children());
      inputs.add(calls.guard(i));
      inline.add(
          new InlineCall(
              new RowCaller(call.call(), udfClass, call.udf()),
              call.takesNulls(),
              Scala.seq(inputs)));
    }
    return inline;
  }

  @Override
  public RDD<InternalRow> doExecute() {
    InlineSpec spec = spec();
    return child
        .execute()
        .mapPartitions(
            InlineIterator.over(this, spec), false, ClassTag$.MODULE$.apply(InternalRow.class));
  }

  @Override
  public CodegenSupport parent() {
    return parent;
  }

  @Override
  public void parent_$eq(CodegenSupport newParent) {
    parent = newParent;
  }

  @Override
  public boolean supportCodegen() {
    return InlineCode.fits(this) && (1 + nodesBelow()) % MOST_OF_A_STAGE != 0;
  }

  @Override
  public Seq<RDD<InternalRow>> inputRDDs() {
    return ((CodegenSupport) child).inputRDDs();
  }

  private AttributeSet used() {
    return calls.read().$plus$plus(Scala.set(calls.passed()));
  }

  /**
   * None that Spark evaluates before {@link #doConsume}: if they were all columns, it would put our
   * code into a function of its own, with a parameter for each.
   */
  @Override
  public AttributeSet usedInputs() {
    return AttributeSet$.MODULE$.empty();
  }

  /** True: the rows of batches are produced here. */
  @Override
  public boolean canCheckLimitNotReached() {
    return true;
  }

  @Override
  public String doProduce(CodegenContext context) {
    code = new InlineCode(this, context, spec());
    return code.produce();
  }

  @Override
  public String doConsume(CodegenContext context, Seq<ExprCode> input, ExprCode row) {
    String evaluated = evaluateRequiredVariables(child.output(), input, used());
    return code.consume(Scala.list(input), evaluated);
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new AdaptiveUdfsExec(
        calls.calls(),
        calls.guards(),
        calls.results(),
        calls.passed(),
        mode,
        mayStopEarly,
        newChild);
  }

  @Override
  List<Object> parts() {
    return List.of(
        calls.calls(), calls.guards(), calls.results(), calls.passed(), mode, mayStopEarly, child);
  }
}
