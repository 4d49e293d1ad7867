package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.IntToDoubleFunction;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.Test;

/** On a clock that moves by what rows are said to cost. */
class LearnedChoiceTest {
  private static final int ROWS = 2_000_000;
  private static final double OTHER_NANOS = 20;
  private static final double COPY_NANOS = 20;

  /** A task whose rows go through a choice as those of a query do. */
  private static final class Task {
    private final IntToDoubleFunction cost;
    private final CallPrices prices;
    private LongToIntFunction idleCores = nanos -> 0;
    private int otherCores;
    private boolean mayTravel = true;
    private boolean soughtOthers;

    /** Of what sharing with them saves, what is lost to journeys. */
    private IntToDoubleFunction journeys = batch -> 0;

    /** What one takes, whatever there is to share. */
    private double journeyNanos;

    /** Whether a batch is filled while the one before it is computed. */
    private boolean overlaps;

    /** Rows of the one that is filled so; 0: none is. */
    private int nextRows;

    private double batchShare = 1;
    private double copyNanos = COPY_NANOS;
    private double otherNanos = OTHER_NANOS;

    /** What is measured of a row that is timed, beyond its calls. */
    private double clockNanos;

    /** What a row takes besides, in place. */
    private IntToDoubleFunction delay = row -> 0;

    /** What a batch after rows in place takes besides. */
    private double setUpNanos;

    private boolean wasInPlace = true;

    /** Whether a core seems to be idle that is not. */
    private boolean seemsIdle;

    private boolean batchMethod;
    private boolean mayStopEarly;
    private boolean launchDevices;

    /** What a device that is no core takes for a batch, over what a core does; 0: there is none. */
    private IntToDoubleFunction deviceShare = row -> 0;

    private double now = 1e9;
    private int inPlace;
    private int batched;
    private int batches;
    private int largestBatch;
    private int firstBatched = -1;
    private LearnedChoice choice;

    Task(IntToDoubleFunction cost, CallPrices prices) {
      this.cost = cost;
      this.prices = prices;
    }

    Task(IntToDoubleFunction cost) {
      this(cost, new CallPrices());
    }

    /** Nanoseconds that all rows take. */
    double run(int rows) {
      choice =
          new LearnedChoice(
              new LearnedChoice.Setting(
                  COPY_NANOS, batchMethod, launchDevices, 16384, mayStopEarly, mayTravel),
              prices,
              () -> seemsIdle ? 1 : idleCores.applyAsInt((long) now),
              rowNanos -> {
                soughtOthers = true;
                return otherCores;
              },
              () -> (long) now,
              7);
      double begin = now;
      int row = 0;
      int left = choice.rowsToLook();
      int since = 0;
      while (row < rows) {
        if (choice.isBatching()) {
          row = batch(row, rows);
          left = choice.rowsToLook();
          since = 0;
          continue;
        }
        boolean timed = false;
        if (left-- == 0) {
          now += 30;
          choice.look(since);
          since = 0;
          if (choice.isBatching()) {
            continue;
          }
          left = choice.rowsToLook();
          timed = true;
        }
        double nanos = cost.applyAsDouble(row);
        now += otherNanos + nanos + delay.applyAsDouble(row);
        if (timed) {
          now += 60;
          choice.timed(Math.max(1, (long) (nanos + clockNanos)));
        } else {
          since++;
        }
        wasInPlace = true;
        nextRows = 0;
        inPlace++;
        row++;
      }
      return now - begin;
    }

    private int batch(int from, int rows) {
      int until = Math.min(rows, from + (nextRows > 0 ? nextRows : choice.batchRows()));
      nextRows = overlaps ? choice.batchRows() : 0;
      double work = 0;
      for (int row = from; row < until; row++) {
        work += cost.applyAsDouble(row) * batchShare;
        now += otherNanos + copyNanos;
      }
      double share = deviceShare.applyAsDouble(from);
      boolean onDevice = share > 0;
      double wall =
          5_000
              + (onDevice
                  ? work * share
                  : work / (1 + otherCores + idleCores.applyAsInt((long) now)))
              + journeys.applyAsDouble(batches) * work
              + journeyNanos;
      if (wasInPlace) {
        wall += setUpNanos;
        wasInPlace = false;
      }
      now += wall;
      choice.batchDone(
          until - from, (long) wall, onDevice ? 0 : until - from, onDevice ? 0 : (long) work);
      if (firstBatched < 0) {
        firstBatched = from;
      }
      batched += until - from;
      batches++;
      largestBatch = Math.max(largestBatch, until - from);
      return until;
    }
  }

  /** A copy takes ten times as long as was thought: batches of cheap rows are given up. */
  @Test
  void aCopyCostsWhatItTakes() {
    CallPrices prices = new CallPrices();
    Task task = new Task(row -> 150, prices);
    task.copyNanos = 10 * COPY_NANOS;
    task.idleCores = nanos -> 1;
    task.run(ROWS);
    assertTrue(prices.copyNanos() > 3 * COPY_NANOS, prices::toString);
    assertTrue(task.batched < 0.1 * ROWS, () -> task.batched + " rows batched");
  }

  private static double plainNanos(IntToDoubleFunction cost, int rows) {
    double nanos = 0;
    for (int row = 0; row < rows; row++) {
      nanos += OTHER_NANOS + cost.applyAsDouble(row);
    }
    return nanos;
  }

  @Test
  void cheapRowsStayWhereTheyAre() {
    Task task = new Task(row -> 10);
    task.idleCores = nanos -> 7;
    double nanos = task.run(ROWS);
    assertEquals(0, task.batched);
    assertTrue(nanos < 1.02 * plainNanos(row -> 10, ROWS), () -> nanos + " ns");
  }

  /**
   * Calls that take less than reading the clock, in a session that began when the code was not
   * compiled yet: a row seemed to take a microsecond, and batches have been faster ever since.
   */
  @Test
  void whatTheClockAddsIsNoReasonForBatches() {
    CallPrices prices = new CallPrices();
    prices.learnInPlace(1000, 500);
    prices.learnBatched(COPY_NANOS / 4, 0.03, 0.03);
    Task task = cheaperThanTheClock(prices);
    task.idleCores = nanos -> 1;
    task.run(10 * ROWS);
    double inPlace = prices.inPlaceNanos();
    assertTrue(inPlace < 8, () -> inPlace + " ns a row in place");
    assertFalse(task.choice.isBatching(), () -> "still batching: " + task.choice);
    Task next = cheaperThanTheClock(prices);
    next.run(ROWS);
    assertTrue(next.batched < 0.01 * ROWS, () -> next.batched + " rows batched");
  }

  private static Task cheaperThanTheClock(CallPrices prices) {
    Task task = new Task(row -> 1, prices);
    task.otherNanos = 5;
    task.copyNanos = COPY_NANOS / 2;
    task.clockNanos = 20;
    task.batchMethod = true;
    task.batchShare = 0.7;
    return task;
  }

  /** Whatever is believed of a copy: here, that it costs next to nothing. */
  @Test
  void aBatchThatTookLongerThanTheRowsBeforeItIsTheLast() {
    LearnedChoice.Setting setting = new LearnedChoice.Setting(1, true, false, 16384, false, true);
    long[] now = {0};
    LearnedChoice choice =
        new LearnedChoice(setting, new CallPrices(), () -> 3, rowNanos -> 0, () -> now[0], 7);
    while (!choice.isBatching()) {
      now[0] += 120L * choice.rowsToLook();
      choice.look(choice.rowsToLook());
      if (!choice.isBatching()) {
        choice.timed(100);
      }
    }
    // The first makes everything ready. Of a copy no more than ten times the guess is believed: ten
    // nanoseconds.
    for (int i = 0; i < 2; i++) {
      assertTrue(choice.isBatching(), choice::toString);
      now[0] += 130L * choice.batchRows();
      choice.batchDone(choice.batchRows(), 30L * choice.batchRows(), 0, 0);
    }
    assertFalse(choice.isBatching(), choice::toString);
  }

  /**
   * A task's first rows may meet code that is being compiled, and memory that nobody has touched.
   */
  @Test
  void aStretchThatWasHeldUpSaysNothingOfWhatRowsTake() {
    Task task = new Task(row -> 6);
    task.delay = row -> row < 9 ? 12_000 : 0;
    task.otherNanos = 50;
    task.copyNanos = 2 * COPY_NANOS;
    task.clockNanos = 40;
    task.batchMethod = true;
    task.batchShare = 0.1;
    task.run(ROWS);
    assertTrue(task.batched < 0.1 * ROWS, () -> task.batched + " rows batched");
  }

  /** A batch of small data, or of a time when nothing was compiled, is no reason for ever. */
  @Test
  void aCopyThatSeemedToBeDearIsTriedAgain() {
    CallPrices prices = new CallPrices();
    prices.learnInPlace(120, OTHER_NANOS);
    prices.learnBatched(10 * COPY_NANOS, 1, 1);
    Task task = new Task(row -> 120, prices);
    task.idleCores = nanos -> 1;
    task.run(2 * ROWS);
    assertTrue(task.batched > 0.5 * 2 * ROWS, () -> task.batched + " rows batched");
  }

  /** Copies of UDFs are made, memory is asked for, and a helper wakes up: once. */
  @Test
  void whatTheFirstBatchTakesBesidesIsNoReasonToGoBack() {
    Task task = new Task(row -> 120);
    task.setUpNanos = 1e6;
    task.idleCores = nanos -> 1;
    task.run(ROWS);
    assertTrue(task.batched > 0.99 * ROWS, () -> task.batched + " rows batched");
  }

  @Test
  void oneBatchInWhichACoreWasAwayIsNoReasonToGoBack() {
    Task task = new Task(row -> 120);
    task.idleCores = nanos -> 1;
    task.run(ROWS / 2);
    int rows = task.choice.batchRows();
    task.now += 25.0 * rows + 3e6;
    task.choice.batchDone(rows, 3_000_000, rows, 120L * rows);
    assertTrue(task.choice.isBatching(), task.choice::toString);
    task.now += 25.0 * rows + 3e6;
    task.choice.batchDone(rows, 3_000_000, rows, 120L * rows);
    assertFalse(task.choice.isBatching(), task.choice::toString);
  }

  /** Of a plan with many short tasks each would else try what has lost in the one before. */
  @Test
  void theNextTaskDoesNotTryAtOnceWhatHasLost() {
    CallPrices prices = new CallPrices();
    int[] batches = {0};
    double now = 1e9;
    for (int i = 0; i < 100; i++) {
      Task task = new Task(row -> 100, prices);
      task.now = now;
      task.batchMethod = true;
      task.batchShare = 2;
      task.run(ROWS / 100);
      now = task.now;
      batches[0] += task.batches;
    }
    assertTrue(batches[0] > 0, "not tried");
    assertTrue(batches[0] < 40, () -> batches[0] + " batches");
  }

  /** A batch in which a core was away for ten milliseconds says nothing of what rows cost. */
  @Test
  void aCoreThatIsTakenAwayForAMomentMakesNoRowExpensive() {
    CallPrices prices = new CallPrices();
    Task task = new Task(row -> 300, prices);
    task.batchMethod = true;
    task.batchShare = 0.3;
    task.run(ROWS / 4);
    assertTrue(task.choice.isBatching(), task.choice::toString);
    int rows = task.choice.batchRows();
    task.now += 100.0 * rows + 1e7;
    task.choice.batchDone(rows, 90L * rows + 10_000_000, rows, 90L * rows + 10_000_000);
    int next = task.choice.batchRows();
    assertTrue(next >= rows, () -> next + " rows after " + rows);
    assertTrue(task.choice.toString().startsWith("a row takes 3"), task.choice::toString);
  }

  @Test
  void withNobodyToShareWithAllStayWhereTheyAre() {
    Task task = new Task(row -> 5000);
    task.run(100_000);
    assertEquals(0, task.batched);
  }

  @Test
  void anIdleCoreGetsItsPartOfExpensiveRows() {
    Task task = new Task(row -> 1000);
    task.idleCores = nanos -> 1;
    double nanos = task.run(ROWS);
    assertTrue(task.batched > 0.99 * ROWS, () -> task.batched + " rows batched");
    assertTrue(nanos < 1.02 * ROWS * (OTHER_NANOS + COPY_NANOS + 500), () -> nanos + " ns");
  }

  @Test
  void aCoreThatGetsIdleIsSeenSoon() {
    Task task = new Task(row -> 2000);
    task.idleCores = nanos -> nanos < 1.5e9 ? 0 : 3;
    task.run(ROWS);
    int before = (int) (0.5e9 / (2000 + OTHER_NANOS) * 0.99); // looking takes time, too
    int soon = before + 3000; // 6 ms later
    assertTrue(
        task.firstBatched >= before && task.firstBatched < soon,
        () -> task.firstBatched + " is the first that is batched, after " + before);
  }

  @Test
  void whenNoCoreIsIdleAnyMoreRowsStayAgain() {
    Task task = new Task(row -> 500);
    task.idleCores = nanos -> nanos < 1.2e9 ? 1 : 0;
    double nanos = task.run(ROWS);
    double shared = OTHER_NANOS + COPY_NANOS + 250;
    double best = 0.2e9 + (ROWS - 0.2e9 / shared) * (OTHER_NANOS + 500);
    assertTrue(nanos < 1.02 * best, () -> nanos + " ns, not " + best);
  }

  /** Each time that a core seems to be idle, a batch is tried for nothing. */
  @Test
  void coresThatSeemToBeIdleCostLittle() {
    Task task = new Task(row -> 100);
    task.seemsIdle = true;
    double nanos = task.run(ROWS);
    assertTrue(nanos < 1.03 * plainNanos(row -> 100, ROWS), () -> nanos + " ns");
  }

  /** Large rows of unlike cost: now and then a batch seems to have gained. */
  @Test
  void journeysThatLoseCostLittle() {
    IntToDoubleFunction cost = row -> row / 500 % 2 == 0 ? 20_000 : 200_000;
    Task task = new Task(cost);
    task.otherCores = 1;
    task.journeys = batch -> batch % 3 == 2 ? 0.4 : 0.8;
    double nanos = task.run(ROWS / 4);
    double plain = plainNanos(cost, ROWS / 4);
    assertTrue(task.batches > 0, "not tried");
    assertTrue(nanos < 1.03 * plain, () -> nanos + " ns, not " + plain);
  }

  /** Of a batch of 5 ms, which makes all ready, journeys take more than sharing gains. */
  @Test
  void theSecondOfTwoSmallBatchesIsNotJudged() {
    IntToDoubleFunction cost = row -> 50_000;
    Task task = new Task(cost);
    task.launchDevices = true;
    task.otherCores = 1;
    task.journeyNanos = 4e6;
    task.overlaps = true;
    double nanos = task.run(ROWS / 10);
    double plain = plainNanos(cost, ROWS / 10);
    assertTrue(nanos < 0.55 * plain, () -> nanos + " ns, not half of " + plain);
  }

  /** A few rows in place, as their price may have changed, are no reason for small batches. */
  @Test
  void journeysGoOnWithAsManyRows() {
    Task task = new Task(row -> 50_000);
    task.launchDevices = true;
    task.otherCores = 1;
    task.journeyNanos = 4e6;
    task.run(ROWS / 4);
    int full = ROWS / 4 / 16_384;
    assertTrue(task.batches < full + 20, () -> task.batches + " batches, of which " + full + " do");
    assertTrue(task.inPlace > 50, () -> "prices are not renewed: " + task.inPlace + " in place");
  }

  /** Batches gained while a core here was idle; those that travel are tried with few rows. */
  @Test
  void whatIdleCoresHereGainedIsNoReasonForLargeJourneys() {
    Task task = new Task(row -> 20_000);
    task.launchDevices = true;
    task.otherCores = 1;
    double end = 4e9;
    double[] atFirst = new double[2];
    task.idleCores =
        now -> {
          if (now > end && atFirst[0] == 0 && !task.choice.isBatching()) {
            atFirst[0] = now;
            atFirst[1] = task.inPlace + task.batched;
          }
          return atFirst[0] == 0 ? 1 : 0;
        };
    task.journeys = batch -> atFirst[0] == 0 ? 0 : 0.9;
    int rows = 550_000;
    task.run(rows);
    double plain = plainNanos(row -> 20_000, (int) (rows - atFirst[1]));
    double nanos = task.now - atFirst[0];
    assertTrue(atFirst[0] > 0 && plain > 1e9, () -> "no journeys: " + task.inPlace + " in place");
    assertTrue(nanos < 1.07 * plain, () -> nanos + " ns, not " + plain);
  }

  @Test
  void aFasterBatchMethodIsFoundOut() {
    Task task = new Task(row -> 300);
    task.batchMethod = true;
    task.batchShare = 0.3;
    double nanos = task.run(ROWS);
    double best = ROWS * (OTHER_NANOS + COPY_NANOS + 90);
    assertTrue(nanos < 1.05 * best, () -> nanos + " ns, not " + best);
  }

  @Test
  void aSlowerBatchMethodCostsLittle() {
    Task task = new Task(row -> 300);
    task.batchMethod = true;
    task.batchShare = 2;
    double nanos = task.run(ROWS);
    assertTrue(task.batches > 0, "not tried");
    assertTrue(nanos < 1.02 * plainNanos(row -> 300, ROWS), () -> nanos + " ns");
  }

  @Test
  void aFasterDeviceIsFoundOut() {
    Task task = new Task(row -> 300);
    task.launchDevices = true;
    task.deviceShare = row -> 0.05;
    double nanos = task.run(10 * ROWS);
    double best = 10.0 * ROWS * (OTHER_NANOS + COPY_NANOS + 15);
    assertTrue(nanos < 1.1 * best, () -> nanos + " ns, not " + best);
  }

  /** While a batch method computes them, nobody sees what rows would cost in place. */
  @Test
  void rowsThatTurnCheapWhileTheyAreBatchedGoBack() {
    IntToDoubleFunction cost = row -> row < ROWS / 2 ? 1000 : 5;
    Task task = new Task(cost);
    task.batchMethod = true;
    task.batchShare = 0.3;
    double nanos = task.run(ROWS);
    double best = ROWS / 2.0 * (OTHER_NANOS + COPY_NANOS + 300) + ROWS / 2.0 * (OTHER_NANOS + 5);
    assertTrue(nanos < 1.05 * best, () -> nanos + " ns, not " + best);
    assertFalse(task.choice.isBatching(), () -> "still batching: " + task.choice);
  }

  /** Nobody tells what a core would take for rows that a device computes. */
  @Test
  void rowsThatTurnCheapWhileADeviceComputesThemGoBack() {
    Task task = new Task(row -> row < ROWS / 2 ? 1000 : 5);
    task.launchDevices = true;
    task.deviceShare = row -> 0.3;
    task.run(10 * ROWS);
    assertFalse(task.choice.isBatching(), () -> "still batching: " + task.choice);
    assertTrue(task.inPlace > 8 * ROWS, () -> task.inPlace + " rows in place");
  }

  /** As one does that others use, too: a batch alone does not tell it from dearer rows. */
  @Test
  void rowsLeaveADeviceThatTurnsSlow() {
    Task task = new Task(row -> 1000);
    task.launchDevices = true;
    task.deviceShare = row -> row < 5 * ROWS ? 0.3 : 2;
    task.run(10 * ROWS);
    assertFalse(task.choice.isBatching(), () -> "still batching: " + task.choice);
    assertTrue(task.inPlace > 4 * ROWS, () -> task.inPlace + " rows in place");
  }

  @Test
  void theNextTaskBeginsWithWhatThisOneLearned() {
    CallPrices prices = new CallPrices();
    Task first = new Task(row -> 1000, prices);
    first.run(10_000);
    assertEquals(0, first.batched);
    Task second = new Task(row -> 1000, prices);
    second.idleCores = nanos -> 1;
    second.run(10_000);
    assertEquals(0, second.inPlace);
  }

  /** Those of others are not even asked for: they would be taken, and idle. */
  @Test
  void callsThatStayCountNoCoresOfOthers() {
    Task task = new Task(row -> 50_000);
    task.otherCores = 24;
    task.mayTravel = false;
    task.run(ROWS / 10);
    assertEquals(0, task.batched);
    assertFalse(task.soughtOthers);
  }

  /** A millisecond of work is all that a consumer may have computed in vain. */
  @Test
  void batchesThatManyCoresOfOthersShareAreLarger() {
    Task task = new Task(row -> 50_000);
    task.otherCores = 7;
    task.run(ROWS / 10);
    assertEquals(16_384, task.largestBatch);
    task.otherCores = 24;
    task.run(ROWS / 10);
    assertEquals(4 * 16_384, task.largestBatch);
    task.otherCores = 200;
    task.run(ROWS / 4);
    assertEquals(8 * 16_384, task.largestBatch);
  }

  @Test
  void batchesStaySmallWhereTheConsumerMayStop() {
    Task task = new Task(row -> 10_000);
    task.mayStopEarly = true;
    task.idleCores = nanos -> 3;
    task.run(100_000);
    assertTrue(task.batched > 0);
    assertTrue(task.largestBatch <= 100, () -> task.largestBatch + " rows");
    assertTrue(task.firstBatched > 90, () -> "batched from row " + task.firstBatched);
  }

  /** Rows that are timed are drawn by chance: a pattern must not hide the expensive ones. */
  @Test
  void everyFourthRowIsExpensive() {
    for (int phase = 0; phase < 4; phase++) {
      int expensive = phase;
      CallPrices prices = new CallPrices();
      Task task = new Task(row -> row % 4 == expensive ? 700 : 2, prices);
      task.run(ROWS);
      double mean = prices.inPlaceNanos();
      assertTrue(mean > 50 && mean < 500, () -> mean + " ns a row");
      task = new Task(row -> row % 4 == expensive ? 700 : 2, prices);
      task.idleCores = nanos -> 1;
      Task second = task;
      double nanos = task.run(ROWS);
      assertTrue(second.batched > 0.9 * ROWS, () -> second.batched + " rows batched");
      assertTrue(nanos < 1.05 * ROWS * (OTHER_NANOS + COPY_NANOS + 88), () -> nanos + " ns");
    }
  }

  /** What rows took before tells little of a batch of others: its own rows do. */
  @Test
  void rowsThatDifferAreJudgedByTheirOwnPrices() {
    Task task = new Task(row -> row / 50_000 % 2 == 0 ? 60 : 1000);
    task.idleCores = nanos -> 1;
    task.run(ROWS);
    assertTrue(task.inPlace < 4000, () -> task.inPlace + " rows in place");
  }

  /** Rows that turn out to be expensive are noticed after a thousand of them, not later. */
  @Test
  void rowsThatTurnExpensiveAreNoticed() {
    Task task = new Task(row -> row < ROWS / 2 ? 1 : 50_000);
    task.otherNanos = 1;
    task.idleCores = nanos -> 1;
    task.run(ROWS / 2 + 20_000);
    assertTrue(
        task.firstBatched < ROWS / 2 + 3000,
        () -> task.firstBatched - ROWS / 2 + " rows until they were batched");
  }

  /**
   * Columns of a picture, one after the other: of each a part takes a hundred times what the rest
   * does, and there neighbours differ, too. A few rows in place say little of the batch after them.
   */
  private static double picture(int row) {
    int column = row / 1600;
    int dear = 100 + 600 * (column % 40) / 40;
    double chance = ((row * 0x9E3779B97F4A7C15L) >>> 40) / (double) (1 << 24);
    boolean isDear = Math.abs(row % 1600 - 800) < dear;
    return isDear ? 5000 : -200 * Math.log(1 - chance);
  }

  @Test
  void aBatchMethodIsJudgedRightWhereNeighboursDiffer() {
    for (double share : new double[] {0.5, 1}) {
      Task task = new Task(LearnedChoiceTest::picture);
      task.batchMethod = true;
      task.batchShare = share;
      task.idleCores = nanos -> 1;
      double nanos = task.run(ROWS);
      double best = 0;
      for (int row = 0; row < ROWS; row++) {
        best += OTHER_NANOS + COPY_NANOS + share * picture(row) / 2;
      }
      double over = nanos / best;
      assertTrue(over < 1.05, () -> over + " of the best with a share of " + share);
    }
  }

  @Test
  void aDeviceIsJudgedRightWhereNeighboursDiffer() {
    for (double share : new double[] {0.05, 0.3, 0.7, 1.5}) {
      Task task = new Task(LearnedChoiceTest::picture);
      task.launchDevices = true;
      task.deviceShare = row -> share;
      double nanos = task.run(ROWS);
      double best = 0;
      for (int row = 0; row < ROWS; row++) {
        best += OTHER_NANOS + Math.min(picture(row), COPY_NANOS + share * picture(row));
      }
      double over = nanos / best;
      assertTrue(over < 1.1, () -> over + " of the best with a share of " + share);
    }
  }
}
