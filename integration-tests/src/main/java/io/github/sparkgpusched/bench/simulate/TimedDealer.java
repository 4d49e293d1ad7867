package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Dealer;

/** Measures the real time that a dealer's decisions take. For one thread. */
final class TimedDealer extends ForwardingDealer {
  private long asked;
  private long calls;
  private long nanos;

  TimedDealer(Dealer dealer) {
    super(dealer);
  }

  /** Time of a question and of the commit that follows it, if one does. */
  double nanosPerDecision() {
    return Math.max(0, nanos - calls * nanosOfClock()) / asked;
  }

  /** What reading the clock adds to each measured time. */
  private static double nanosOfClock() {
    int times = 10_000;
    long sum = 0;
    for (int i = 0; i < times; i++) {
      long start = System.nanoTime();
      sum += System.nanoTime() - start;
    }
    return (double) sum / times;
  }

  @Override
  public boolean claim(int worker, long nowNanos, Claim claim) {
    long start = System.nanoTime();
    boolean got = dealer.claim(worker, nowNanos, claim);
    nanos += System.nanoTime() - start;
    asked++;
    calls++;
    return got;
  }

  @Override
  public void commit(int worker, Claim claim, long reached, long blockNanos, long nowNanos) {
    long start = System.nanoTime();
    dealer.commit(worker, claim, reached, blockNanos, nowNanos);
    nanos += System.nanoTime() - start;
    calls++;
  }
}
