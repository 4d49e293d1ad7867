package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Dealer;

/** Measures the real time that a dealer's decisions take. For one thread. */
final class TimedDealer implements Dealer {
  private final Dealer dealer;
  private long asked;
  private long calls;
  private long nanos;

  TimedDealer(Dealer dealer) {
    this.dealer = dealer;
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
  public void join(int worker) {
    dealer.join(worker);
  }

  @Override
  public void leave(int worker) {
    dealer.leave(worker);
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

  @Override
  public void handBack(int worker, Claim claim, long nowNanos) {
    dealer.handBack(worker, claim, nowNanos);
  }

  @Override
  public long queuedRows(int worker) {
    return dealer.queuedRows(worker);
  }

  @Override
  public long rowsLeft() {
    return dealer.rowsLeft();
  }

  @Override
  public double costLeft() {
    return dealer.costLeft();
  }

  @Override
  public long rowsCommitted() {
    return dealer.rowsCommitted();
  }
}
