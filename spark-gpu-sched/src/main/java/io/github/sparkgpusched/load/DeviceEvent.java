package io.github.sparkgpusched.load;

import java.util.Objects;

/**
 * Something that happened to a device or to an executor with all of its devices. Immutable.
 *
 * @param timeMillis when the driver heard of it, in milliseconds since 1970
 * @param executorId Spark's id of the executor
 * @param device the device's name; empty if it concerns all of the executor
 * @param kind what, in one word: {@code started}, {@code borrowed}, {@code active}, {@code
 *     quarantined}, {@code failure} or {@code ended}
 * @param detail more about it; may be empty
 */
public record DeviceEvent(
    long timeMillis, String executorId, String device, String kind, String detail) {

  /** The kind of the end of an executor. */
  public static final String ENDED = "ended";

  public DeviceEvent {
    Objects.requireNonNull(executorId, "executorId");
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(detail, "detail");
  }

  /** True if its executor has ended. */
  public boolean endsExecutor() {
    return kind.equals(ENDED);
  }

  /**
   * With which others this is counted where their number is bounded: failures and states each have
   * a bound of their own, so that nothing else takes their place.
   */
  public String bound() {
    return switch (kind) {
      case "failure" -> "failures";
      case "active", "quarantined" -> "states";
      default -> "executors";
    };
  }
}
