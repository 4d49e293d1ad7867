package io.github.sparkgpusched.schedule;

/**
 * What a launch device says about itself when it is asked.
 *
 * @param freeBytes device memory that is free, in bytes; -1 if not known
 * @param totalBytes device memory in all, in bytes; -1 if not known
 * @param computeCapability major times 10 plus minor; -1 if not known
 */
public record DeviceFacts(long freeBytes, long totalBytes, int computeCapability) {
  /** Nothing known. */
  public static final DeviceFacts UNKNOWN = new DeviceFacts(-1, -1, -1);
}
