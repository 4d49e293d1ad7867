package io.github.sparkgpusched.device;

import io.github.sparkgpusched.api.GpuUdfException;

/** A UDF threw, or broke the rules of its interface, on some row of a call. */
public final class CallFailedException extends GpuUdfException {
  private static final long serialVersionUID = 1L;

  private final UdfCall call;
  private final String udfClass;

  /**
   * @param call what was computed
   * @param udfClass simple name of the UDF's class
   * @param message names the UDF, the values of the row, and what is wrong
   * @param cause what the UDF threw
   */
  public CallFailedException(UdfCall call, String udfClass, String message, Throwable cause) {
    super(message, cause);
    this.call = call;
    this.udfClass = udfClass;
  }

  public UdfCall call() {
    return call;
  }

  public String udfClass() {
    return udfClass;
  }
}
