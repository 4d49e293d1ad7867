package io.github.sparkgpusched.functions;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.DoubleColumn;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.ResultColumn;
import java.util.Optional;
import org.apache.spark.sql.api.java.UDF3;

/**
 * {@code a * b + c} with two roundings, as Java and SQL compute it: not a fused multiply-add, which
 * rounds once and gives other last bits. A null argument gives null. Stateless; see {@link GpuUdf}
 * for threads.
 */
public final class MultiplyAdd implements UDF3<Double, Double, Double, Double>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public Double call(Double a, Double b, Double c) {
    return a == null || b == null || c == null ? null : (Double) (a * b + c);
  }

  @Override
  public Optional<BatchMethod> batchMethod() {
    return Optional.of(MultiplyAdd::batch);
  }

  @Override
  public boolean mayRunTwice() {
    return true;
  }

  @Override
  public Optional<CudaSource> cuda() {
    return Optional.of(CudaSource.resource("multiply_add.cu", "multiply_add"));
  }

  private static void batch(Columns arguments, int from, int until, ResultColumn out) {
    DoubleColumn a = arguments.doubles(0);
    DoubleColumn b = arguments.doubles(1);
    DoubleColumn c = arguments.doubles(2);
    for (int row = from; row < until; row++) {
      out.setDouble(row, a.get(row) * b.get(row) + c.get(row));
    }
  }
}
