package io.github.sparkgpusched.schedule;

/**
 * A launch device cannot compute a job, though it is well and computes others: a kernel does not
 * load there, or cannot be launched. The device leaves the job, whose rows run elsewhere.
 */
public final class JobRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param message which device refused, why, and what the user can do
   */
  public JobRefusedException(String message) {
    super(message);
  }
}
