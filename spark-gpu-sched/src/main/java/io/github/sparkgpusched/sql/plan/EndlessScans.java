package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.Option;

/**
 * Scans of real-time and of continuous streams, which have a beginning and no end. Their rows are
 * not to wait for others, and Spark refuses operators that it does not know in a real-time query.
 */
final class EndlessScans {
  static final String WHY_ROW_WISE =
      "rows of a real-time or a continuous stream are not to wait for others, as those of a batch"
          + " do";

  private EndlessScans() {}

  static boolean areIn(LogicalPlan plan) {
    return plan.isStreaming() && plan.exists(EndlessScans::is);
  }

  /** By name: Spark 3.5 calls the class of such a scan StreamingDataSourceV2Relation. */
  private static boolean is(LogicalPlan node) {
    return node.children().isEmpty()
        && node.getClass().getSimpleName().startsWith("StreamingDataSourceV2")
        && has(node, "startOffset", true)
        && has(node, "endOffset", false);
  }

  private static boolean has(LogicalPlan scan, String offset, boolean wanted) {
    try {
      return scan.getClass().getMethod(offset).invoke(scan) instanceof Option<?> found
          && found.isDefined() == wanted;
    } catch (ReflectiveOperationException e) {
      return false; // not a scan
    }
  }
}
