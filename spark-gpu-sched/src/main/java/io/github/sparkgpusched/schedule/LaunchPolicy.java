package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.PlacementPolicy;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * How launch devices and cores work together.
 *
 * @param placement chooses the launch devices that rows are dealt to first
 * @param hostsShare true if cores compute, too, what launch devices can
 * @param hostFallback true if cores compute what no launch device is left for; else that fails the
 *     job
 * @param blockTimeoutNanos a launch device that takes longer for one block is given up
 */
public record LaunchPolicy(
    PlacementPolicy placement, boolean hostsShare, boolean hostFallback, long blockTimeoutNanos) {
  /** Least loaded first, cores share, and fall back; a block may take a minute. */
  public static final LaunchPolicy DEFAULT =
      new LaunchPolicy(new LeastLoaded(), true, true, TimeUnit.MINUTES.toNanos(1));

  public LaunchPolicy {
    Objects.requireNonNull(placement, "placement");
    if (blockTimeoutNanos <= 0) {
      throw new IllegalArgumentException(
          "a block may take more than 0 nanoseconds, not " + blockTimeoutNanos);
    }
  }
}
