package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;

/** A GPU UDF that is measured by its {@code call} alone. */
abstract class WithoutBatchMethod implements GpuUdf {
  @Override
  public CudaSource cuda() {
    return CudaSource.text("__device__ int unused() { return 0; }", "unused");
  }
}
