package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.config.QueryKeys;
import io.github.sparkgpusched.device.UdfParameters;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.rules.UnknownRuleId$;
import org.apache.spark.sql.catalyst.trees.TreePattern$;
import org.apache.spark.sql.types.DataType;

/**
 * Analysis: finds calls whose UDF is a {@link GpuUdf} and marks them with a {@link
 * RowWiseFunction}. Runs before the optimizer, so that constant folding and every other place that
 * evaluates the call row by row keeps the rule on nulls. Leaves alone what {@link Rapids} owns.
 */
public final class MarkGpuUdfs extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (!GpuCalls.mayContainCalls(plan)) {
      return plan;
    }
    // Where the plugin is off, Spark computes calls on the driver as it likes.
    boolean local = SessionConfig.get(conf(), QueryKeys.ENABLED) && mayReadLocalRows(plan);
    return plan.resolveExpressionsWithPruning(
        GpuCalls::mayContainCalls,
        UnknownRuleId$.MODULE$,
        Scala.<Expression, Expression>total(e -> mark(e, local)));
  }

  /** A CTE is put in its place after this rule, and may read rows of the driver then. */
  private static boolean mayReadLocalRows(LogicalPlan plan) {
    return (plan.containsPattern(TreePattern$.MODULE$.LOCAL_RELATION())
            || plan.containsPattern(TreePattern$.MODULE$.CTE()))
        && !RecursiveQueries.areIn(plan);
  }

  private Expression mark(Expression expression, boolean local) {
    // What is not resolved has no types yet, or never: then Spark says what is wrong with it.
    if (expression instanceof ScalaUDF call
        && call.childrenResolved()
        && !(call.function() instanceof RowWiseFunction)) {
      GpuUdf udf = gpuUdfBehind(call.function());
      if (udf != null && !Rapids.owns(udf, conf())) {
        return marked(call, udf, local);
      }
    }
    return expression;
  }

  private static Expression marked(ScalaUDF call, GpuUdf udf, boolean local) {
    List<DataType> types =
        Scala.<Expression>list(call.children()).stream().map(Expression::dataType).toList();
    ScalaUDF marked =
        new NamedScalaUdf(
            new RowWiseFunction(
                udf,
                // A UDF that promises to return no null is called for nulls: its column cannot
                // hold one.
                call.nullable() && !udf.takesNulls(),
                UdfParameters.mismatch(udf.getClass(), types).orElse(null)),
            call.dataType(),
            call.children(),
            call.inputEncoders(),
            call.outputEncoder(),
            call.udfName(),
            call.nullable(),
            call.udfDeterministic());
    return local ? LocalScalaUdf.of(marked) : marked;
  }

  /**
   * Spark wraps a Java UDF in a serializable lambda that captures it: looks through that. What a
   * function of the user captures is called by that function, which may do anything besides.
   */
  private static GpuUdf gpuUdfBehind(Object function) {
    if (function instanceof GpuUdf udf) {
      return udf;
    }
    if (!function.getClass().isSynthetic() && !function.getClass().isHidden()) {
      return null;
    }
    try {
      Method writeReplace = function.getClass().getDeclaredMethod("writeReplace");
      writeReplace.setAccessible(true);
      return writeReplace.invoke(function) instanceof SerializedLambda lambda
              && isSparks(lambda)
              && lambda.getCapturedArg(0) instanceof GpuUdf udf
          ? udf
          : null;
    } catch (ReflectiveOperationException | RuntimeException e) {
      // A lambda that cannot be looked into is not one of Spark's around a Java UDF.
      return null;
    }
  }

  /** Made by {@code UDFRegistration}, {@code functions} or, since Spark 4, {@code ToScalaUDF}. */
  private static boolean isSparks(SerializedLambda lambda) {
    return lambda.getCapturingClass().startsWith("org/apache/spark/sql/")
        && lambda.getCapturedArgCount() == 1;
  }
}
