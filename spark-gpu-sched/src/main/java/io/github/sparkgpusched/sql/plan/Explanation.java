package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.config.ExplainMode;
import io.github.sparkgpusched.runtime.DriverRuntime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.ConditionalExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.TryEval;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which calls of a plan are batched, and why the others are not. */
final class Explanation {
  private static final Logger LOG = LoggerFactory.getLogger("io.github.sparkgpusched.explain");

  private final List<ScalaUDF> batched = new ArrayList<>();
  private final Set<NotBatched> notBatched = new LinkedHashSet<>();
  private final Set<String> misfits = new LinkedHashSet<>();
  private final Set<Fallback> fallbacks;

  /** A call that no launch device computes, as the load table is told of it. */
  record Fallback(String udf, String reason) {}

  private record NotBatched(String udf, boolean text, String node, String reason) {
    @Override
    public String toString() {
      return "UDF '" + udf + "' stays row by row in " + node + ", because " + reason;
    }
  }

  /** Of a plan that stays as it is, but for the calls that were taken out of it. */
  Explanation(Set<Fallback> fallbacks) {
    this.fallbacks = fallbacks;
  }

  /** Explains a plan from which calls have been pulled out, and others taken out. */
  static Explanation of(Set<Fallback> fallbacks, LogicalPlan plan) {
    Explanation explanation = new Explanation(fallbacks);
    explanation.visitAll(plan, EndlessScans.areIn(plan) ? EndlessScans.WHY_ROW_WISE : null, true);
    return explanation;
  }

  /** Why a call stays row by row that only a device can compute; empty if there is none. */
  Optional<String> whyTextStays() {
    return notBatched.stream()
        .filter(NotBatched::text)
        .map(call -> "in this query " + call)
        .findFirst();
  }

  /** Logs one line per call, at a level that users see by default: they asked for it. */
  void log(ExplainMode mode) {
    if (mode == ExplainMode.NONE) {
      return;
    }
    misfits.forEach(LOG::warn);
    notBatched.forEach(call -> LOG.warn("{}", call));
    if (mode == ExplainMode.ALL) {
      batched.stream().map(Explanation::planned).distinct().forEach(LOG::warn);
    }
  }

  private static String planned(ScalaUDF call) {
    boolean given = Rapids.isGivenCalls(SQLConf.get()) && RapidsProjection.canHave(call);
    return "UDF '%s' is %s: %s%s"
        .formatted(
            GpuCalls.name(call),
            given ? "given to RAPIDS" : "batched",
            call.sql(),
            given ? "" : Travel.note(call));
  }

  /** Tells the application's load table which calls are not batched, each once. */
  void surface() {
    Set<Fallback> all = new LinkedHashSet<>(fallbacks);
    notBatched.forEach(call -> all.add(new Fallback(call.udf, call.reason)));
    DriverRuntime.current()
        .ifPresent(driver -> all.forEach(call -> driver.fallback(call.udf, call.reason)));
  }

  /**
   * @param whyAbove why no call is batched from here on, or null
   * @param atTop whether there are at most limits above the node
   */
  private void visitAll(LogicalPlan node, String whyAbove, boolean atTop) {
    if (RecursiveQueries.is(node)) {
      return; // its levels are explained as they run
    }
    String whyAll = whyAbove == null ? whyBelow(node, atTop) : whyAbove;
    if (SortedLimits.WHY_ROW_WISE.equals(whyAll) && SortedLimits.isGlobalSort(node)) {
      whyAll = null; // what is sorted may be batched
    }
    visit(node, whyAll);
    for (LogicalPlan child : Scala.<LogicalPlan>list(node.children())) {
      visitAll(child, whyAll, atTop && SortedLimits.isLimit(node));
    }
  }

  private static String whyBelow(LogicalPlan node, boolean atTop) {
    if (InputFiles.areAskedForBy(node)) {
      return InputFiles.WHY_ROW_WISE;
    }
    return !atTop && SortedLimits.is(node) ? SortedLimits.WHY_ROW_WISE : null;
  }

  private void visit(LogicalPlan node, String whyAll) {
    if (node instanceof BatchedUdfs udfs) {
      for (Expression call : Scala.<Expression>list(udfs.calls())) {
        ScalaUDF udf = (ScalaUDF) call;
        batched.add(udf);
        noteMisfit(udf);
        DeviceForm.flaw(GpuCalls.udf(udf))
            .ifPresent(why -> misfits.add("UDF '" + GpuCalls.name(udf) + "' " + why));
      }
      return;
    }
    for (Expression e : GpuCalls.expressions(node)) {
      visit(e, node, whyAll, new ArrayList<>());
    }
  }

  private void visit(Expression e, LogicalPlan node, String whyAll, List<Expression> above) {
    if (!GpuCalls.mayContainCalls(e)) {
      return;
    }
    if (GpuCalls.isCall(e)) {
      ScalaUDF call = (ScalaUDF) e;
      noteMisfit(call);
      notBatched.add(
          new NotBatched(
              GpuCalls.name(call),
              GpuCalls.language(call).isPresent(),
              node.nodeName(),
              GpuCalls.whyNever(call)
                  .or(() -> whyHere(above))
                  .orElseGet(() -> whyAll != null ? whyAll : whyIn(node, call))));
    }
    above.add(e);
    for (Expression child : Scala.<Expression>list(e.children())) {
      visit(child, node, whyAll, above);
    }
    above.remove(above.size() - 1);
  }

  /** No error: where there are no rows, there is nothing that fails. */
  private void noteMisfit(ScalaUDF call) {
    GpuCalls.misfit(call)
        .ifPresent(
            why ->
                misfits.add(
                    "UDF '" + GpuCalls.name(call) + "' cannot take what it is given: " + why));
  }

  private static Optional<String> whyHere(List<Expression> above) {
    for (int i = above.size() - 1; i >= 0; i--) {
      Expression e = above.get(i);
      if (e instanceof LambdaFunction) {
        return Optional.of("it stands in the lambda of a higher-order function");
      } else if (e instanceof PlanExpression) {
        return Optional.of("it stands in the condition of a correlated subquery");
      } else if (e instanceof TryEval) {
        return Optional.of("it stands in a try_ function, which catches errors row by row");
      } else if (isConditional(e) && !e.deterministic()) {
        return Optional.of(
            "it is evaluated only if a non-deterministic part of " + e.sql() + " says so");
      }
    }
    return Optional.empty();
  }

  private static boolean isConditional(Expression e) {
    return e instanceof ConditionalExpression
        || GuardedCalls.endsEarly(e)
        || e instanceof And
        || e instanceof Or
        || e instanceof AggregateExpression;
  }

  private static String whyIn(LogicalPlan node, ScalaUDF call) {
    if (!OperatorCalls.isSupported(node)) {
      return "calls are not pulled out of this operator";
    }
    if (StreamJoins.is(node)) {
      return StreamJoins.WHY_ROW_WISE;
    }
    if (node instanceof Filter filter && PartitionFilters.choosesFiles(call, filter.child())) {
      return PartitionFilters.WHY_ROW_WISE;
    }
    if (node instanceof Join join) {
      return "it refers to both sides of a "
          + join.joinType().sql()
          + " join, whose condition decides which rows are padded";
    }
    return "an argument of it is not batched";
  }
}
