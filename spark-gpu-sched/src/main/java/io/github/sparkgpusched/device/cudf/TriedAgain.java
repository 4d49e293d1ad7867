package io.github.sparkgpusched.device.cudf;

/** After which exceptions of a call RAPIDS comes again with the same rows. */
public final class TriedAgain {
  private TriedAgain() {}

  /**
   * True of RAPIDS' own of memory that is short (GpuRetryOOM, GpuSplitAndRetryOOM and so on), and
   * of cuDF's of a column that would be too large: there will be more memory, or fewer rows. By
   * their names, as RAPIDS' classes are not compiled against.
   */
  public static boolean isAfter(Throwable error) {
    String type = error.getClass().getName();
    return (type.startsWith("com.nvidia.spark.rapids.jni.") && type.endsWith("OOM"))
        || type.equals("ai.rapids.cudf.CudfColumnSizeOverflowException");
  }
}
