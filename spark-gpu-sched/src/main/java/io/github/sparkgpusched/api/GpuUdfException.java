package io.github.sparkgpusched.api;

/**
 * A batched UDF failed. Its message names the UDF and the values of the row; its cause is what the
 * UDF threw.
 */
public class GpuUdfException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public GpuUdfException(String message, Throwable cause) {
    super(message, cause);
  }
}
