package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * A join of two streams keeps rows of both sides in its state, with the columns that its sides
 * have. A call's result below it would be one more, and whoever reads the state in the next run may
 * have the plugin off. What else keeps a state keeps keys and buffers, which are the same whoever
 * computes them, but for one: a call that is promised to give no null can be null where it is
 * computed for some rows alone, as in a CASE. With such a key Spark refuses the state of a run
 * without the plugin.
 */
final class StreamJoins {
  static final String WHY_ROW_WISE =
      "the join of two streams keeps rows in its state, which has the same columns without the"
          + " plugin";

  private StreamJoins() {}

  static boolean is(LogicalPlan node) {
    return node instanceof Join join && join.left().isStreaming() && join.right().isStreaming();
  }
}
