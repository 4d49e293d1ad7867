package io.github.sparkgpusched.device.host;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.ArgumentColumns;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.BatchTooLargeException;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.columnar.ResultWriter;
import io.github.sparkgpusched.device.CallFailedException;
import io.github.sparkgpusched.device.UdfCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * One thread's way to compute ranges of one call on the CPU: by the UDF's batch method if it has
 * one, else row by row through {@code call} with the objects that Spark would pass. Not
 * thread-safe; every thread has its own, with its own copy of the UDF.
 */
public final class HostCall {
  private final CallErrors errors;
  private final BatchMethod batchMethod;
  private final CallColumns columns;
  private final ArgumentColumns arguments;
  private final ResultWriter out;
  private final RowLoop rowLoop;
  private final BooleanSupplier cancelled;
  private long batch = -1;

  /**
   * @param call what is computed
   * @param udf this thread's copy of the call's UDF
   * @param columns where arguments are read and results written
   * @param memory where this thread's string results live
   * @param cancelled true once the task is killed; asked while the row that failed is looked for
   */
  public HostCall(
      UdfCall call,
      GpuUdf udf,
      CallColumns columns,
      BatchMemory memory,
      BooleanSupplier cancelled) {
    this.errors = new CallErrors(call, udf);
    this.columns = columns;
    this.arguments = columns.arguments();
    this.cancelled = cancelled;
    this.out = new ResultWriter(columns.result(), memory);
    Optional<BatchMethod> method = Objects.requireNonNull(udf.batchMethod(), "batchMethod()");
    this.batchMethod = method.orElse(null);
    this.rowLoop =
        batchMethod == null ? RowLoopCompiler.compile(call, udf, udf.takesNulls()) : null;
  }

  /** Whether the UDF has a batch method. */
  public boolean computesTogether() {
    return batchMethod != null;
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

  /** Forgets all results, and gives the memory of strings back. While no job runs. */
  public void releaseResults() {
    out.release();
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
    } catch (Throwable e) {
      CallErrors.passOn(e);
      throw failed(failingRow(from, until), e);
    }
  }

  private void computeRows(int from, int until) {
    try {
      rowLoop.run(columns.all(), out, from, until);
    } catch (BatchTooLargeException e) {
      throw e;
    } catch (RowLoop.WrongResult e) {
      throw errors.wrongResult(describe(rowLoop.row), e.type(), e.getCause());
    } catch (Throwable e) {
      CallErrors.passOn(e);
      throw failed(rowLoop.row, e);
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
      } catch (BatchTooLargeException e) {
        return -1; // by the results of the range, which are there twice now
      } catch (Throwable e) {
        CallErrors.passOn(e);
        return row;
      }
    }
    return -1;
  }

  /** What to throw if the UDF's cost hint throws. */
  public CallFailedException costHintFailed(int row, Exception cause) {
    return errors.costHintFailed(describe(row), cause);
  }

  private CallFailedException failed(int row, Throwable cause) {
    return errors.failed(row < 0 ? "a range of rows, on no row alone" : describe(row), cause);
  }

  private String describe(int row) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < columns.count(); i++) {
      values.add(columns.argument(i).describe(row));
    }
    return errors.row(values);
  }
}
