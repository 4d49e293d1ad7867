package io.github.sparkgpusched.bench.simulate.cluster;

/** What a device's launches add, as the scheduler's {@code LaunchCost} learns it. */
final class LaunchCosts {
  private static final double GAIN = 1.0 / 8;
  private static final double MOST = 8;

  private long declared;
  private long nanos;

  LaunchCosts(long declared) {
    this.declared = declared;
    this.nanos = declared;
  }

  void follow(long launchNanos) {
    if (launchNanos != declared) {
      declared = launchNanos;
      nanos = launchNanos;
    }
  }

  void learn(double added) {
    double bounded = Math.max(declared / MOST, Math.min(MOST * declared, added));
    nanos += Math.round(GAIN * (bounded - nanos));
  }

  long nanos() {
    return nanos;
  }
}
