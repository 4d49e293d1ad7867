package io.github.sparkgpusched.schedule;

/**
 * A launch device cannot be used as it is. The scheduler quarantines it: its blocks in flight are
 * handed back and run elsewhere, and it gets no others unless it recovers ({@link
 * LaunchDevice#recover}).
 */
public final class DeviceFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param message which device, what it did, and what the user can do
   */
  public DeviceFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
