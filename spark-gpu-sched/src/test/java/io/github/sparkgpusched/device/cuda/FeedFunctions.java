package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import java.util.Optional;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;

/** Functions that do next to nothing, of one and two doubles, for {@link FeedBench}. */
final class FeedFunctions {
  private FeedFunctions() {}

  static final class Twice implements UDF1<Double, Double>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Double call(Double value) {
      return 2 * value;
    }

    @Override
    public Optional<CudaSource> cuda() {
      return Optional.of(
          CudaSource.text("__device__ double twice(double x) { return 2 * x; }", "twice"));
    }
  }

  static final class Plus implements UDF2<Double, Double, Double>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Double call(Double left, Double right) {
      return left + right;
    }

    @Override
    public Optional<CudaSource> cuda() {
      return Optional.of(
          CudaSource.text("__device__ double plus(double x, double y) { return x + y; }", "plus"));
    }
  }
}
