package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.config.ExplainMode;
import io.github.sparkgpusched.config.QueryKeys;
import io.github.sparkgpusched.config.RapidsPlugin;
import io.github.sparkgpusched.sql.plan.BatchedUdfs;
import io.github.sparkgpusched.sql.plan.GpuCalls;
import io.github.sparkgpusched.sql.plan.RapidsProjection;
import io.github.sparkgpusched.sql.plan.Scala;
import io.github.sparkgpusched.sql.plan.SessionConfig;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.RowToColumnarExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches the calls that the RAPIDS Accelerator was given and has left on the CPU, and says why it
 * did. To be applied after it: among the rules that come after Spark has put its transitions in,
 * where all plugins have had their say, whichever was named first.
 */
final class LeftByRapids {
  private static final Logger LOG = LoggerFactory.getLogger("io.github.sparkgpusched.explain");

  private LeftByRapids() {}

  /**
   * The plan with batched nodes in their place, between the transitions that Spark would put. What
   * was given is found in the plan: the settings may be others by now.
   */
  static SparkPlan batched(SparkPlan plan, SQLConf conf) {
    if (!RapidsPlugin.isThere(conf::getConfString)) {
      return plan;
    }
    boolean explained = SessionConfig.get(conf, QueryKeys.EXPLAIN) != ExplainMode.NONE;
    return plan.transformUp(
        Scala.<SparkPlan, SparkPlan>total(
            node -> {
              Optional<BatchedUdfs> left = RapidsProjection.leftBy(node);
              if (left.isEmpty()) {
                return withoutRows(node);
              }
              if (explained) {
                explain(left.get(), node);
              }
              SparkPlan input = input(Scala.<SparkPlan>list(node.children()).get(0));
              return new ColumnarToRowExec(BatchedUdfsStrategy.batched(left.get(), input));
            }));
  }

  /** Calls that RAPIDS was not given may be right above those that it has left. */
  private static SparkPlan withoutRows(SparkPlan node) {
    return node instanceof RowToColumnarExec above
            && above.child() instanceof ColumnarToRowExec below
            && below.child() instanceof BatchedUdfsExec batched
        ? batched
        : node;
  }

  private static void explain(BatchedUdfs udfs, SparkPlan left) {
    for (Expression call : Scala.<Expression>list(udfs.calls())) {
      LOG.warn(
          "UDF '{}' is batched, as RAPIDS leaves it on the CPU: {}",
          GpuCalls.name((ScalaUDF) call),
          RapidsProjection.reason(left));
    }
  }

  /** What RAPIDS has on a GPU it makes rows of itself. */
  private static SparkPlan input(SparkPlan rows) {
    return rows instanceof ColumnarToRowExec transition && !isOfRapids(transition.child())
        ? transition.child()
        : new RowToColumnarExec(rows);
  }

  private static boolean isOfRapids(SparkPlan plan) {
    String name = plan.getClass().getName();
    return name.startsWith("com.nvidia.spark.rapids.")
        || name.startsWith("org.apache.spark.sql.rapids.");
  }
}
