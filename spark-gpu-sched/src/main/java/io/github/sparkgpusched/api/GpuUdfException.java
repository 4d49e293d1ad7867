package io.github.sparkgpusched.api;

/**
 * A UDF cannot be planned, set up or computed. Its message names the UDF and what to do. A UDF that
 * throws for a row fails the query with Spark's own error condition, {@code FAILED_EXECUTE_UDF},
 * caused by what it threw.
 */
public class GpuUdfException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public GpuUdfException(String message, Throwable cause) {
    super(message, cause);
  }
}
