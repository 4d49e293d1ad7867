package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.device.CallFailedException;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.shims.UdfFailure;
import io.github.sparkgpusched.sql.plan.Scala;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.SparkException;
import org.apache.spark.sql.types.DataType;

/** Gives a batched call that failed the error condition of Spark's row-wise calls. */
final class UdfErrors {
  private UdfErrors() {}

  /**
   * Throws what Spark throws where a UDF fails in a row: {@code FAILED_EXECUTE_UDF}, caused by what
   * the UDF threw. The reason is ours, which names the values of the row too.
   */
  static RuntimeException asSparks(CallFailedException failure) {
    UdfCall call = failure.call();
    java.util.Map<String, String> parameters =
        java.util.Map.of(
            "functionName", "`" + call.name() + " (" + failure.udfClass() + ")`",
            "signature",
                call.argumentTypes().stream()
                    .map(DataType::catalogString)
                    .collect(Collectors.joining(", ")),
            "result", call.resultType().catalogString(),
            "reason", failure.getMessage());
    SparkException sparks = UdfFailure.of(Scala.map(parameters), failure.getCause());
    for (Throwable later : failure.getSuppressed()) {
      sparks.addSuppressed(later); // what other threads met meanwhile
    }
    throw UdfErrors.<RuntimeException>unchecked(sparks);
  }

  /**
   * What went wrong in a UDF of such a name, in words; empty if an error is not of it.
   *
   * @param error what {@link #asSparks} threw, or anything else
   */
  @SuppressWarnings("deprecation") // getCondition, its new name, is not there before Spark 4
  static Optional<String> reason(Throwable error, String udf) {
    if (error instanceof SparkException sparks
        && UdfFailure.CONDITION.equals(sparks.getErrorClass())
        && sparks.getMessageParameters().get("functionName").startsWith("`" + udf + " (")) {
      return Optional.ofNullable(sparks.getMessageParameters().get("reason"));
    }
    return Optional.empty();
  }

  /** Spark's is a checked exception, which its iterators throw without a word. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E unchecked(Exception e) throws E {
    throw (E) e;
  }
}
