package io.github.sparkgpusched.schedule;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * How many rows in place lie between one that is timed and the next: about 30 microseconds' worth,
 * drawn by chance, so that no pattern of the data can hide from it. Where the price is to be
 * renewed, a few rows are timed one after the other. Task thread only.
 */
final class Looks {
  /** Between two looks. */
  static final double NANOS = 30e3;

  /** Few enough that rows which turn expensive are noticed. */
  private static final int MOST_ROWS = 1024;

  private static final int FIRST_ROWS = 8;

  /** So many rows, one after the other, renew the price. */
  private static final int RENEW_ROWS = 32;

  /** So many looks, with rows between them, come after these. */
  private static final int RENEW_LOOKS = 4;

  /** Renewing takes no longer, where a few rows tell. */
  private static final long MOST_RENEW_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /** Weight of the newest stretch. */
  private static final double NEW_STRETCH = 0.25;

  private final SplittableRandom random;
  private int rows = FIRST_ROWS;

  /** A row's whole way, the look and all if there were few rows; 0 while unknown. */
  private double rowNanos;

  /** Looks that are left until the price is renewed. */
  private int renewing;

  private long renewUntil;

  Looks(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Rows until the next look. */
  int rows() {
    return rows;
  }

  /** Rows have taken so long each: what a row takes now counts, if it is more than before. */
  void took(double nanos) {
    if (nanos > 0) {
      rowNanos = rowNanos == 0 ? nanos : rowNanos + NEW_STRETCH * (nanos - rowNanos);
      double most = NANOS / Math.max(rowNanos, nanos);
      rows = (int) Math.min(MOST_ROWS, most * (0.5 + random.nextDouble()));
    }
  }

  /** Rows are computed in place again. */
  void restart() {
    rows = FIRST_ROWS;
    rowNanos = 0;
  }

  /** The price in place is to be renewed, beginning with the next row. */
  void renew(long now) {
    restart();
    rows = 0;
    renewing = RENEW_ROWS + RENEW_LOOKS;
    renewUntil = now + MOST_RENEW_NANOS;
  }

  /**
   * True if the price is still being renewed after this look.
   *
   * @param priceKnown whether the rows that were timed would do
   */
  boolean goOnRenewing(long now, boolean priceKnown) {
    if (renewing == 0 || (priceKnown && now - renewUntil >= 0)) {
      return false;
    }
    renewing--;
    if (renewing > RENEW_LOOKS) {
      rows = 0;
    }
    return true;
  }
}
