package io.github.sparkgpusched.schedule.strategy;

/** A way to deal rows. Stateless. */
@FunctionalInterface
public interface Strategy {
  /** A dealer for one job, of which nothing has been claimed. */
  Dealer deal(Deal deal);
}
