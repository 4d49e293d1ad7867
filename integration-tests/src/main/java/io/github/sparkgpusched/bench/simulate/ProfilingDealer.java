package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.CostProfile;
import io.github.sparkgpusched.schedule.strategy.Dealer;

/** Measures what rows take as an executor does. Workers are all of declared speed 1. */
final class ProfilingDealer extends ForwardingDealer {
  private final CostProfile profile;

  ProfilingDealer(Dealer dealer, CostProfile profile) {
    super(dealer);
    this.profile = profile;
  }

  @Override
  public void commit(int worker, Claim claim, long reached, long nanos, long nowNanos) {
    profile.add(claim.from(), reached, (double) nanos, dealer.speed(worker, 1), 1);
    super.commit(worker, claim, reached, nanos, nowNanos);
  }
}
