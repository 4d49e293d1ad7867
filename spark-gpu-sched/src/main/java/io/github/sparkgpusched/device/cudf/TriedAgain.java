package io.github.sparkgpusched.device.cudf;

/** After which exceptions of a call RAPIDS comes again with the same rows. */
public final class TriedAgain {
  private TriedAgain() {}

  /**
   * True of RAPIDS' own of memory that is short for now (GpuRetryOOM, GpuSplitAndRetryOOM, and the
   * same of the CPU); a GpuOOM is the end. By their names, as RAPIDS' classes are not compiled
   * against.
   */
  public static boolean isAfter(Throwable error) {
    String type = error.getClass().getName();
    return type.startsWith("com.nvidia.spark.rapids.jni.") && type.endsWith("RetryOOM");
  }
}
