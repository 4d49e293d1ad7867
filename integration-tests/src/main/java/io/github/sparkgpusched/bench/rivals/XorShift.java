package io.github.sparkgpusched.bench.rivals;

/** Pseudo-random numbers that cost a few instructions (Marsaglia, 2003). Used by one thread. */
public final class XorShift {
  private long state;

  /** The same numbers for the same seed. */
  public XorShift(long seed) {
    // The state must not be 0: 0 is followed by 0.
    this.state = mix(seed) | 1;
  }

  /** The next number. */
  public long next() {
    state ^= state << 13;
    state ^= state >>> 7;
    state ^= state << 17;
    return state;
  }

  /** Spreads a number over all bits (the finaliser of SplitMix64). */
  public static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
