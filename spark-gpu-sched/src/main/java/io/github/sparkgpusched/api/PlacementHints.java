package io.github.sparkgpusched.api;

import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a function needs of a device that is no core, and how urgent it is beside others. Immutable.
 *
 * @param minFreeBytes device memory that must be free, in bytes; 0 for any
 * @param least the least that a device must have of a property, by the property's name, which its
 *     kind gives it, such as {@link #COMPUTE_CAPABILITY}. A device that does not have the property
 *     is not kept out: it is of another kind
 * @param priority each step up doubles the function's part of the devices' time beside other
 *     functions, each step down halves it; -10 to 10, usually 0. No priority keeps others out.
 */
public record PlacementHints(long minFreeBytes, Map<String, Integer> least, int priority)
    implements Serializable {
  /** The CUDA compute capability of a GPU, as major times 10 plus minor (80 for 8.0). */
  public static final String COMPUTE_CAPABILITY = "cuda.computeCapability";

  /** No needs, no urgency. */
  public static final PlacementHints NONE = new PlacementHints(0, Map.of(), 0);

  private static final int MAX_PRIORITY = 10;

  public PlacementHints {
    least = Map.copyOf(least);
    if (minFreeBytes < 0 || least.values().stream().anyMatch(value -> value < 0)) {
      throw new IllegalArgumentException(
          "minFreeBytes " + minFreeBytes + " and the least of " + least + " must be at least 0");
    }
    if (priority < -MAX_PRIORITY || priority > MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "a priority is from -" + MAX_PRIORITY + " to " + MAX_PRIORITY + ", not " + priority);
    }
  }

  /**
   * As above, for functions that are written for GPUs.
   *
   * @param minComputeCapability the least {@link #COMPUTE_CAPABILITY}; 0 for any
   */
  public PlacementHints(long minFreeBytes, int minComputeCapability, int priority) {
    this(
        minFreeBytes,
        minComputeCapability == 0 ? Map.of() : Map.of(COMPUTE_CAPABILITY, minComputeCapability),
        priority);
  }

  /**
   * What two functions need that are computed together: the most of each, at the higher urgency.
   */
  public PlacementHints and(PlacementHints other) {
    Map<String, Integer> both = new TreeMap<>(least);
    other.least.forEach((property, value) -> both.merge(property, value, Math::max));
    return new PlacementHints(
        Math.max(minFreeBytes, other.minFreeBytes), both, Math.max(priority, other.priority));
  }
}
