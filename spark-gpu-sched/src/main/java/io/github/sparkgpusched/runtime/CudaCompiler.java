package io.github.sparkgpusched.runtime;

import java.io.Serializable;
import java.util.Objects;

/**
 * What an executor with GPUs tells the driver when it starts.
 *
 * @param executorId Spark's id of the executor
 * @param failure why it cannot compile CUDA functions, or empty if it can
 */
public record CudaCompiler(String executorId, String failure) implements Serializable {
  public CudaCompiler {
    Objects.requireNonNull(executorId, "executorId");
    Objects.requireNonNull(failure, "failure");
  }
}
