package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.FixedDealer;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import io.github.sparkgpusched.schedule.strategy.fill.FillUpDealer;
import io.github.sparkgpusched.schedule.strategy.tree.TreeDealer;

/**
 * {@code adaptive}: takes one of two forms by what a block costs to launch. Where it costs next to
 * nothing, as on a thread, rows can be dealt in many small blocks: the work-stealing tree with
 * steps capped by time ({@link TreeDealer}). Where launches are expensive, each block must be
 * large, few remain to even out mistakes, and it pays to predict ({@link FillUpDealer}). A launch
 * device that computes many rows at once, and has a job to itself, gets it as one block: there is
 * nobody to share rows with, and small blocks do not fill it.
 */
final class Adaptive implements Strategy {
  /**
   * A launch is expensive if it is more than this part of the target time of a block: below it,
   * blocks of that time lose less than 5% to launches.
   */
  private static final double DEAR_LAUNCH = 0.05;

  /** Of a block that a device hands back, for each worker: rows may be of unlike cost. */
  private static final int PIECES = 16;

  @Override
  public Dealer deal(Deal deal) {
    if (isOfOneDevice(deal)) {
      // What the device cannot do is for all threads.
      long pieceRows = deal.rows() / ((long) PIECES * deal.workers().size());
      return new FixedDealer(deal, Math.max(1, deal.rows()), Math.max(1, pieceRows));
    }
    return predicts(deal) ? new FillUpDealer(deal) : new TreeDealer(deal);
  }

  /**
   * True if rows are dealt to a launch device that computes many at once, and all others are
   * threads that come in its need.
   */
  private static boolean isOfOneDevice(Deal deal) {
    return deal.starters() == 1
        && deal.workers().get(0).fullRows() > 1
        && deal.workers().stream().skip(1).allMatch(worker -> worker.launchNanos() == 0);
  }

  /** True if a worker's launch is expensive. */
  static boolean predicts(Deal deal) {
    for (WorkerSpec worker : deal.workers()) {
      if (worker.launchNanos() > DEAR_LAUNCH * deal.targetNanos()) {
        return true;
      }
    }
    return false;
  }
}
