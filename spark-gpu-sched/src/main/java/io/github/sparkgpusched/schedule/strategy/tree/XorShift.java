package io.github.sparkgpusched.schedule.strategy.tree;

/** Pseudo-random numbers that cost a few instructions (Marsaglia, 2003). Used by one thread. */
final class XorShift {
  private long state;

  XorShift(long seed) {
    // The state must not be 0: 0 is followed by 0.
    this.state = mix(seed) | 1;
  }

  long next() {
    state ^= state << 13;
    state ^= state >>> 7;
    state ^= state << 17;
    return state;
  }

  /** Spreads a number over all bits (the finaliser of SplitMix64). */
  static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
