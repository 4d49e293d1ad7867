package io.github.sparkgpusched.schedule;

/** A block does not fit into a device's memory, or into what is staged for it, at this time. */
public class DeviceMemoryException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long requestedBytes;

  /**
   * @param message which device, and what was asked of it
   * @param requestedBytes bytes that could not be had
   */
  public DeviceMemoryException(String message, long requestedBytes) {
    super(message);
    this.requestedBytes = requestedBytes;
  }

  /** Bytes that could not be had. */
  public long requestedBytes() {
    return requestedBytes;
  }
}
