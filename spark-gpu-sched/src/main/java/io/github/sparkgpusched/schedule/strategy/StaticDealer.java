package io.github.sparkgpusched.schedule.strategy;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * {@code static}: one block of equal size a worker, given out once (OpenMP's {@code
 * schedule(static)}). Blocks that were handed back, and those of workers that are not there, are
 * taken by anyone who has done its own. Lock-free.
 */
public final class StaticDealer implements Dealer {
  private final long rows;
  private final int parts;
  private final RangeCosts costs;

  /** 1 once a worker's block was claimed. 0 to 1: by compare-and-set, by the claimer. */
  private final AtomicLongArray taken;

  /** 1 while a worker is not there; its block is anyone's then. Changed by the worker. */
  private final AtomicLongArray gone;

  private final Settled settled = new Settled();

  /** Rows of parts that were not claimed yet. Down by who claims one. */
  private final AtomicLong left;

  /** A dealer of one job; nothing is claimed. */
  public StaticDealer(Deal deal) {
    this.rows = deal.rows();
    this.parts = deal.workers().size();
    this.costs = deal.costs();
    this.taken = new AtomicLongArray(parts);
    this.gone = new AtomicLongArray(parts);
    this.left = new AtomicLong(rows);
    for (int i = deal.starters(); i < parts; i++) {
      gone.set(i, 1);
    }
  }

  private long start(int part) {
    return Math.floorDiv(rows, parts) * part + Math.min(part, Math.floorMod(rows, parts));
  }

  private int partOf(long row) {
    long least = rows / parts;
    long inLarger = (least + 1) * (rows % parts);
    return (int) (row < inLarger ? row / (least + 1) : rows % parts + (row - inLarger) / least);
  }

  @Override
  public void join(int worker) {
    gone.set(worker, 0);
  }

  @Override
  public void leave(int worker) {
    gone.set(worker, 1);
  }

  @Override
  public boolean claim(int worker, long nowNanos, Claim claim) {
    claim.begin();
    if (claimPart(worker, worker, claim)) {
      return true;
    }
    if (settled.claim(claim)) {
      claim.setForeign(partOf(claim.from()) != worker);
      return true;
    }
    for (int part = 0; part < parts; part++) {
      if (gone.get(part) == 1 && claimPart(part, worker, claim)) {
        return true;
      }
    }
    return claim.none(Claim.NEVER);
  }

  private boolean claimPart(int part, int worker, Claim claim) {
    long from = start(part);
    long until = start(part + 1);
    if (from == until || !taken.compareAndSet(part, 0, 1)) {
      return false;
    }
    left.addAndGet(from - until);
    claim.setForeign(part != worker);
    return claim.take(from, until, part == worker ? Claim.Source.OWN : Claim.Source.STOLEN);
  }

  @Override
  public void commit(int worker, Claim claim, long reached, long nanos, long nowNanos) {
    settled.commit(claim, reached);
  }

  @Override
  public void handBack(int worker, Claim claim, long nowNanos) {
    settled.handBack(claim);
  }

  @Override
  public long queuedRows(int worker) {
    return taken.get(worker) == 0 ? start(worker + 1) - start(worker) : 0;
  }

  @Override
  public long rowsLeft() {
    return left.get() + settled.handedBackRows();
  }

  @Override
  public double costLeft() {
    return rows == 0 ? 0 : costs.between(0, rows) * ((double) rowsLeft() / rows);
  }

  @Override
  public long rowsCommitted() {
    return settled.committedRows();
  }
}
