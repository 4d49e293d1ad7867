package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Dealer;

/** Hands every question on to another dealer. For those that change or watch some of them. */
public abstract class ForwardingDealer implements Dealer {
  protected final Dealer dealer;

  /**
   * @param dealer gets every question
   */
  protected ForwardingDealer(Dealer dealer) {
    this.dealer = dealer;
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
    return dealer.claim(worker, nowNanos, claim);
  }

  @Override
  public void commit(int worker, Claim claim, long reached, long nanos, long nowNanos) {
    dealer.commit(worker, claim, reached, nanos, nowNanos);
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
  public double speed(int worker, double declared) {
    return dealer.speed(worker, declared);
  }

  @Override
  public long rowsCommitted() {
    return dealer.rowsCommitted();
  }
}
