package io.github.sparkgpusched.bench.simulate.cluster;

import io.github.sparkgpusched.schedule.strategy.Claim;

/** Rows of a job that an owner has sent to a lender. */
final class Block {
  final BatchJob job;
  final Claim claim;
  final Lease lease;
  final long claimedNanos;

  /** True if no other block of the device was in flight between its claim and its end. */
  boolean alone;

  /** What the answer says, once it is there. */
  boolean answered;

  /** The core goes back, and others compute the rows that it did not come to. */
  boolean left;

  int rows;
  long nanos;

  Block(BatchJob job, Claim claim, Lease lease, long claimedNanos, boolean alone) {
    this.job = job;
    this.claim = claim;
    this.lease = lease;
    this.claimedNanos = claimedNanos;
    this.alone = alone;
  }

  int size() {
    return Math.toIntExact(claim.rows());
  }
}
