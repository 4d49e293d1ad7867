package io.github.sparkgpusched.device.cudf;

/** After which exceptions of a call RAPIDS comes again with the same rows. */
public final class TriedAgain {
  private TriedAgain() {}

  /**
   * True of RAPIDS' own of memory that is short (GpuRetryOOM, GpuSplitAndRetryOOM and so on): there
   * will be more. By their names, as RAPIDS' classes are not compiled against.
   */
  public static boolean isAfter(Throwable error) {
    String type = error.getClass().getName();
    return type.startsWith("com.nvidia.spark.rapids.jni.") && type.endsWith("OOM");
  }
}
