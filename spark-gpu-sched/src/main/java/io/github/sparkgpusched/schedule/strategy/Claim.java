package io.github.sparkgpusched.schedule.strategy;

import java.util.Arrays;

/**
 * One block of rows that a worker has claimed, and what the dealer tells about it. The worker owns
 * the object and uses it again for its next block; one that has several blocks in flight has one
 * for each. Not thread-safe: filled by the dealer on the worker's thread.
 */
public final class Claim {
  /** Where a block came from, which is what the claim cost. */
  public enum Source {
    /** From what only this worker takes from, unless it is stolen from. */
    OWN,
    /** From a place that all workers take from. */
    SHARED,
    /** From another worker's rows. */
    STOLEN,
    /** Rows that are in flight on another worker, too: the first to commit them wins. */
    REOPENED
  }

  /** In {@link #retryNanos()}: nothing is left to claim, unless somebody hands rows back. */
  public static final long NEVER = Long.MAX_VALUE;

  long from;
  long until;
  Source source = Source.OWN;
  long retryNanos = NEVER;
  int stealsTried;
  boolean foreign;

  /** What a strategy keeps about the block while it is in flight; null when it keeps nothing. */
  Object flight;

  private long[] won = new long[2];
  private int wonLength;

  /** A claim of no rows. */
  public Claim() {}

  /** First row. */
  public long from() {
    return from;
  }

  /** The row after the last. */
  public long until() {
    return until;
  }

  /** Number of rows, at least 1 once claimed. */
  public long rows() {
    return until - from;
  }

  /** Where the block came from. */
  public Source source() {
    return source;
  }

  /** True if the rows were first dealt to another worker. */
  public boolean foreign() {
    return foreign;
  }

  /** Times that this claim looked for rows of others. */
  public int stealsTried() {
    return stealsTried;
  }

  /**
   * After a claim that got no rows: the time at which it is worth asking again, on the clock that
   * the dealer was asked with, or {@link #NEVER}. It is also worth asking when any block ends.
   */
  public long retryNanos() {
    return retryNanos;
  }

  /** After a commit: number of ranges of rows that this worker is to publish. */
  public int wonRanges() {
    return wonLength / 2;
  }

  /** First row of a range to publish. */
  public long wonFrom(int range) {
    return won[2 * range];
  }

  /** The row after the last of a range to publish. */
  public long wonUntil(int range) {
    return won[2 * range + 1];
  }

  /** Rows to publish, in all. */
  public long wonRows() {
    long rows = 0;
    for (int i = 0; i < wonRanges(); i++) {
      rows += wonUntil(i) - wonFrom(i);
    }
    return rows;
  }

  boolean take(long newFrom, long newUntil, Source newSource) {
    from = newFrom;
    until = newUntil;
    source = newSource;
    return true;
  }

  boolean none(long newRetryNanos) {
    retryNanos = newRetryNanos;
    return false;
  }

  void wonNothing() {
    wonLength = 0;
  }

  /** The whole block up to {@code reached}. */
  void wonAll(long reached) {
    wonLength = 2;
    won[0] = from;
    won[1] = reached;
  }

  void won(long wonFrom, long wonUntil) {
    if (wonLength == won.length) {
      won = Arrays.copyOf(won, 2 * wonLength);
    }
    won[wonLength++] = wonFrom;
    won[wonLength++] = wonUntil;
  }

  @Override
  public String toString() {
    return "Claim[" + from + ", " + until + ") " + source;
  }
}
