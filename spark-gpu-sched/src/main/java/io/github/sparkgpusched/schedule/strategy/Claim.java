package io.github.sparkgpusched.schedule.strategy;

import java.util.Arrays;

/**
 * One block of rows that a worker has claimed, and what the dealer tells about it. The worker owns
 * the object and uses it again for its next block; one that has several blocks in flight has one
 * for each. Not thread-safe: filled by the dealer on the worker's thread.
 *
 * <p>What a dealer calls: in {@link Dealer#claim} {@link #begin}, what it has to say of the block,
 * and last {@link #take} or {@link #none}; in {@link Dealer#commit} {@link #wonAll}, or {@link
 * #wonNothing} and {@link #won} for each range. It writes nothing outside of these two calls.
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

  private long from;
  private long until;
  private Source source = Source.OWN;
  private long retryNanos = NEVER;
  private int stealsTried;
  private boolean foreign;
  private boolean oneCall;
  private Object flight;
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

  /** True if the rows are to be computed by one call, and none of them is to be handed back. */
  public boolean oneCall() {
    return oneCall;
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

  /** What the dealer keeps about the block while it is in flight; null when it keeps nothing. */
  public Object flight() {
    return flight;
  }

  /**
   * A claim begins: no rows of others looked for, rows not foreign, several calls, nothing kept.
   */
  public void begin() {
    stealsTried = 0;
    foreign = false;
    oneCall = false;
    flight = null;
  }

  /** The claim looks for rows of others, once more. */
  public void triesToSteal() {
    stealsTried++;
  }

  /** Whether the rows were first dealt to another worker. */
  public void setForeign(boolean value) {
    foreign = value;
  }

  /** Whether the rows are to be computed by one call. */
  public void setOneCall(boolean value) {
    oneCall = value;
  }

  /** Keeps something about the block until it is committed or handed back; null for nothing. */
  public void setFlight(Object value) {
    flight = value;
  }

  /**
   * Says which rows are claimed, at least one.
   *
   * @return true, as {@link Dealer#claim} is to
   */
  public boolean take(long newFrom, long newUntil, Source newSource) {
    from = newFrom;
    until = newUntil;
    source = newSource;
    return true;
  }

  /**
   * Says that no rows are claimed.
   *
   * @param newRetryNanos when it is worth asking again, or {@link #NEVER}
   * @return false, as {@link Dealer#claim} is to
   */
  public boolean none(long newRetryNanos) {
    retryNanos = newRetryNanos;
    return false;
  }

  /** The worker publishes nothing, unless {@link #won} says so. */
  public void wonNothing() {
    wonLength = 0;
  }

  /** The worker publishes the whole block up to a row, and nothing else. */
  public void wonAll(long reached) {
    wonLength = 2;
    won[0] = from;
    won[1] = reached;
  }

  /** The worker publishes these rows, too. */
  public void won(long wonFrom, long wonUntil) {
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
