package io.github.sparkgpusched.bench.rivals.tree;

import io.github.sparkgpusched.bench.rivals.XorShift;

/** From which end a node of the work-stealing tree is claimed. */
public enum Ends {
  /** Always from the front, as in the original. */
  FRONT,

  /** From either end: a coin toss that is the same for all who make the node of this range. */
  RANDOM;

  /** True if a node is claimed from the rear. */
  boolean backward(long from, long until) {
    return switch (this) {
      case FRONT -> false;
      case RANDOM -> (XorShift.mix(from * 31 + until) & 1) == 1;
    };
  }
}
