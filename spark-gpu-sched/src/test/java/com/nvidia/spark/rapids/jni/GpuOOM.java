package com.nvidia.spark.rapids.jni;

/**
 * In place of the RAPIDS Accelerator's exception of this name, after which it does not try again.
 */
public final class GpuOOM extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public GpuOOM(String message) {
    super(message);
  }
}
