package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreePattern$;

/**
 * {@code WITH RECURSIVE}, from Spark 4.1 on. Spark runs each level as a query of its own, which it
 * optimizes once more, and computes what reads rows of the driver there and then. So calls in them
 * are pulled out at each level, and none stands in the way of that.
 */
final class RecursiveQueries {
  private RecursiveQueries() {}

  /** Whether a plan that is not optimized yet has one. */
  static boolean areIn(LogicalPlan plan) {
    return plan.containsPattern(TreePattern$.MODULE$.CTE()) && plan.exists(RecursiveQueries::is);
  }

  /** By name, as Spark 3.5 has no such class. */
  static boolean is(LogicalPlan node) {
    return node.nodeName().equals("UnionLoop");
  }
}
