package io.github.sparkgpusched.schedule;

/**
 * What a row takes in place, in nanoseconds: its calls, by rows that were timed, and the rest of
 * its way through the task, by stretches of rows between them. A row's calls take no longer than
 * its way, which tells of calls so cheap that reading the clock takes longer. Task thread only.
 */
final class InPlacePrice {
  /** So many rows tell what a row's way takes beside its calls; of fewer the clock does. */
  static final int LEAST_STRETCH = 8;

  /** So many rows are timed before anything is decided by them. */
  private static final int LEAST_TIMED = 6;

  private static final int LEAST_STRETCHES = 3;

  /** What the clock may add to a row that is timed, code that it has made cold included. */
  private static final double CLOCK_NANOS = 200;

  /** Weight of the newest row, and of what a batch tells. */
  private static final double NEW_ROW = 1.0 / 16;

  private static final double NEW_BATCH = 0.5;

  /**
   * A core that was taken away for a moment makes a batch of cheap rows look many times as dear.
   * Rows that do turn expensive are batched meanwhile, as they should be.
   */
  private static final double MOST_GROWTH = 1.5;

  private double callNanos;
  private double otherNanos;

  /** Rows timed since this was last begun anew. */
  private int timedRows;

  /** A row's whole way, of stretches so long that looks do not count. */
  private final LastMedian ways = new LastMedian();

  /** Begins with what others have learned, be it nothing. */
  InPlacePrice(CallPrices prices) {
    this.callNanos = prices.inPlaceNanos();
    this.otherNanos = prices.otherNanos();
    this.timedRows = callNanos > 0 ? LEAST_TIMED : 0;
  }

  /** A row's calls; 0 while unknown. */
  double callNanos() {
    return callNanos;
  }

  /** The rest of a row's way; negative while unknown. */
  double otherNanos() {
    return otherNanos;
  }

  /** True if enough rows were timed to go by. */
  boolean isTimed() {
    return timedRows >= LEAST_TIMED;
  }

  /**
   * True if what lies between the rows that were timed is known, too.
   *
   * @param lookNanos rows so dear that each is looked at have no stretches
   */
  boolean isWayKnown(double lookNanos) {
    return ways.count() >= LEAST_STRETCHES || callNanos * LEAST_STRETCH > lookNanos;
  }

  /** The calls of a row took so long. */
  void timed(long nanos) {
    timedRows++;
    callNanos += Math.max(NEW_ROW, 1.0 / timedRows) * (nanos - callNanos);
  }

  /** Of {@link #LEAST_STRETCH} rows or more, one after the other, each took so long in all. */
  void stretch(double nanos) {
    ways.add(nanos);
    if (isTimed() && ways.count() >= LEAST_STRETCHES) {
      double way = ways.median();
      if (callNanos < CLOCK_NANOS) {
        callNanos = Math.min(callNanos, way);
      }
      otherNanos = Math.max(0, way - callNanos);
    }
  }

  /** Rows that were batched would have taken so long here. */
  void batched(double nanos) {
    callNanos += NEW_BATCH * (Math.min(MOST_GROWTH * callNanos, nanos) - callNanos);
  }

  /** Older rows count no more. */
  void renew() {
    timedRows = 0;
    ways.clear();
  }
}
