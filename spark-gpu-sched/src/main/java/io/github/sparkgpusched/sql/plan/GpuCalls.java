package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.ColumnType;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreePattern$;
import org.apache.spark.sql.catalyst.trees.TreePatternBits;
import org.apache.spark.sql.types.DataType;

/** Questions about calls of GPU UDFs in expressions. */
public final class GpuCalls {
  /** Characters that a message has of a type. */
  private static final int MOST_OF_A_TYPE = 100;

  private GpuCalls() {}

  static boolean isCall(Expression expression) {
    return expression instanceof ScalaUDF udf && udf.function() instanceof RowWiseFunction;
  }

  static boolean containsCall(Expression expression) {
    return mayContainCalls(expression) && expression.exists(GpuCalls::isCall);
  }

  /** False of plans and expressions without any UDF of Java or Scala, which Spark knows at once. */
  static boolean mayContainCalls(TreePatternBits tree) {
    return tree.containsPattern(TreePattern$.MODULE$.SCALA_UDF());
  }

  /** Those of a node's expressions that may contain calls. */
  static List<Expression> expressions(LogicalPlan node) {
    return mayContainCalls(node)
        ? Scala.<Expression>list(node.expressions()).stream()
            .filter(GpuCalls::mayContainCalls)
            .toList()
        : List.of();
  }

  static boolean anyArgumentContainsCall(Expression call) {
    return call.children().exists(GpuCalls::containsCall);
  }

  /** The UDF of a call. */
  public static GpuUdf udf(ScalaUDF call) {
    return ((RowWiseFunction) call.function()).udf();
  }

  /**
   * Why a call fails on every row without a null argument, as far as that is certain. A batch
   * method takes columns, whatever {@code call} takes.
   */
  static Optional<String> misfit(ScalaUDF call) {
    Optional<String> misfit = ((RowWiseFunction) call.function()).misfit();
    return misfit.isPresent() && hasBatchMethod(udf(call)) ? Optional.empty() : misfit;
  }

  /** Whether a UDF has a batch method, or gives null for it, which fails later. */
  public static boolean hasBatchMethod(GpuUdf udf) {
    Optional<BatchMethod> method = udf.batchMethod();
    return method == null || method.isPresent();
  }

  /** The name that the query uses for a call. */
  public static String name(ScalaUDF call) {
    return call.udfName().isDefined() ? call.udfName().get() : udf(call).getClass().getSimpleName();
  }

  /** Why a call can be batched nowhere, or empty if it can where its surroundings allow. */
  static Optional<String> whyNever(ScalaUDF call) {
    if (!call.udfDeterministic()) {
      return Optional.of("it is registered as non-deterministic");
    }
    if (!call.nullable() && !udf(call).takesNulls()) {
      return Optional.of("it is registered as never null, but gives null for null arguments");
    }
    if (ColumnType.ofResult(call.dataType()).isEmpty()) {
      return Optional.of(
          "its result type "
              + shortened(call.dataType())
              + " is none of "
              + ColumnType.resultTypes());
    }
    List<Expression> arguments = Scala.list(call.children());
    for (int i = 0; i < arguments.size(); i++) {
      DataType type = arguments.get(i).dataType();
      if (ColumnType.ofArgument(type).isEmpty()) {
        return Optional.of(
            "its argument "
                + (i + 1)
                + " is of type "
                + shortened(type)
                + ", none of "
                + ColumnType.argumentTypes());
      }
    }
    return Optional.empty();
  }

  /** A type for a line of text: of a struct Spark itself leaves out only the 26th field and on. */
  private static String shortened(DataType type) {
    String text = type.simpleString();
    return text.length() <= MOST_OF_A_TYPE ? text : text.substring(0, MOST_OF_A_TYPE) + "…";
  }

  /**
   * Whether devices of all kinds give the same bits for a call. No, if its device form cannot be
   * had on the driver: executors may have it.
   */
  public static boolean exact(ScalaUDF call) {
    try {
      return DeviceForm.isExact(udf(call));
    } catch (RuntimeException | LinkageError e) {
      return false;
    }
  }

  /** Whether a call's function is given as text, which no core computes. */
  public static boolean isText(Expression call) {
    return language((ScalaUDF) call).isPresent();
  }

  /** The language of the text that a call's function is given as, or empty if it is no text. */
  static Optional<String> language(ScalaUDF call) {
    return udf(call) instanceof TextUdf text ? Optional.of(text.language()) : Optional.empty();
  }
}
