package io.github.sparkgpusched.bench.simulate.cluster;

/** A core of another executor, as its borrower has it. */
final class Lease {
  final Node lender;
  final int lane;

  /** False once the lender cannot be reached. */
  boolean holds = true;

  Lease(Node lender, int lane) {
    this.lender = lender;
    this.lane = lane;
  }
}
