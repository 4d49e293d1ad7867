package io.github.sparkgpusched.device.host;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.CallFailedException;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.UdfParameters;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.memory.SparkOutOfMemoryError;

/**
 * What is thrown where a call fails on a core, the same whether its row is computed in a batch or
 * alone.
 *
 * @param call what is computed
 * @param udf its UDF
 */
public record CallErrors(UdfCall call, GpuUdf udf) {
  private static final int MOST_ARGUMENT_CHARS = 80;

  /**
   * Whether what was thrown is the UDF's: as in plain Spark, anything, be it no memory or an error
   * of a class of its own. Only where Spark itself refuses memory, that is no fault of a UDF.
   */
  public static boolean isOfUdf(Throwable error) {
    return !(error instanceof SparkOutOfMemoryError);
  }

  /** Throws what is not the UDF's as it is. */
  public static void passOn(Throwable error) {
    if (!isOfUdf(error)) {
      throw (SparkOutOfMemoryError) error;
    }
  }

  /**
   * The UDF threw.
   *
   * @param row that it was computed for, as {@link #row} gives it
   */
  public CallFailedException failed(String row, Throwable cause) {
    return failed(" failed for ", row, cause);
  }

  /** Its cost hint threw. */
  CallFailedException costHintFailed(String row, Throwable cause) {
    return failed(" has a cost hint that failed for ", row, cause);
  }

  /**
   * It returned an object that is not of its result's type.
   *
   * @param type the object's class
   */
  public CallFailedException wrongResult(String row, String type, Throwable cause) {
    return failure(
        " is registered with result type "
            + call.resultType().simpleString()
            + ", but returned a "
            + type
            + " for "
            + row
            + ": register it with the type that it returns",
        cause);
  }

  /**
   * A row for messages.
   *
   * @param arguments the call's, as text
   */
  public String row(List<String> arguments) {
    return arguments.stream()
        .map(CallErrors::shortened)
        .collect(Collectors.joining(", ", call.name() + "(", ")"));
  }

  private CallFailedException failed(String how, String row, Throwable cause) {
    return failure(how + row + ": " + cause + misfit(cause), cause);
  }

  /** A failed cast is explained where the UDF is given what it does not take. */
  private String misfit(Throwable cause) {
    return cause instanceof ClassCastException
        ? UdfParameters.behind(cause.getMessage(), udf.getClass(), call.argumentTypes())
            .map(why -> " (" + why + ")")
            .orElse("")
        : "";
  }

  private CallFailedException failure(String how, Throwable cause) {
    String name = udf.getClass().getName();
    return new CallFailedException(
        call,
        udf.getClass().getSimpleName(),
        "UDF '" + call.name() + "' (" + name + ")" + how,
        cause);
  }

  private static String shortened(String text) {
    return text.length() <= MOST_ARGUMENT_CHARS
        ? text
        : text.substring(0, MOST_ARGUMENT_CHARS) + "…";
  }
}
