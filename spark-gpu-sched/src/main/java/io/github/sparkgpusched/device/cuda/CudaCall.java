package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.ResultWriter;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.host.CallColumns;

/**
 * One call of a job, as the owner's thread of a CUDA device computes it.
 *
 * @param call what is computed
 * @param udf a copy of its UDF
 * @param columns its columns
 * @param results writes string results, on the owner's thread
 * @param host computes the rows that a CUDA function cannot be given, on the owner's thread
 */
public record CudaCall(
    UdfCall call, GpuUdf udf, CallColumns columns, ResultWriter results, HostRows host) {
  /** The host form of a call. */
  @FunctionalInterface
  public interface HostRows {
    /** Computes rows {@code [from, until)} of the batch. */
    void run(int from, int until);
  }
}
