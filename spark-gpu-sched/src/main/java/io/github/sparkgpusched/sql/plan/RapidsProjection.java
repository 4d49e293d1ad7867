package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The physical form of {@link BatchedUdfs} that the RAPIDS Accelerator understands: Spark's own
 * projection, of calls whose function is a {@code RapidsUDF}. It becomes a {@code GpuProject}, or
 * it stays what it is; then it is found again here, and batched.
 */
public final class RapidsProjection {
  /** What a projection stands for. Spark copies tags with a node. */
  private static final TreeNodeTag<BatchedUdfs> CALLS = new TreeNodeTag<>("gpusched.calls");

  /** Where the Accelerator says why it leaves a node on the CPU, if it says so. */
  private static final TreeNodeTag<scala.collection.Set<String>> REASONS =
      new TreeNodeTag<>("rapids.gpu.supported");

  private RapidsProjection() {}

  /**
   * Whether the Accelerator can be given a call. Not a text of a device, which has no form for the
   * rows that the device leaves.
   */
  public static boolean canHave(ScalaUDF call) {
    return !GpuCalls.isText(call) && DeviceForm.isThere(GpuCalls.udf(call));
  }

  /**
   * The projection of a node's calls.
   *
   * @param child gives the rows of the node's child
   */
  public static SparkPlan of(BatchedUdfs udfs, SparkPlan child) {
    List<LoadAccumulator> load = List.of(LoadAccumulator.of(child.session().sparkContext()));
    List<NamedExpression> columns = new ArrayList<>(Scala.<Attribute>list(udfs.passed()));
    for (int i = 0; i < udfs.calls().length(); i++) {
      columns.add(
          column(
              (ScalaUDF) udfs.calls().apply(i),
              udfs.guards().apply(i),
              udfs.results().apply(i),
              load));
    }
    ProjectExec projection = new ProjectExec(Scala.seq(columns), child);
    projection.setTagValue(CALLS, udfs);
    return projection;
  }

  /** Where a call has a guard, the Accelerator computes only the rows where that is true. */
  private static NamedExpression column(
      ScalaUDF call, Expression guard, Attribute result, List<LoadAccumulator> load) {
    List<DataType> types =
        Scala.<Expression>list(call.children()).stream().map(Expression::dataType).toList();
    Expression value =
        RapidsFunction.of(call, new UdfCall(GpuCalls.name(call), types, call.dataType()), load);
    if (!(guard instanceof Literal)) {
      value = new If(guard, value, Literal.create(null, call.dataType()));
    }
    return Named.as(result, value);
  }

  /** The calls of a projection that the Accelerator has left, or empty if a plan is none. */
  public static Optional<BatchedUdfs> leftBy(SparkPlan plan) {
    if (!(plan instanceof ProjectExec)) {
      return Optional.empty();
    }
    Option<BatchedUdfs> calls = plan.getTagValue(CALLS);
    return calls.isEmpty() ? Optional.empty() : Optional.of(calls.get());
  }

  /** Why the Accelerator left a projection, in its own words if it said so. */
  public static String reason(SparkPlan left) {
    Option<scala.collection.Set<String>> reasons = left.getTagValue(REASONS);
    return reasons.isEmpty() || reasons.get().isEmpty()
        ? "it says no more"
        : String.join("; ", CollectionConverters.asJava(reasons.get()));
  }
}
