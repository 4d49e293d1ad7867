package io.github.sparkgpusched.sql.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.sql.plan.InOrder;
import io.github.sparkgpusched.sql.plan.Scala;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.Predicate$;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.LeafExecNode;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * Spark's filter, and a projection that only picks columns, on the batches of a columnar child: the
 * rows that pass are read where they lie, and no row is made of them. The condition is evaluated as
 * Spark's own filter does where it is not fused with others: by {@code Predicate.create}.
 */
public final class BatchedFilterExec extends BatchExec {
  private static final long serialVersionUID = 1L;
  private static final String ROWS = "numOutputRows";

  private final Expression condition;
  private final Seq<Attribute> output;

  /** Made at first use on the driver; one a node, as Spark reads it several times. */
  @GuardedBy("this")
  private transient SQLMetric rows;

  public BatchedFilterExec(Expression condition, Seq<Attribute> output, SparkPlan child) {
    super(child);
    this.condition = condition;
    this.output = output;
  }

  /**
   * The same rows in batches, if a plan is a filter over a columnar plan, below at most a
   * projection of plain columns; else the plan itself. A condition that differs from one evaluation
   * to the next, or has a subquery, stays Spark's.
   */
  static SparkPlan instead(SparkPlan plan) {
    SparkPlan below = plan instanceof ProjectExec project ? project.child() : plan;
    if (below instanceof FilterExec filter
        && filter.condition().deterministic()
        && !filter.condition().exists(part -> part instanceof PlanExpression)
        && (!(plan instanceof ProjectExec project) || picksColumns(project))) {
      SparkPlan input = filter.child();
      if (input instanceof ColumnarToRowExec transition) {
        return new BatchedFilterExec(filter.condition(), plan.output(), transition.child());
      } else if (input instanceof LeafExecNode && input.supportsColumnar()) {
        // A cached table, which gives either.
        return new BatchedFilterExec(filter.condition(), plan.output(), input);
      }
    }
    return plan;
  }

  private static boolean picksColumns(ProjectExec project) {
    return Scala.<NamedExpression>list(project.projectList()).stream()
        .allMatch(column -> column instanceof Attribute);
  }

  @Override
  public Seq<Attribute> output() {
    return output;
  }

  private synchronized SQLMetric rows() {
    if (rows == null) {
      rows = SQLMetrics.createMetric(sparkContext(), "number of output rows");
    }
    return rows;
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return Scala.map(java.util.Map.of(ROWS, rows()));
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    List<Attribute> inputs = Scala.list(child.output());
    int[] picked =
        Scala.<Attribute>list(output).stream()
            .mapToInt(column -> UdfCalls.ordinal(column, inputs))
            .toArray();
    var tag = ClassTag$.MODULE$.<ColumnarBatch>apply(ColumnarBatch.class);
    return child
        .executeColumnar()
        .mapPartitions(new Select(condition, child.output(), picked, rows()), false, tag);
  }

  @Override
  public String argString(int maxFields) {
    return condition + ", " + output.mkString("[", ", ", "]");
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new BatchedFilterExec(condition, output, newChild);
  }

  @Override
  List<Object> parts() {
    return List.of(condition, output, child);
  }

  private static final class Select
      extends AbstractFunction1<Iterator<ColumnarBatch>, Iterator<ColumnarBatch>>
      implements Serializable {
    private static final long serialVersionUID = 1L;
    private final Expression condition;
    private final Seq<Attribute> inputs;
    private final int[] picked;
    private final SQLMetric rows;

    Select(Expression condition, Seq<Attribute> inputs, int[] picked, SQLMetric rows) {
      this.condition = condition;
      this.inputs = inputs;
      this.picked = picked;
      this.rows = rows;
    }

    @Override
    public Iterator<ColumnarBatch> apply(Iterator<ColumnarBatch> batches) {
      BasePredicate predicate = Predicate$.MODULE$.create(InOrder.of(condition), inputs);
      predicate.initialize(TaskContext.getPartitionId());
      return new SelectedBatches(batches, predicate, picked, rows);
    }
  }
}
