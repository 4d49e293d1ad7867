package io.github.sparkgpusched.api;

import java.util.Map;

/**
 * One device that a job may be placed on, at the time of the question.
 *
 * @param device name, such as {@code cuda:0}
 * @param inFlight launches that are in flight on it, and parts of jobs that were placed on it and
 *     have not ended; counted at once, so two questions in a row see each other
 * @param depth launches that it has in flight at most
 * @param freeBytes device memory that was free when the device was last asked, at most a quarter of
 *     a second ago while it works; -1 if not known
 * @param properties what its kind says of it, such as {@link PlacementHints#COMPUTE_CAPABILITY};
 *     empty if nothing is known
 */
public record PlacementCandidate(
    String device, int inFlight, int depth, long freeBytes, Map<String, Integer> properties) {
  public PlacementCandidate {
    properties = Map.copyOf(properties);
  }
}
