package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.api.GpuUdfException;
import io.github.sparkgpusched.runtime.DriverRuntime;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** Takes one side of each {@link CudaOrElse} of a plan. */
final class CudaForms {
  private CudaForms() {}

  /** The plan with the calls of CUDA texts. */
  static LogicalPlan onDevices(LogicalPlan plan) {
    return replace(
        plan,
        e -> {
          Expression chosen = e instanceof CudaOrElse both ? both.cuda() : e;
          return chosen instanceof DeviceCall call ? call.call() : chosen;
        });
  }

  /**
   * The plan without calls of CUDA texts; tells the load table of each.
   *
   * @param reason why devices cannot compute them
   * @throws GpuUdfException if one has no other form
   */
  static LogicalPlan fallBack(LogicalPlan plan, String reason) {
    LogicalPlan without =
        replace(
            plan,
            e -> {
              if (e instanceof CudaOrElse both) {
                both.cuda()
                    .foreach(
                        part -> {
                          tell(part, reason);
                          return scala.runtime.BoxedUnit.UNIT;
                        });
                return both.otherwise();
              }
              return e;
            });
    return replace(
        without,
        e -> {
          if (e instanceof DeviceCall call) {
            throw new GpuUdfException(
                "'"
                    + GpuCalls.name((ScalaUDF) call.call())
                    + "' has a CUDA function alone, and no GPU computes it here: "
                    + reason,
                null);
          }
          return e;
        });
  }

  private static void tell(Expression part, String reason) {
    if (part instanceof DeviceCall call) {
      DriverRuntime.current()
          .ifPresent(driver -> driver.fallback(GpuCalls.name((ScalaUDF) call.call()), reason));
    }
  }

  private static LogicalPlan replace(LogicalPlan plan, Function<Expression, Expression> f) {
    return areIn(plan)
        ? plan.transformAllExpressions(Scala.<Expression, Expression>total(f))
        : plan;
  }

  /** True if a plan has sides to take, or calls of CUDA texts that have one side only. */
  static boolean areIn(LogicalPlan plan) {
    return plan.exists(CudaForms::has);
  }

  private static boolean has(LogicalPlan node) {
    return Scala.list(node.expressions()).stream()
        .anyMatch(e -> e.exists(part -> part instanceof CudaOrElse || part instanceof DeviceCall));
  }
}
