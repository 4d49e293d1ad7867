package io.github.sparkgpusched.api;

import java.util.List;

/**
 * Chooses the devices that a job's rows are dealt to first; stealing evens out what was chosen
 * badly. One instance per executor, made with its constructor without parameters; called by several
 * threads at once.
 */
@FunctionalInterface
public interface PlacementPolicy {
  /**
   * Chooses a device for the next part of a job.
   *
   * @param hints what the job's function needs; all candidates have it
   * @param candidates at least one, in the order of the executor's devices
   * @return an index in {@code candidates}; anything else fails the job
   */
  int pick(PlacementHints hints, List<PlacementCandidate> candidates);
}
