package io.github.sparkgpusched.schedule;

import java.util.Map;

/**
 * What a launch device says about itself when it is asked.
 *
 * @param freeBytes device memory that is free, in bytes; -1 if not known
 * @param totalBytes device memory in all, in bytes; -1 if not known
 * @param properties what its kind tells of it, by names of the kind's own, for functions that need
 *     at least so much of one; empty if nothing is known
 */
public record DeviceFacts(long freeBytes, long totalBytes, Map<String, Integer> properties) {
  /** Nothing known. */
  public static final DeviceFacts UNKNOWN = new DeviceFacts(-1, -1, Map.of());

  public DeviceFacts {
    properties = Map.copyOf(properties);
  }
}
