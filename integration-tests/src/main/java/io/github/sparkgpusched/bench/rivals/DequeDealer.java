package io.github.sparkgpusched.bench.rivals;

import io.github.sparkgpusched.bench.rivals.RangeDeque.Range;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;

/**
 * {@code worksteal-deque}: a deque of ranges a worker, as fork/join programs use it (Blumofe and
 * Leiserson, 1999). A worker halves a range down to the grain, which it claims as one block, and
 * pushes the upper halves; a thief takes a victim's largest range. Starters have equal shares of
 * the rows; costs and speeds are not looked at, as in the original. Victims are tried in order from
 * a random one on. Thread-safe; a deque is locked (see {@link RangeDeque}), never two at a time.
 *
 * <p>While a thief moves a range its rows are in no deque. Who looks just then sees less than there
 * is; the thief claims some of those rows next, and when that block ends it is worth asking again.
 */
final class DequeDealer implements Dealer {
  private final RangeCosts costs;
  private final long grainRows;
  private final RangeDeque[] deques;
  private final RowCounter[] committed;

  /** By worker, each used by its worker only, and only when it steals. */
  private final XorShift[] randoms;

  DequeDealer(Deal deal, long grainRows) {
    if (grainRows < 1) {
      throw new IllegalArgumentException("a grain is at least 1 row, not " + grainRows);
    }
    this.costs = deal.costs();
    this.grainRows = grainRows;
    int workers = deal.workers().size();
    this.deques = new RangeDeque[workers];
    this.committed = new RowCounter[workers];
    this.randoms = new XorShift[workers];
    long from = 0;
    for (int i = 0; i < workers; i++) {
      deques[i] = new RangeDeque();
      committed[i] = new RowCounter();
      randoms[i] = new XorShift(i);
      if (i < deal.starters()) {
        long until = from + (deal.rows() - from) / (deal.starters() - i);
        if (from < until) {
          deques[i].push(new Range(from, until, i));
        }
        from = until;
      }
    }
  }

  @Override
  public boolean claim(int worker, long nowNanos, Claim claim) {
    claim.begin();
    Range range = deques[worker].pop();
    if (range == null) {
      claim.triesToSteal();
      range = steal(worker);
      if (range == null) {
        return claim.none(Claim.NEVER);
      }
    }
    Range block = range.rows() > grainRows ? deques[worker].halve(range, grainRows) : range;
    claim.setFlight(block);
    claim.setForeign(block.dealtTo() != worker);
    return claim.take(
        block.from(),
        block.until(),
        claim.stealsTried() == 0 ? Claim.Source.OWN : Claim.Source.STOLEN);
  }

  private Range steal(int worker) {
    int victims = deques.length;
    int first = (int) Long.remainderUnsigned(randoms[worker].next(), victims);
    for (int i = 0; i < victims; i++) {
      RangeDeque victim = deques[first + i < victims ? first + i : first + i - victims];
      Range range = victim.rows() > 0 ? victim.takeTop() : null;
      if (range != null) {
        return range;
      }
    }
    return null;
  }

  @Override
  public void commit(int worker, Claim claim, long reached, long nanos, long nowNanos) {
    claim.wonAll(reached);
    if (reached < claim.until()) {
      putBack(worker, claim, reached);
    }
    committed[worker].add(reached - claim.from());
  }

  @Override
  public void handBack(int worker, Claim claim, long nowNanos) {
    putBack(worker, claim, claim.from());
  }

  private void putBack(int worker, Claim claim, long from) {
    deques[worker].push(new Range(from, claim.until(), ((Range) claim.flight()).dealtTo()));
  }

  @Override
  public long queuedRows(int worker) {
    return deques[worker].rows();
  }

  @Override
  public long rowsLeft() {
    long rows = 0;
    for (RangeDeque deque : deques) {
      rows += deque.rows();
    }
    return rows;
  }

  @Override
  public double costLeft() {
    double cost = 0;
    for (RangeDeque deque : deques) {
      cost += deque.cost(costs);
    }
    return cost;
  }

  @Override
  public long rowsCommitted() {
    long rows = 0;
    for (RowCounter counter : committed) {
      rows += counter.rows();
    }
    return rows;
  }
}
