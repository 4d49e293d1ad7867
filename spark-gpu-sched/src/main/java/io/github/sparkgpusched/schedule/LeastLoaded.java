package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.PlacementCandidate;
import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.api.PlacementPolicy;
import java.util.List;

/**
 * The device with least in flight beside what it can have; of several the one with most free
 * memory, else the first.
 */
final class LeastLoaded implements PlacementPolicy {
  @Override
  public int pick(PlacementHints hints, List<PlacementCandidate> candidates) {
    int best = 0;
    for (int i = 1; i < candidates.size(); i++) {
      if (isBetter(candidates.get(i), candidates.get(best))) {
        best = i;
      }
    }
    return best;
  }

  private static boolean isBetter(PlacementCandidate a, PlacementCandidate b) {
    double load = (double) a.inFlight() / a.depth() - (double) b.inFlight() / b.depth();
    return load < 0 || (load == 0 && a.freeBytes() > b.freeBytes());
  }
}
