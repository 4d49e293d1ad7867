package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.ColumnVector;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.cuda.ForeignGpu;
import io.github.sparkgpusched.device.cuda.ForeignJob;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call of a UDF on cuDF's columns: by its CUDA function where they lie, or, where that cannot be
 * had, by its Java form on copies of them. One thread's at a time.
 */
public final class ColumnCall {
  private static final Logger LOG = LoggerFactory.getLogger(ColumnCall.class);

  private final UdfCall call;
  private final GpuUdf udf;
  private final Function<Object[], Object> rowForm;
  private final Consumer<InnerLoad> counted;

  /**
   * @param udf a copy that no other thread uses
   * @param rowForm computes a row by its Java form, of arguments as Spark passes them, by the
   *     call's rule on nulls; throws what the UDF throws
   * @param counted is told what the blocks of threads of all kernels have counted
   */
  public ColumnCall(
      UdfCall call, GpuUdf udf, Function<Object[], Object> rowForm, Consumer<InnerLoad> counted) {
    this.call = call;
    this.udf = udf;
    this.rowForm = rowForm;
    this.counted = counted;
  }

  /**
   * The results of so many rows. What cuDF throws passes through, with all that was allocated given
   * back: its callers try again when memory was short.
   *
   * @param arguments stay the caller's
   * @return the caller's, to be closed by it
   * @throws IllegalArgumentException if the columns are not those of the call
   * @throws IllegalStateException if the GPU fails
   */
  public ColumnVector evaluate(int rows, ColumnVector... arguments) {
    check(rows, arguments);
    ForeignGpu gpu = CudfGpu.current();
    if (rows == 0 || gpu == null) {
      return hostRows().all(rows, arguments);
    }
    Optional<String> whyNot = gpu.whyNot(call, udf);
    if (whyNot.isPresent()) {
      LOG.debug("UDF '{}' is computed by its Java form: {}", call.name(), whyNot.get());
      return hostRows().all(rows, arguments);
    }
    try (Owned owned = new Owned()) {
      ForeignJob job = gpu.job(call, udf, rows);
      Evaluation evaluation = new Evaluation(owned, gpu, call, job, rows, arguments);
      evaluation.compute();
      counted.accept(job.check(evaluation.jobPart()));
      return evaluation.hasLeftRows()
          ? hostRows().left(evaluation.onHost(), rows, arguments)
          : evaluation.column();
    } catch (JobRefusedException e) {
      LOG.debug("UDF '{}' is computed by its Java form: {}", call.name(), e.getMessage());
      return hostRows().all(rows, arguments);
    } catch (DeviceFailedException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private HostRows hostRows() {
    return new HostRows(call, udf, rowForm);
  }

  private void check(int rows, ColumnVector... arguments) {
    int wanted = call.argumentTypes().size();
    if (arguments.length != wanted) {
      throw new IllegalArgumentException(
          "UDF '%s' was given %s columns instead of %s"
              .formatted(call.name(), arguments.length, wanted));
    }
    for (ColumnVector argument : arguments) {
      if (argument.getRowCount() != rows) {
        throw new IllegalArgumentException(
            "UDF '%s' was given a column of %s rows instead of %s"
                .formatted(call.name(), argument.getRowCount(), rows));
      }
    }
  }
}
