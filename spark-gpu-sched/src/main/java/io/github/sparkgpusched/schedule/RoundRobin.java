package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.PlacementCandidate;
import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.api.PlacementPolicy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** One after the other: 0, 1, 0, 1. */
final class RoundRobin implements PlacementPolicy {
  /** Picks so far. Up by 1 a pick, by anybody; wraps around. */
  private final AtomicInteger next = new AtomicInteger();

  @Override
  public int pick(PlacementHints hints, List<PlacementCandidate> candidates) {
    return Math.floorMod(next.getAndIncrement(), candidates.size());
  }
}
