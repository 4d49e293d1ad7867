package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.ColumnType;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.types.DataType;

/** Questions about calls of GPU UDFs in expressions. */
public final class GpuCalls {
  private GpuCalls() {}

  static boolean isCall(Expression expression) {
    return expression instanceof ScalaUDF udf && udf.function() instanceof RowWiseFunction;
  }

  static boolean containsCall(Expression expression) {
    return expression.exists(GpuCalls::isCall);
  }

  static boolean anyArgumentContainsCall(Expression call) {
    return Scala.list(call.children()).stream().anyMatch(GpuCalls::containsCall);
  }

  /** The UDF of a call. */
  public static GpuUdf udf(ScalaUDF call) {
    return ((RowWiseFunction) call.function()).udf();
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
              + call.dataType().simpleString()
              + " is none of boolean, byte, short, int, long, float, double, date, timestamp,"
              + " string");
    }
    List<Expression> arguments = Scala.list(call.children());
    for (int i = 0; i < arguments.size(); i++) {
      DataType type = arguments.get(i).dataType();
      if (ColumnType.ofArgument(type).isEmpty()) {
        return Optional.of(
            "its argument "
                + i
                + " is of type "
                + type.simpleString()
                + ", none of boolean, byte, short, int, long, float, double, date, timestamp,"
                + " string, binary, and arrays of the fixed-width ones");
      }
    }
    return Optional.empty();
  }
}
