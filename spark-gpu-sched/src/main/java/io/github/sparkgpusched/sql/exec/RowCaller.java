package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.GpuUdfException;
import io.github.sparkgpusched.columnar.CatalystText;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.UdfPattern;
import io.github.sparkgpusched.device.host.CallErrors;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.TaskContext;

/**
 * What generated code needs besides itself to call a UDF row by row: a copy of the UDF, and the
 * errors. Travels to tasks; there, one thread's.
 */
public final class RowCaller implements Serializable {
  private static final long serialVersionUID = 1L;

  private final UdfCall call;
  private final String udfClass;
  private final UdfPattern pattern;
  private transient GpuUdf udf;

  RowCaller(UdfCall call, String udfClass, UdfPattern pattern) {
    this.call = call;
    this.udfClass = udfClass;
    this.pattern = pattern;
  }

  /** Name of the UDF's class. */
  String udfClass() {
    return udfClass;
  }

  UdfCall call() {
    return call;
  }

  /**
   * This task's copy of the UDF.
   *
   * @throws GpuUdfException if it cannot be copied
   */
  public GpuUdf udf() {
    if (udf == null) {
      try {
        GpuUdf copy = pattern.copy(Thread.currentThread().getContextClassLoader());
        // Batches need them; a rule that is broken should not be found out by chance.
        Objects.requireNonNull(copy.batchMethod(), "batchMethod()");
        Objects.requireNonNull(copy.costHint(), "costHint()");
        udf = copy;
      } catch (Exception | LinkageError e) {
        // Exception: Spark's serializer is Scala and declares none of what it throws.
        throw new GpuUdfException(
            "UDF '" + call.name() + "' cannot be set up on an executor: " + e, e);
      }
    }
    return udf;
  }

  /**
   * What to throw where the UDF threw, or gave an object of a class that is not its result type's.
   * An error that is no fault of a UDF is thrown as it is.
   *
   * @param arguments of the row, as Spark holds them
   * @param result what it gave, or null if it threw
   */
  public RuntimeException failed(Object[] arguments, Object result, Throwable error) {
    if (!CallErrors.isOfUdf(error)) {
      throw RowCaller.<RuntimeException>unchecked(error);
    }
    TaskContext task = TaskContext.get();
    if (task != null && task.isInterrupted()) {
      task.killTaskIfInterrupted();
    }
    CallErrors errors = new CallErrors(call, udf);
    throw UdfErrors.asSparks(
        result == null
            ? errors.failed(describe(arguments), error)
            : errors.wrongResult(describe(arguments), result.getClass().getName(), error));
  }

  private String describe(Object[] arguments) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      values.add(CatalystText.of(arguments[i], call.argumentTypes().get(i)));
    }
    return new CallErrors(call, udf).row(values);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E unchecked(Throwable e) throws E {
    throw (E) e;
  }
}
