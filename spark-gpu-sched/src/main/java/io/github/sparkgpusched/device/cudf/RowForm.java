package io.github.sparkgpusched.device.cudf;

/** A call's Java form. One thread's at a time. */
@FunctionalInterface
public interface RowForm {
  /**
   * Computes a row, by the call's rule on nulls. Throws what the UDF throws.
   *
   * @param arguments as Spark passes them to a Java UDF
   */
  Object compute(Object[] arguments);
}
