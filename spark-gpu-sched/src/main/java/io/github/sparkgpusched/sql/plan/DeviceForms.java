package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.api.GpuUdfException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** Takes one side of each {@link DeviceOrElse} of a plan. */
final class DeviceForms {
  private DeviceForms() {}

  /**
   * Refuses a plan with a call of a UDF that gives null as its form for devices.
   *
   * @throws GpuUdfException if there is one
   */
  static void require(LogicalPlan plan) {
    visit(
        plan,
        part -> {
          if (GpuCalls.isCall(part)) {
            ScalaUDF call = (ScalaUDF) part;
            DeviceForm.requireNotNull(GpuCalls.udf(call), GpuCalls.name(call));
          }
        });
  }

  /** The plan with the calls of functions that are text. */
  static LogicalPlan onDevices(LogicalPlan plan) {
    return replace(
        plan,
        e -> {
          Expression chosen = e instanceof DeviceOrElse both ? both.onDevice() : e;
          return chosen instanceof DeviceCall call ? call.call() : chosen;
        });
  }

  /** The calls that a plan loses by {@link #fallBack}. */
  static Set<Explanation.Fallback> fallbacks(LogicalPlan plan, String reason) {
    Set<Explanation.Fallback> fallbacks = new LinkedHashSet<>();
    visit(
        plan,
        part -> {
          if (part instanceof DeviceCall call) {
            String why =
                "its other form computes them, as no device computes its %s function: %s"
                    .formatted(call.language(), reason);
            fallbacks.add(new Explanation.Fallback(GpuCalls.name(call.call()), why));
          }
        });
    return fallbacks;
  }

  /**
   * The plan without calls of functions that are text.
   *
   * @param reason why devices cannot compute them
   * @throws GpuUdfException if one has no other form
   */
  static LogicalPlan fallBack(LogicalPlan plan, String reason) {
    LogicalPlan without = replace(plan, e -> e instanceof DeviceOrElse both ? both.otherwise() : e);
    return replace(
        without,
        e -> {
          if (e instanceof DeviceCall call) {
            throw new GpuUdfException(
                "'"
                    + GpuCalls.name(call.call())
                    + "' has a "
                    + call.language()
                    + " function alone, and no device computes it here: "
                    + reason,
                null);
          }
          return e;
        });
  }

  private static void visit(LogicalPlan plan, Consumer<Expression> visitor) {
    plan.foreach(
        node -> {
          for (Expression expression : GpuCalls.expressions(node)) {
            expression.foreach(
                part -> {
                  visitor.accept(part);
                  return scala.runtime.BoxedUnit.UNIT;
                });
          }
          return scala.runtime.BoxedUnit.UNIT;
        });
  }

  private static LogicalPlan replace(LogicalPlan plan, Function<Expression, Expression> f) {
    return areIn(plan)
        ? plan.transformAllExpressions(Scala.<Expression, Expression>total(f))
        : plan;
  }

  /** Of the calls of functions that are text. */
  static Set<String> languages(LogicalPlan plan) {
    Set<String> languages = new TreeSet<>();
    visit(
        plan,
        part -> {
          if (part instanceof DeviceCall call) {
            languages.add(call.language());
          }
        });
    return languages;
  }

  /**
   * True if a plan has sides to take, or calls of functions that are text that have one side only.
   */
  static boolean areIn(LogicalPlan plan) {
    return plan.exists(DeviceForms::has);
  }

  private static boolean has(LogicalPlan node) {
    return GpuCalls.expressions(node).stream()
        .anyMatch(
            e -> e.exists(part -> part instanceof DeviceOrElse || part instanceof DeviceCall));
  }
}
