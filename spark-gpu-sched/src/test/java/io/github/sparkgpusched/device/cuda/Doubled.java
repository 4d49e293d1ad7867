package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import java.util.Optional;
import org.apache.spark.sql.api.java.UDF1;

/** A UDF whose CUDA source is a resource that a test makes. */
public final class Doubled implements UDF1<Double, Double>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public Double call(Double value) {
    return value == null ? null : 2 * value;
  }

  @Override
  public Optional<CudaSource> cuda() {
    return Optional.of(CudaSource.resource("doubled.cu", "doubled"));
  }
}
