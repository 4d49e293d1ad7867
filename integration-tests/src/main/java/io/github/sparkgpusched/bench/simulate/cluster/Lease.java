package io.github.sparkgpusched.bench.simulate.cluster;

/** A core of another executor, as its borrower has it. */
final class Lease {
  final Node lender;
  final int lane;

  /** What its launches take, by what the question for it took. */
  final long launchNanos;

  /** False once the lender cannot be reached. */
  boolean holds = true;

  Lease(Node lender, int lane, long launchNanos) {
    this.lender = lender;
    this.lane = lane;
    this.launchNanos = launchNanos;
  }
}
