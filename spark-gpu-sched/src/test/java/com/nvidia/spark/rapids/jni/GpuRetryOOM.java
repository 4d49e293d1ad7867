package com.nvidia.spark.rapids.jni;

/**
 * In place of the RAPIDS Accelerator's exception of this name, after which it tries again with more
 * memory.
 */
public final class GpuRetryOOM extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public GpuRetryOOM(String message) {
    super(message);
  }
}
