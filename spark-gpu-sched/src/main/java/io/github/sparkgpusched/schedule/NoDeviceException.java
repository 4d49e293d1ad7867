package io.github.sparkgpusched.schedule;

/** No device is there, or left, that may compute a job. The message says why of each. */
public final class NoDeviceException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  NoDeviceException(String message) {
    super(message);
  }
}
