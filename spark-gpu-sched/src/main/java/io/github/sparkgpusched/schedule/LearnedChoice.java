package io.github.sparkgpusched.schedule;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleToIntFunction;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Batches rows as long as that is expected to be faster, by what rows were seen to cost.
 *
 * <p>In place a row costs its calls. In a batch it costs a copy, and its calls divided by those who
 * share them: cores that are idle now, or are its by right, or whoever else is faster. Both prices
 * are measured:
 *
 * <ul>
 *   <li>Of the rows in place some are timed ({@link Looks}), and so are the stretches between them
 *       ({@link InPlacePrice}).
 *   <li>What a copy costs is what a row's whole way through a batch takes more than its way in
 *       place does, beside its calls ({@link CopyPrice}).
 *   <li>Whether a batch method, or a device that is no core, is faster than a row at a time is
 *       found out by a batch that takes about a millisecond; the next such try comes twice as late,
 *       up to a bound. The rows of a batch may be unlike those before it: the median of the last
 *       few comparisons counts, and what a batch's rows would have taken in place is told by what
 *       cores took for them.
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
   * @param mayTravel whether other executors may compute all calls; else their cores do not count
   */
  public record Setting(
      double copyNanos,
      boolean batchMethod,
      boolean launchDevices,
      int mostRows,
      boolean mayStopEarly,
      boolean mayTravel) {
    /** Whether batches may be faster where no core is idle. */
    boolean tries() {
      return batchMethod || launchDevices;
    }
  }

  /** How long the price in place is believed where batches do not tell it. */
  private static final long REFRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The work of the first batch that is judged, and of every batch whose consumer may stop. */
  private static final double FIRST_BATCH_NANOS = 1e6;

  /** The same where none but other executors share it: rows must travel there and back. */
  private static final double FAR_BATCH_NANOS = 20e6;

  /** So many batches in a row are no gain by chance: a try that rows travel for costs much. */
  private static final int FAR_BATCHES = 7;

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

  /** A try takes about a millisecond: that often it costs next to nothing, whatever it finds. */
  private static final long MOST_TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Weight of the newest batch. */
  private static final double NEW_BATCH = 0.5;

  private final Setting setting;
  private final CallPrices prices;
  private final IntSupplier idleCores;
  private final DoubleToIntFunction otherCores;
  private final LongSupplier nanoTime;
  private final Looks looks;

  private final InPlacePrice inPlace;
  private final CopyPrice copy;

  /** Of a core's time for a row's calls in a batch. */
  private final TimeShare coreShare;

  /** Of the time of a whole batch, for each of its rows. */
  private final TimeShare deviceShare;

  /** Whether a stretch was measured since the last batch, which is compared with it then. */
  private boolean wayIsFresh;

  private double lastTimedNanos;

  /** Whether rows were timed since the last batch but the one that makes everything ready. */
  private boolean fresh;

  private long freshUntil;
  private int batchRows;
  private boolean batching;

  /** When the last stretch of rows in place, or the last batch, began. */
  private long since;

  /** Before it, nothing is batched. */
  private final long batchesFrom;

  /** Batches since batching began, and how many of them were judged. */
  private int batches;

  private int judged;

  /** Rows of the batch before the last rows in place, which were there to renew prices. */
  private int rowsBefore;

  /** What a row's batch gained, lately, of those that were judged. */
  private double gainNanos;

  /** Whether only cores of other executors were idle when a batch was last thought of. */
  private boolean far;

  /** The same of the batches at hand: what cores of this executor gained says nothing of others. */
  private boolean beganFar;

  /** Cores that there were for it when a batch was last thought of. */
  private int idle;

  private long tryPauseNanos = FIRST_TRY_NANOS;
  private long nextTry;

  /**
   * @param prices of the plan's calls, shared with other tasks
   * @param idleCores how many of the executor's cores would help a job that began now; see {@link
   *     Scheduler#coresForAnotherJob}
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
    this.otherCores = setting.mayTravel() ? otherCores : rowNanos -> 0;
    this.nanoTime = nanoTime;
    this.looks = new Looks(seed);
    this.inPlace = new InPlacePrice(prices);
    this.coreShare = new TimeShare(inPlace, prices.coreShare());
    this.deviceShare = new TimeShare(inPlace, prices.wallShare());
    this.since = nanoTime.getAsLong();
    this.copy = new CopyPrice(setting.copyNanos(), prices.copyNanos(), since);
    this.nextTry = since;
    this.batchesFrom = since + (setting.mayStopEarly() ? (long) FIRST_BATCH_NANOS : 0);
    if (inPlace.isTimed() && !setting.mayStopEarly() && pays(since)) {
      begin();
    }
  }

  @Override
  public boolean isBatching() {
    return batching;
  }

  @Override
  public int rowsToLook() {
    return looks.rows();
  }

  @Override
  public void look(long rows) {
    long now = nanoTime.getAsLong();
    double nanos = rows > 0 ? (double) (now - since) / rows : lastTimedNanos;
    looks.took(nanos);
    if (rows >= InPlacePrice.LEAST_STRETCH) {
      inPlace.stretch(nanos);
      wayIsFresh = true;
    }
    if (inPlace.isTimed()) {
      prices.learnInPlace(inPlace.callNanos(), inPlace.otherNanos());
    }
    since = now;
    if (!looks.goOnRenewing(now, inPlace.isTimed())
        && inPlace.isTimed()
        && inPlace.isWayKnown(Looks.NANOS)
        && now - batchesFrom >= 0) {
      if (pays(now)) {
        begin();
      } else {
        rowsBefore = 0;
      }
    }
  }

  @Override
  public void timed(long nanos) {
    inPlace.timed(nanos);
    fresh = true;
    lastTimedNanos = nanos;
    // The look itself is no part of the next stretch.
    since = nanoTime.getAsLong();
  }

  /** Whether batches are expected to be faster, or are worth a try. */
  private boolean pays(long now) {
    int here = idleCores.getAsInt();
    int others = setting.mayStopEarly() ? 0 : otherCores.applyAsInt(inPlace.callNanos());
    idle = here + others;
    far = here == 0 && others > 0;
    copy.doubt(now);
    if (pause().holds(now, inPlace.callNanos(), idle)) {
      return false;
    }
    double batched = expectedNanos();
    if (inPlace.callNanos() - batched
        > Math.max(LEAST_GAIN * inPlace.callNanos(), LEAST_GAIN_NANOS)) {
      return true;
    }
    if (setting.tries() && inPlace.callNanos() > 2 * copy.nanos() && now - nextTry >= 0) {
      nextTry = now + tryPauseNanos;
      tryPauseNanos = Math.min(MOST_TRY_NANOS, 2 * tryPauseNanos);
      return true;
    }
    return false;
  }

  /** The work of the first batch that is judged. */
  private double firstBatchNanos() {
    return far ? FAR_BATCH_NANOS : FIRST_BATCH_NANOS;
  }

  private LossPause pause() {
    return far ? prices.farPause() : prices.pause();
  }

  /** What a row in a batch is expected to take, with the cores that there are for it. */
  private double expectedNanos() {
    double byCores = (coreShare.isKnown() ? coreShare.get() : 1) * inPlace.callNanos() / (1 + idle);
    boolean devicesKnown = setting.launchDevices() && deviceShare.isKnown();
    return copy.nanos()
        + (devicesKnown ? Math.min(byCores, deviceShare.get() * inPlace.callNanos()) : byCores);
  }

  private void begin() {
    batching = true;
    freshUntil = since + REFRESH_NANOS;
    boolean wasFar = beganFar;
    beganFar = far;
    if (far && wasFar && rowsBefore > 0) {
      // Few rows that travel seldom gain anything, and all is ready still.
      batchRows = rowsBefore;
      return;
    }
    batches = 0;
    judged = 0;
    batchRows = batchRows(READY_PART * firstBatchNanos());
  }

  private int batchRows(double nanos) {
    double rows = nanos / Math.max(1, inPlace.callNanos() + copy.nanos());
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
    since = now;
    if (!batching) {
      return; // it was filled before the one that ended the batching was done
    }
    if (++batches == 1) {
      // Copies of the UDF were made for it, memory was asked for, and helpers woke up.
      batchRows = batchRows(firstBatchNanos());
      return;
    }
    if (batches == 2 && rows < batchRows) {
      return; // it was filled while the first one was computed, and is as small
    }
    judged++;
    double price = priceInPlace(wall, coreRows, coreNanos);
    fresh = false;
    if (inPlace.otherNanos() >= 0) {
      copy.measured(way - inPlace.otherNanos() - wall, now);
    }
    prices.learnBatched(copy.nanos(), coreShare.get(), deviceShare.get());
    boolean slower =
        setting.tries()
            && wayIsFresh
            && inPlace.otherNanos() >= 0
            && way >= inPlace.otherNanos() + price;
    double gain = Math.max(price - copy.nanos() - wall, -MOST_LOSS * price);
    gainNanos = judged == 1 ? gain : gainNanos + NEW_BATCH * (gain - gainNanos);
    boolean lost = slower || gainNanos <= 0;
    wayIsFresh = false;
    if (lost) {
      batching = false;
      looks.restart();
      rowsBefore = 0;
      pause().lost(now, firstBatchNanos(), inPlace.callNanos(), idle);
      return;
    }
    if (gain > 0 && judged >= (far ? FAR_BATCHES : 1)) {
      pause().won();
    }
    batchRows =
        setting.mayStopEarly()
            ? batchRows(FIRST_BATCH_NANOS)
            : (int) Math.min(mostRows(), Math.max(rowsBefore, 2L * batchRows));
    if (setting.tries() && now - freshUntil >= 0) {
      batching = false;
      rowsBefore = batchRows;
      inPlace.renew();
      looks.renew(now);
    }
  }

  /**
   * Cores of others come and go while batches follow one another. With many, a batch of the usual
   * size is over after a few journeys, and each one's end leaves them without work for a while.
   */
  private long mostRows() {
    int shares = 1 + otherCores.applyAsInt(inPlace.callNanos()) / OTHERS_PER_SHARE;
    return (long) setting.mostRows() * Math.min(MOST_SHARES, shares);
  }

  /**
   * What the rows of a batch would have taken in place. Where cores called the function row by row,
   * as in place, it is what they took; of a batch method and of devices it is found out by a batch
   * that follows rows in place.
   */
  private double priceInPlace(double wall, long coreRows, long coreNanos) {
    if (coreRows == 0) {
      return deviceShare.priceInPlace(wall, fresh);
    }
    double nanos = (double) Math.max(1, coreNanos) / coreRows;
    double price = nanos;
    if (setting.batchMethod()) {
      price = coreShare.priceInPlace(nanos, fresh);
    } else {
      inPlace.batched(nanos);
    }
    deviceShare.compared(wall, price);
    return price;
  }

  @Override
  public String toString() {
    return String.format(
            Locale.ROOT,
            "a row takes %.0f ns inline, and a batch adds %.0f ns",
            inPlace.callNanos(),
            copy.nanos())
        + (coreShare.isKnown()
            ? String.format(Locale.ROOT, ", with calls at %.2f of that on a core", coreShare.get())
            : "");
  }
}
