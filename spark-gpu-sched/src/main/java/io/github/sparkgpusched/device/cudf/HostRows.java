package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostMemoryBuffer;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.CatalystText;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.host.CallErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import scala.Function1;

/**
 * Rows by a call's Java form, on copies of cuDF's columns in host memory: those that its CUDA
 * function leaves, or all. One thread's.
 */
final class HostRows {
  /** A row's state where it is left (columns.cuh); other states are 0 for null and 1. */
  private static final byte LEFT = 2;

  private static final byte VALID = 1;

  /**
   * What the device has computed.
   *
   * @param states a byte a row
   * @param values of rows; of strings their extents
   * @param heap of strings; else null
   */
  record Computed(HostMemoryBuffer states, HostMemoryBuffer values, HostMemoryBuffer heap) {}

  private final UdfCall call;
  private final Function<Object[], Object> form;
  private final CallErrors errors;
  private final List<Function1<Object, Object>> toJava = new ArrayList<>();
  private final Function1<Object, Object> toCatalyst;

  HostRows(UdfCall call, GpuUdf udf, Function<Object[], Object> form) {
    this.call = call;
    this.form = form;
    this.errors = new CallErrors(call, udf);
    for (DataType type : call.argumentTypes()) {
      toJava.add(CatalystTypeConverters.createToScalaConverter(type));
    }
    toCatalyst = CatalystTypeConverters.createToCatalystConverter(call.resultType());
  }

  /** All rows. */
  ColumnVector all(int rows, ColumnVector... arguments) {
    return left(null, rows, arguments);
  }

  /**
   * The rows that the device has left, between those that it has computed.
   *
   * @param computed null if it has computed none
   */
  ColumnVector left(Computed computed, int rows, ColumnVector... arguments) {
    try (Owned owned = new Owned()) {
      List<HostColumnVector> columns = new ArrayList<>();
      for (int i = 0; i < arguments.length; i++) {
        check(arguments[i], i);
        columns.add(owned.add(arguments[i].copyToHost()));
      }
      ResultBuilder results = owned.add(new ResultBuilder(call, rows));
      for (int row = 0; row < rows; row++) {
        byte state = computed == null ? LEFT : computed.states().getByte(row);
        if (state == LEFT) {
          results.append(compute(columns, row));
        } else if (state == VALID) {
          results.appendComputed(computed, row);
        } else {
          results.append(null);
        }
      }
      return results.onDevice();
    }
  }

  /** cuDF's Java classes take all offsets for ints, and would read other strings. */
  private void check(ColumnVector argument, int index) {
    if (call.argumentTypes().get(index) instanceof StringType
        && GivenArgument.offsetBytes(argument, argument.getData()) == Long.BYTES) {
      throw new IllegalStateException(
          "argument %s of UDF '%s' has strings of 2 GiB or more in a batch, which cuDF cannot copy"
                  .formatted(index + 1, call.name())
              + " to the host for the rows that are left to the UDF's Java form: make batches"
              + " smaller (spark.rapids.sql.batchSizeBytes)");
    }
  }

  /** A row's result, as Spark holds it. */
  private Object compute(List<HostColumnVector> columns, int row) {
    Object[] arguments = new Object[columns.size()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = toJava.get(i).apply(value(columns, i, row));
    }
    Object result;
    try {
      result = form.apply(arguments);
    } catch (Throwable e) {
      CallErrors.passOn(e);
      throw errors.failed(describe(columns, row), e);
    }
    try {
      return typed(toCatalyst.apply(result));
    } catch (RuntimeException e) {
      throw errors.wrongResult(describe(columns, row), result.getClass().getName(), e);
    }
  }

  private Object value(List<HostColumnVector> columns, int argument, int row) {
    return HostValues.get(columns.get(argument), call.argumentTypes().get(argument), row);
  }

  private String describe(List<HostColumnVector> columns, int row) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      texts.add(CatalystText.of(value(columns, i, row), call.argumentTypes().get(i)));
    }
    return errors.row(texts);
  }

  /** Spark's converters leave a value of another type as it is. */
  private Object typed(Object value) {
    return value == null ? null : HostValues.boxOf(call.resultType()).cast(value);
  }
}
