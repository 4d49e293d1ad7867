package io.github.sparkgpusched.schedule;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleToIntFunction;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Batches rows as long as that is expected to be faster, by what rows were seen to cost.
 *
 * <p>In place a row costs its calls. In a batch it costs a copy, and its calls divided by those who
 * share them: cores that are idle now, or whoever else is faster. Both prices are measured:
 *
 * <ul>
 *   <li>Of the rows in place, one every {@value #LOOK_MICROS} microseconds or so is timed, drawn by
 *       chance, so that no pattern of the data can hide from it. The rows between two of them are
 *       timed as a whole: a row's calls take no longer than its whole way. That is what tells of
 *       calls so cheap that reading the clock takes longer.
 *   <li>What a copy costs is what a row's whole way through a batch takes more than its way in
 *       place does, beside its calls.
 *   <li>Whether a batch method, or a device that is no core, is faster than a row at a time is
 *       found out by a batch that takes about a millisecond; the next such try comes twice as late.
 * </ul>
 *
 * <p>Batches that were slower than their rows in place would have been end the batching, for longer
 * each time ({@link LossPause}). One may be slow by chance: what the last few gained counts. What
 * rows take in place may change while nobody computes them there: where others than cores that call
 * the function row by row compute them, a few rows are timed in place now and then. All that is
 * learned goes to {@link CallPrices}, where the next task begins.
 */
public final class LearnedChoice implements BatchChoice {
  /**
   * What is known of calls before any of them has run.
   *
   * @param copyNanos a guess of what going through a batch adds to a row
   * @param batchMethod whether there is one, which may be faster than a row at a time
   * @param launchDevices whether there are devices that are no cores
   * @param mostRows of a batch that is not shared with many cores of other executors
   * @param mayStopEarly whether the task may be left before its last row: batches then begin after
   *     a millisecond, and stay so small that they take about one
   */
  public record Setting(
      double copyNanos,
      boolean batchMethod,
      boolean launchDevices,
      int mostRows,
      boolean mayStopEarly) {
    /** Whether batches may be faster where no core is idle. */
    boolean tries() {
      return batchMethod || launchDevices;
    }
  }

  private static final int LOOK_MICROS = 30;
  private static final double LOOK_NANOS = LOOK_MICROS * 1e3;

  /** Rows between two looks: few enough that rows which turn expensive are noticed. */
  private static final int MOST_ROWS_TO_LOOK = 1024;

  private static final int FIRST_ROWS_TO_LOOK = 8;

  /**
   * So many rows in place tell what a row's way takes beside its calls; of fewer the clock does.
   */
  private static final int LEAST_STRETCH = 8;

  /** So many rows are timed before anything is decided by them. */
  private static final int LEAST_TIMED = 6;

  /**
   * The median of the last stretches tells what a row's way takes: one in which the core was taken
   * away, or code was compiled, says nothing.
   */
  private static final int STRETCHES = 5;

  private static final int LEAST_STRETCHES = 3;

  /** How long the price in place is believed where batches do not tell it. */
  private static final long REFRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long a copy that seems to be dear is believed to be, where no batch tells it. */
  private static final long COPY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** So many rows, one after the other, renew it. */
  private static final int REFRESH_ROWS = 32;

  /** So many looks, with rows between them, come after these. */
  private static final int REFRESH_LOOKS = 4;

  /** Renewing takes no longer, where a few rows tell. */
  private static final long MOST_REFRESH_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /** The work of the first batch that is judged, and of every batch whose consumer may stop. */
  private static final double FIRST_BATCH_NANOS = 1e6;

  /** The same where none but other executors share it: rows must travel there and back. */
  private static final double FAR_BATCH_NANOS = 20e6;

  /** The one before it, which makes everything ready, has this part of that. */
  private static final double READY_PART = 0.25;

  private static final int LEAST_BATCH_ROWS = 16;

  /** For each so many cores of others, a batch may have as many rows once more. */
  private static final int OTHERS_PER_SHARE = 8;

  private static final int MOST_SHARES = 8;

  /** What batches must gain, as a part of the calls' cost: prices are never quite right. */
  private static final double LEAST_GAIN = 0.05;

  private static final double LEAST_GAIN_NANOS = 2;

  /**
   * As a part of the calls' cost: one batch in which a core was away does not outweigh all before.
   */
  private static final double MOST_LOSS = 0.25;

  private static final long FIRST_TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /** Weight of the newest row, stretch or batch. */
  private static final double NEW_ROW = 1.0 / 16;

  private static final double NEW_STRETCH = 0.25;
  private static final double NEW_BATCH = 0.5;

  /**
   * A core that was taken away for a moment makes a batch of cheap rows look many times as dear.
   * Rows that do turn expensive are batched meanwhile, as they should be.
   */
  private static final double MOST_GROWTH = 1.5;

  /** Likewise of their copy; but while that is dear, batches are a loss. */
  private static final double MOST_COPY_GROWTH = 3;

  private final Setting setting;
  private final CallPrices prices;
  private final IntSupplier idleCores;
  private final DoubleToIntFunction otherCores;
  private final LongSupplier nanoTime;
  private final SplittableRandom random;

  private double inPlaceNanos;
  private double otherNanos;
  private double copyNanos;
  private double coreShare;
  private double wallShare;

  /** When {@link #copyNanos} was measured, or doubted, last. */
  private long copySince;

  /** A row's whole way in place, the look and all if there were few rows; 0 while unknown. */
  private double rowNanos;

  /**
   * A row's whole way in place, of the last stretches that were so long that looks do not count.
   */
  private final double[] stretchNanos = new double[STRETCHES];

  /** Their median. */
  private double wayNanos;

  /** How often that was measured since the price in place was last begun anew. */
  private int ways;

  /** Whether it was measured since the last batch, which is compared with it then. */
  private boolean wayIsFresh;

  private double lastTimedNanos;

  /** Rows timed since the price in place was last begun anew. */
  private int timedRows;

  /** Looks that are left until the price in place is renewed. */
  private int refreshLooks;

  private long refreshUntil;

  /** Whether rows were timed since the last batch. */
  private boolean fresh;

  private long freshUntil;
  private int rowsToLook = FIRST_ROWS_TO_LOOK;
  private int batchRows;
  private boolean batching;

  /** When the last stretch of rows in place, or the last batch, began. */
  private long since;

  /** Before it, nothing is batched. */
  private final long batchesFrom;

  /** Batches since batching began. */
  private int batches;

  /** What a row's batch gained, lately, beginning with the second. */
  private double gainNanos;

  /** The work of the first batch that is judged. */
  private double firstBatchNanos = FIRST_BATCH_NANOS;

  /** Cores that were idle when a batch was last thought of. */
  private int idle;

  private long tryPauseNanos = FIRST_TRY_NANOS;
  private long nextTry;

  /**
   * @param prices of the plan's calls, shared with other tasks
   * @param idleCores how many of the executor's cores nobody uses now
   * @param otherCores how many cores of other executors there are for rows that take so many
   *     nanoseconds each
   * @param nanoTime the clock
   */
  public LearnedChoice(
      Setting setting,
      CallPrices prices,
      IntSupplier idleCores,
      DoubleToIntFunction otherCores,
      LongSupplier nanoTime,
      long seed) {
    this.setting = setting;
    this.prices = prices;
    this.idleCores = idleCores;
    this.otherCores = otherCores;
    this.nanoTime = nanoTime;
    this.random = new SplittableRandom(seed);
    this.inPlaceNanos = prices.inPlaceNanos();
    this.otherNanos = prices.otherNanos();
    this.copyNanos = prices.copyNanos() > 0 ? prices.copyNanos() : setting.copyNanos();
    this.coreShare = prices.coreShare();
    this.wallShare = prices.wallShare();
    this.timedRows = inPlaceNanos > 0 ? LEAST_TIMED : 0;
    this.since = nanoTime.getAsLong();
    this.copySince = since;
    this.nextTry = since;
    this.batchesFrom = since + (setting.mayStopEarly() ? (long) FIRST_BATCH_NANOS : 0);
    if (timedRows > 0 && !setting.mayStopEarly() && pays(since)) {
      begin();
    }
  }

  @Override
  public boolean isBatching() {
    return batching;
  }

  @Override
  public int rowsToLook() {
    return rowsToLook;
  }

  @Override
  public void look(long rows) {
    long now = nanoTime.getAsLong();
    double nanos = rows > 0 ? (double) (now - since) / rows : lastTimedNanos;
    if (nanos > 0) {
      rowNanos = rowNanos == 0 ? nanos : rowNanos + NEW_STRETCH * (nanos - rowNanos);
      // What a row takes now counts, if it is more than what the last ones did.
      double most = LOOK_NANOS / Math.max(rowNanos, nanos);
      rowsToLook = (int) Math.min(MOST_ROWS_TO_LOOK, most * (0.5 + random.nextDouble()));
    }
    if (rows >= LEAST_STRETCH) {
      learnWay(nanos);
    }
    if (timedRows >= LEAST_TIMED) {
      prices.learnInPlace(inPlaceNanos, otherNanos);
    }
    since = now;
    if (isRefreshing(now)) {
      refreshLooks--;
      if (refreshLooks > REFRESH_LOOKS) {
        rowsToLook = 0;
      }
    } else if (timedRows >= LEAST_TIMED && isWayKnown() && now - batchesFrom >= 0 && pays(now)) {
      begin();
    }
  }

  /** Of many rows, computed one after the other, each took so long on its whole way. */
  private void learnWay(double nanos) {
    stretchNanos[ways % STRETCHES] = nanos;
    ways++;
    wayIsFresh = true;
    double[] known = Arrays.copyOf(stretchNanos, Math.min(ways, STRETCHES));
    Arrays.sort(known);
    wayNanos = known[(known.length - 1) / 2];
    if (timedRows >= LEAST_TIMED && isWayKnown()) {
      inPlaceNanos = Math.min(inPlaceNanos, wayNanos);
      otherNanos = wayNanos - inPlaceNanos;
    }
  }

  /** Of rows so dear that each is looked at, there are no stretches. */
  private boolean isWayKnown() {
    return ways >= LEAST_STRETCHES || inPlaceNanos * LEAST_STRETCH > LOOK_NANOS;
  }

  private boolean isRefreshing(long now) {
    return refreshLooks > 0 && (timedRows < LEAST_TIMED || now - refreshUntil < 0);
  }

  @Override
  public void timed(long nanos) {
    timedRows++;
    fresh = true;
    lastTimedNanos = nanos;
    double weight = Math.max(NEW_ROW, 1.0 / timedRows);
    inPlaceNanos += weight * (nanos - inPlaceNanos);
    // The look itself is no part of the next stretch.
    since = nanoTime.getAsLong();
  }

  /** Whether batches are expected to be faster, or are worth a try. */
  private boolean pays(long now) {
    int here = idleCores.getAsInt();
    int others = setting.mayStopEarly() ? 0 : otherCores.applyAsInt(inPlaceNanos);
    idle = here + others;
    firstBatchNanos = here == 0 && others > 0 ? FAR_BATCH_NANOS : FIRST_BATCH_NANOS;
    doubtCopy(now);
    if (prices.pause().holds(now, inPlaceNanos, idle)) {
      return false;
    }
    double batched = expectedNanos();
    if (inPlaceNanos - batched > Math.max(LEAST_GAIN * inPlaceNanos, LEAST_GAIN_NANOS)) {
      return true;
    }
    if (setting.tries() && inPlaceNanos > 2 * copyNanos && now - nextTry >= 0) {
      nextTry = now + tryPauseNanos;
      tryPauseNanos *= 2;
      return true;
    }
    return false;
  }

  /** What a row in a batch is expected to take, with the cores that are idle now. */
  private double expectedNanos() {
    double share = coreShare > 0 ? coreShare : 1;
    double byCores = share * inPlaceNanos / (1 + idle);
    boolean othersKnown = setting.launchDevices() && wallShare > 0;
    return copyNanos + (othersKnown ? Math.min(byCores, wallShare * inPlaceNanos) : byCores);
  }

  private void begin() {
    batching = true;
    batches = 0;
    freshUntil = since + REFRESH_NANOS;
    batchRows = batchRows(READY_PART * firstBatchNanos);
  }

  private int batchRows(double nanos) {
    double rows = nanos / Math.max(1, inPlaceNanos + copyNanos);
    int least = setting.mayStopEarly() ? 1 : LEAST_BATCH_ROWS;
    return (int) Math.max(1, Math.min(setting.mostRows(), Math.max(least, rows)));
  }

  @Override
  public int batchRows() {
    return batchRows;
  }

  @Override
  public void batchDone(int rows, long wallNanos, long coreRows, long coreNanos) {
    long now = nanoTime.getAsLong();
    double way = (double) (now - since) / rows;
    double wall = (double) wallNanos / rows;
    if (coreRows > 0) {
      learnCore((double) coreNanos / coreRows);
    }
    since = now;
    fresh = false;
    if (++batches == 1) {
      // Copies of the UDF were made for it, memory was asked for, and helpers woke up.
      batchRows = batchRows(firstBatchNanos);
      return;
    }
    learnCopy(way - otherNanos - wall);
    double share = wall / inPlaceNanos;
    wallShare = wallShare == 0 ? share : wallShare + NEW_BATCH * (share - wallShare);
    prices.learnBatched(copyNanos, coreShare, wallShare);
    boolean slower = setting.tries() && wayIsFresh && way >= wayNanos;
    double price = priceInPlace(coreRows, coreNanos);
    double gain = Math.max(price - copyNanos - wall, -MOST_LOSS * price);
    gainNanos = batches == 2 ? gain : gainNanos + NEW_BATCH * (gain - gainNanos);
    boolean lost = slower || gainNanos <= 0;
    wayIsFresh = false;
    if (lost) {
      end();
      prices.pause().lost(now, inPlaceNanos, idle);
      return;
    }
    if (gain > 0) {
      prices.pause().won();
    }
    batchRows =
        setting.mayStopEarly()
            ? batchRows(FIRST_BATCH_NANOS)
            : (int) Math.min(mostRows(), 2L * batchRows);
    if (setting.tries() && now - freshUntil >= 0) {
      end();
      timedRows = 0;
      ways = 0;
      refreshLooks = REFRESH_ROWS + REFRESH_LOOKS;
      refreshUntil = now + MOST_REFRESH_NANOS;
      rowsToLook = 0;
    }
  }

  /**
   * Cores of others come and go while batches follow one another. With many, a batch of the usual
   * size is over after a few journeys, and each one's end leaves them without work for a while.
   */
  private long mostRows() {
    int shares = 1 + otherCores.applyAsInt(inPlaceNanos) / OTHERS_PER_SHARE;
    return (long) setting.mostRows() * Math.min(MOST_SHARES, shares);
  }

  /** Else what seemed to be too dear once would never be tried again. */
  private void doubtCopy(long now) {
    double guess = setting.copyNanos();
    if (copyNanos > guess && now - copySince > COPY_NANOS) {
      copyNanos = (copyNanos + guess) / 2;
      copySince = now;
    }
  }

  private void learnCopy(double nanos) {
    copySince = since;
    if (otherNanos >= 0) {
      double guess = setting.copyNanos();
      double most = Math.min(10 * guess, MOST_COPY_GROWTH * Math.max(guess, copyNanos));
      double bounded = Math.max(guess / 4, Math.min(most, nanos));
      copyNanos += NEW_STRETCH * (bounded - copyNanos);
    }
  }

  /**
   * What the rows of a batch would have taken in place: where cores call the function row by row,
   * as there, these rows tell it themselves. Rows differ too much for what others took.
   */
  private double priceInPlace(long coreRows, long coreNanos) {
    return setting.batchMethod() || coreRows == 0 ? inPlaceNanos : (double) coreNanos / coreRows;
  }

  @Override
  public String toString() {
    return String.format(
            Locale.ROOT,
            "a row takes %.0f ns inline, and a batch adds %.0f ns",
            inPlaceNanos,
            copyNanos)
        + (coreShare > 0 && coreShare != 1
            ? String.format(Locale.ROOT, ", with calls at %.2f of that on a core", coreShare)
            : "");
  }

  private void end() {
    batching = false;
    rowsToLook = FIRST_ROWS_TO_LOOK;
    rowNanos = 0;
  }

  /**
   * Rows turn dearer or cheaper while they are batched, and cores tell. A batch method's share of
   * the cost in place is found out by a batch that follows rows in place.
   */
  private void learnCore(double nanos) {
    if (!setting.batchMethod()) {
      coreShare = 1;
    } else if (coreShare == 0) {
      coreShare = nanos / inPlaceNanos;
    } else if (fresh) {
      coreShare += NEW_BATCH * (nanos / inPlaceNanos - coreShare);
      return;
    }
    double now = Math.min(MOST_GROWTH * inPlaceNanos, nanos / coreShare);
    inPlaceNanos += NEW_BATCH * (now - inPlaceNanos);
  }
}
