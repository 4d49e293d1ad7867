package io.github.sparkgpusched.schedule.strategy.tree;

/**
 * What a call takes however few rows it is for, as one worker finds it out. A worker computes a
 * block in several calls, so that it can hand back what takes too long; and a block that takes too
 * long gets smaller. Both are wrong where the time is the calls' and not the rows'. So where blocks
 * of few rows take long, one is now and then computed by one call. If it takes less than such rows
 * ever did, the difference is what calls take. From then on blocks are computed by one call each,
 * and are so long that calls take an eighth of it or less; one of a single row tells now and then
 * whether that still holds. Used by one worker only, hence on cache lines apart.
 */
final class CallTime extends Padded {
  /** Blocks of few rows before the first that is computed by one call. */
  private static final int FIRST_TRY = 8;

  /** Of more rows a call's time is no great part. */
  private static final int FEW_ROWS = 16;

  /** One call takes the place of up to so many more: a block is computed by up to four. */
  private static final int MOST_CALLS_SAVED = 3;

  /** Blocks between two of one row, once a call's time is known. */
  private static final int LOOK_AGAIN = 32;

  /** A block takes so many calls' time, */
  private static final int CALLS = 8;

  /** or a call's and this: a task that is killed waits for it. */
  private static final double MOST_NANOS = 1e9;

  /** What is less of a block's time is not worth a thought. */
  private static final double LITTLE = 1 / 16.0;

  private final double targetNanos;

  /** 0 while none is known. */
  private double nanos;

  /** Of blocks of few rows while no call's time is known. */
  private double leastNanosPerRow = Double.POSITIVE_INFINITY;

  /** Blocks since the last look. */
  private int blocks;

  private int tryAfter = FIRST_TRY;

  /** The last block of more rows than one, if a call's time is known; else the last one. */
  private long lastRows;

  private long lastNanos;

  /**
   * @param nanos what is known of earlier jobs; 0 if nothing
   */
  CallTime(double nanos, double targetNanos) {
    this.nanos = nanos;
    this.targetNanos = targetNanos;
  }

  /** A call's time in nanoseconds; 0 while none is known. */
  double nanos() {
    return nanos;
  }

  /** How long a block should take. */
  long blockNanos() {
    return Math.round(Math.max(targetNanos, nanos + Math.min((CALLS - 1) * nanos, MOST_NANOS)));
  }

  /** Whether the next block is to be computed by one call. */
  boolean isOneCall() {
    return nanos > 0 || blocks >= tryAfter;
  }

  /**
   * How many rows the next block is to have.
   *
   * @param rows that take as long as a block should
   */
  long rows(long rows) {
    if (nanos > 0) {
      return blocks >= LOOK_AGAIN && lastRows > 1 ? 1 : rows;
    }
    return isOneCall() ? Math.max(2, Math.min(rows, lastRows)) : rows;
  }

  /** Learns from a block. */
  void took(long rows, long blockNanos, boolean oneCall) {
    if (nanos > 0) {
      lookAgain(rows, blockNanos);
    } else if (oneCall && rows == 1) {
      return; // the last one of a range
    } else if (oneCall) {
      double saved = leastNanosPerRow * rows - blockNanos;
      nanos = Math.min((double) blockNanos, saved / Math.min(MOST_CALLS_SAVED, rows - 1));
      tryAfter *= 2;
      forget();
      ignoreLittle();
    } else if (rows <= FEW_ROWS && blockNanos >= targetNanos / 2) {
      leastNanosPerRow = Math.min(leastNanosPerRow, (double) blockNanos / rows);
      lastRows = rows;
      blocks++;
    } else {
      forget();
    }
  }

  private void lookAgain(long rows, long blockNanos) {
    blocks++;
    if (rows > 1) {
      lastRows = rows;
      lastNanos = blockNanos;
      nanos = Math.min(nanos, (double) blockNanos);
    } else if (lastRows > 1) {
      // Of two blocks, if time is a call's and so much a row. The single one may be of another
      // kind.
      double call = ((double) lastRows * blockNanos - lastNanos) / (lastRows - 1);
      nanos = Math.min(call, 2 * nanos);
      blocks = 0;
    }
    ignoreLittle();
  }

  private void ignoreLittle() {
    if (nanos < LITTLE * targetNanos) {
      nanos = 0;
      forget();
    }
  }

  private void forget() {
    blocks = 0;
    leastNanosPerRow = Double.POSITIVE_INFINITY;
    lastRows = 0;
  }
}
