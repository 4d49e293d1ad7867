package io.github.sparkgpusched.api;

import java.io.Serializable;

/**
 * What a function needs of a GPU, and how urgent it is beside others.
 *
 * @param minFreeBytes device memory that must be free, in bytes; 0 for any
 * @param minComputeCapability CUDA compute capability that the device must have, as major times 10
 *     plus minor (80 for 8.0); 0 for any
 * @param priority each step up doubles the function's part of the devices' time beside other
 *     functions, each step down halves it; -10 to 10, usually 0. No priority keeps others out.
 */
public record PlacementHints(long minFreeBytes, int minComputeCapability, int priority)
    implements Serializable {
  /** No needs, no urgency. */
  public static final PlacementHints NONE = new PlacementHints(0, 0, 0);

  private static final int MAX_PRIORITY = 10;

  public PlacementHints {
    if (minFreeBytes < 0 || minComputeCapability < 0) {
      throw new IllegalArgumentException(
          "minFreeBytes "
              + minFreeBytes
              + " and minComputeCapability "
              + minComputeCapability
              + " must be at least 0");
    }
    if (priority < -MAX_PRIORITY || priority > MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "a priority is from -" + MAX_PRIORITY + " to " + MAX_PRIORITY + ", not " + priority);
    }
  }

  /**
   * What two functions need that are computed together: the most of each, at the higher urgency.
   */
  public PlacementHints and(PlacementHints other) {
    return new PlacementHints(
        Math.max(minFreeBytes, other.minFreeBytes),
        Math.max(minComputeCapability, other.minComputeCapability),
        Math.max(priority, other.priority));
  }
}
