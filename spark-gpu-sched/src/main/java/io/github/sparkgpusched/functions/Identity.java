package io.github.sparkgpusched.functions;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.DoubleColumn;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.ResultColumn;
import java.util.Optional;
import org.apache.spark.sql.api.java.UDF1;

/**
 * Gives its argument back: what it costs is what batching costs. Null gives null. Stateless; see
 * {@link GpuUdf} for threads.
 */
public final class Identity implements UDF1<Double, Double>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public Double call(Double value) {
    return value;
  }

  @Override
  public Optional<BatchMethod> batchMethod() {
    return Optional.of(Identity::batch);
  }

  @Override
  public boolean mayRunTwice() {
    return true;
  }

  @Override
  public Optional<CudaSource> cuda() {
    return Optional.of(CudaSource.resource("identity.cu", "identity"));
  }

  private static void batch(Columns arguments, int from, int until, ResultColumn out) {
    DoubleColumn values = arguments.doubles(0);
    for (int row = from; row < until; row++) {
      out.setDouble(row, values.get(row));
    }
  }
}
