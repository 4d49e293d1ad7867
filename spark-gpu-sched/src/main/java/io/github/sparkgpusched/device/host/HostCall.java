package io.github.sparkgpusched.device.host;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.GpuUdfException;
import io.github.sparkgpusched.columnar.ArgumentColumns;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.BatchTooLargeException;
import io.github.sparkgpusched.columnar.ResultWriter;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.UdfCaller;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * One thread's way to compute ranges of one call on the CPU: by the UDF's batch method if it has
 * one, else row by row through {@code call} with the objects that Spark would pass. Not
 * thread-safe; every thread has its own, with its own copy of the UDF.
 */
public final class HostCall {
  private final UdfCall call;
  private final GpuUdf udf;
  private final BatchMethod batchMethod;
  private final CallColumns columns;
  private final ArgumentColumns arguments;
  private final ResultWriter out;
  private final ArgumentReader[] readers;
  private final RowCodec.ResultSetter setter;
  private final BooleanSupplier cancelled;
  private long batch = -1;

  /**
   * @param call what is computed
   * @param udf this thread's copy of the call's UDF
   * @param columns where arguments are read and results written
   * @param memory where this thread's string results live
   * @param cancelled true once the task is killed; asked between rows
   */
  public HostCall(
      UdfCall call,
      GpuUdf udf,
      CallColumns columns,
      BatchMemory memory,
      BooleanSupplier cancelled) {
    this.call = call;
    this.udf = udf;
    this.columns = columns;
    this.arguments = columns.arguments();
    this.cancelled = cancelled;
    this.out = new ResultWriter(columns.result(), memory);
    Optional<BatchMethod> method = Objects.requireNonNull(udf.batchMethod(), "batchMethod()");
    this.batchMethod = method.orElse(null);
    this.readers = new ArgumentReader[columns.count()];
    for (int i = 0; i < readers.length; i++) {
      readers[i] = RowCodec.reader(call.argumentTypes().get(i));
    }
    this.setter = RowCodec.setter(call.resultType());
  }

  /**
   * Begins a batch, unless this thread was already at it; strings of the batch before are
   * forgotten.
   */
  public void beginBatch(long number) {
    if (batch != number) {
      batch = number;
      out.beginBatch();
    }
  }

  /** Computes rows {@code [from, until)} of the current batch. */
  public void run(int from, int until) {
    if (!columns.maySkip()) {
      compute(from, until);
      return;
    }
    int row = from;
    while (row < until) {
      while (row < until && columns.skips(row)) {
        row++;
      }
      int end = row;
      while (end < until && !columns.skips(end)) {
        end++;
      }
      if (end > row) {
        compute(row, end);
      }
      row = end;
    }
  }

  /** Computes a range of which every row is to be computed. */
  private void compute(int from, int until) {
    out.beginRange(from, until);
    if (batchMethod == null) {
      computeRows(from, until);
      return;
    }
    try {
      batchMethod.compute(arguments, from, until, out);
    } catch (BatchTooLargeException e) {
      throw e;
    } catch (Exception | LinkageError | AssertionError e) {
      throw failed(failingRow(from, until), e);
    }
  }

  private void computeRows(int from, int until) {
    Object[] values = new Object[readers.length];
    for (int row = from; row < until; row++) {
      if (cancelled.getAsBoolean()) {
        throw new CancellationException("the task was killed");
      }
      Object result;
      try {
        for (int i = 0; i < readers.length; i++) {
          BatchColumn column = columns.argument(i);
          values[i] = column.isNull(row) ? null : readers[i].read(column, row);
        }
        result = UdfCaller.call(udf, values);
      } catch (Exception | LinkageError | AssertionError e) {
        throw failed(row, e);
      }
      if (result != null) {
        try {
          setter.set(out, row, result);
        } catch (BatchTooLargeException e) {
          throw e;
        } catch (RuntimeException e) {
          throw new GpuUdfException(
              "UDF '"
                  + call.name()
                  + "' ("
                  + udf.getClass().getName()
                  + ") is registered with result type "
                  + call.resultType().simpleString()
                  + ", but returned a "
                  + result.getClass().getName()
                  + " for "
                  + describe(row)
                  + ": register it with the type that it returns",
              e);
        }
      }
    }
  }

  /** The first row of a failed range on which the batch method fails alone, or -1 if none does. */
  private int failingRow(int from, int until) {
    for (int row = from; row < until; row++) {
      if (cancelled.getAsBoolean()) {
        return -1;
      }
      try {
        out.beginRange(row, row + 1);
        batchMethod.compute(arguments, row, row + 1, out);
      } catch (Exception | LinkageError | AssertionError e) {
        return row;
      }
    }
    return -1;
  }

  /** What to throw if the UDF's cost hint throws. */
  public GpuUdfException costHintFailed(int row, Exception cause) {
    return failed("has a cost hint that failed for ", row, cause);
  }

  private GpuUdfException failed(int row, Throwable cause) {
    return failed("failed for ", row, cause);
  }

  private GpuUdfException failed(String how, int row, Throwable cause) {
    return new GpuUdfException(
        "UDF '"
            + call.name()
            + "' ("
            + udf.getClass().getName()
            + ") "
            + how
            + (row < 0 ? "a range of rows, on no row alone" : describe(row))
            + ": "
            + cause,
        cause);
  }

  private String describe(int row) {
    StringBuilder text = new StringBuilder(call.name()).append('(');
    for (int i = 0; i < readers.length; i++) {
      BatchColumn column = columns.argument(i);
      text.append(i == 0 ? "" : ", ")
          .append(column.isNull(row) ? "null" : shortened(readers[i].read(column, row)));
    }
    return text.append(')').toString();
  }

  private static String shortened(Object value) {
    String text = value instanceof byte[] bytes ? bytes.length + " bytes" : String.valueOf(value);
    return text.length() <= 80 ? text : text.substring(0, 80) + "…";
  }
}
