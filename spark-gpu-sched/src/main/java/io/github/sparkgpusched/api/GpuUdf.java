package io.github.sparkgpusched.api;

import java.util.Optional;

/**
 * Marks an ordinary Spark Java UDF ({@code org.apache.spark.sql.api.java.UDF0} to {@code UDF22})
 * that the plugin may pull out of a query, batch, and balance over the devices of an executor.
 *
 * <pre>{@code
 * public final class Hypotenuse implements UDF2<Double, Double, Double>, GpuUdf {
 *   public Double call(Double a, Double b) {
 *     return a == null || b == null ? null : Math.sqrt(a * a + b * b);
 *   }
 *   @Override public Optional<CudaSource> cuda() {
 *     return Optional.of(CudaSource.resource("hypotenuse.cu", "hypotenuse"));
 *   }
 * }
 * }</pre>
 *
 * <p>It is registered and called as every Spark UDF is. Without the plugin Spark runs {@code call}
 * row by row; with it, {@code call}, {@link #batchMethod()} and the CUDA function are three forms
 * of one function and must agree bit for bit, unless the CUDA function is {@linkplain
 * CudaSource#notExact() not exact}.
 *
 * <p><b>Nulls.</b> Unless {@link #takesNulls()} is true, a null in any argument gives null and the
 * function is not called. Spark alone does not know this rule: let {@code call} return null when an
 * argument is null, so that the answers without the plugin are the same.
 *
 * <p><b>Threads.</b> An instance is never used by two threads at once: every thread that works on a
 * task's rows has its own copy, made by Java serialization. Fields may therefore hold scratch
 * space. Static state is shared by all tasks of an executor, as it is for every Spark UDF.
 */
public interface GpuUdf {
  /**
   * The form for CUDA devices: one {@code __device__} function that computes one row. Absent: CUDA
   * devices take none of the rows, cores and other kinds of devices do.
   */
  default Optional<CudaSource> cuda() {
    return Optional.empty();
  }

  /**
   * The host form over primitive columns: no boxing and no virtual call per row. Absent: {@code
   * call} is used.
   */
  default Optional<BatchMethod> batchMethod() {
    return Optional.empty();
  }

  /**
   * What a row costs relative to other rows of its batch, used to size blocks. Absent: times are
   * learned as rows run.
   */
  default Optional<CostHint> costHint() {
    return Optional.empty();
  }

  /**
   * True if the function is to be called for rows with null arguments too. Must not change over
   * time.
   */
  default boolean takesNulls() {
    return false;
  }

  /**
   * True if two devices, GPUs or cores of other executors, may compute the same rows when one of
   * them is late, of which one's results are used: the function always gives the same result for
   * the same arguments, and has no other effect. What an executor's own cores compute for its tasks
   * is never computed twice at a time, and what a lost device had is computed again whatever this
   * says.
   */
  default boolean mayRunTwice() {
    return false;
  }

  /** What the function needs of a GPU, and how urgent it is. Must not change over time. */
  default PlacementHints placementHints() {
    return PlacementHints.NONE;
  }

  /**
   * How the blocks of threads of a GPU share the rows of a launch: a value of {@code
   * spark.gpusched.cuda.block.strategy}, such as {@code static} for rows that all cost the same.
   * Empty for what is configured. Must not change over time.
   */
  default Optional<String> blockStrategy() {
    return Optional.empty();
  }
}
