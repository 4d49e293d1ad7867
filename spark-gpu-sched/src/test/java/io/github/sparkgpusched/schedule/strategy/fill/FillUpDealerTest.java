package io.github.sparkgpusched.schedule.strategy.fill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.DealerDriver;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.PrefixCosts;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.RowSet;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FillUpDealerTest {
  private static final long TARGET_NANOS = 100_000;
  private static final int[] ROWS = {0, 1, 2, 3, 17, 300, 20_000};

  private static Deal deal(long rows, int workers, long launchNanos, boolean twice) {
    List<WorkerSpec> specs = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      specs.add(WorkerSpec.staged(1, launchNanos, 0, 2));
    }
    return Deal.builder(rows, specs)
        .starters(workers)
        .targetNanos(TARGET_NANOS)
        .mayRunTwice(twice)
        .build();
  }

  private static Claim claim(Dealer dealer, int worker, long nowNanos) {
    Claim claim = new Claim();
    assertTrue(dealer.claim(worker, nowNanos, claim), "worker " + worker + " got nothing");
    return claim;
  }

  @Test
  void everyRowOnceWhateverIsHandedBackAndWhoeverLeaves() {
    drive(false);
  }

  /** Rows that are opened again are published once, and by threads only if nobody else has them. */
  @Test
  void everyRowIsPublishedOnceWhereItMayRunTwice() {
    drive(true);
  }

  private static void drive(boolean twice) {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      int rows = ROWS[seed % ROWS.length];
      int workers = 1 + random.nextInt(6);
      List<WorkerSpec> specs = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        specs.add(
            twice && random.nextInt(3) == 0
                ? WorkerSpec.host()
                : WorkerSpec.staged(
                    random.nextBoolean() ? 1 : 0.1 + 8 * random.nextDouble(),
                    random.nextInt(3) == 0 ? 100 : 10_000 + random.nextInt(100_000),
                    random.nextInt(3),
                    1 + random.nextInt(3)));
      }
      RangeCosts costs = PrefixCosts.random(rows, random);
      int starters = 1 + random.nextInt(workers);
      Deal deal =
          Deal.builder(rows, specs)
              .starters(starters)
              .costs(costs)
              .targetNanos(TARGET_NANOS)
              .mayRunTwice(twice)
              .build();
      try {
        new DealerDriver(deal, new FillUpDealer(deal), random, twice ? 1000 : 100).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /** A device with time for thousands of launches looks into its rows before it takes many. */
  @Test
  void placesBetweenAreMeasuredFirst() {
    Dealer dealer = new FillUpDealer(deal(1_000_000, 2, 50_000, false));
    List<Long> places = new ArrayList<>();
    long now = 0;
    Claim claim = claim(dealer, 0, now);
    long probeRows = claim.rows();
    while (claim.rows() <= probeRows) {
      places.add(claim.from());
      long nanos = 1000 * claim.rows();
      now += 50_000 + nanos;
      dealer.commit(0, claim, claim.until(), nanos, now);
      claim = claim(dealer, 0, now);
    }
    assertTrue(probeRows < 1000, "a probe of " + probeRows + " rows");
    assertEquals(8, places.size(), places.toString());
    places.add(500_000L);
    Collections.sort(places);
    for (int i = 1; i < places.size(); i++) {
      long apart = places.get(i) - places.get(i - 1);
      assertTrue(apart <= 130_000, "nothing measured between " + places);
    }
    assertEquals(1_000_000, dealer.rowsLeft() + dealer.rowsCommitted() + claim.rows());
    assertEquals(dealer.rowsLeft(), dealer.queuedRows(0) + dealer.queuedRows(1));
  }

  @Test
  void whoHasTimeForFewLaunchesMeasuresNoMorePlaces() {
    Dealer dealer = new FillUpDealer(deal(1_000, 2, 50_000, false));
    Claim probe = claim(dealer, 0, 0);
    dealer.commit(0, probe, probe.until(), 1000 * probe.rows(), 51_000);
    assertEquals(probe.until(), claim(dealer, 0, 51_000).from());
  }

  /** Two threads beside two devices whose launches are expensive. */
  private static Deal mixed(long rows, int starters) {
    WorkerSpec device = WorkerSpec.staged(32, 50_000, 0, 1);
    List<WorkerSpec> specs = List.of(WorkerSpec.host(), WorkerSpec.host(), device, device);
    return Deal.builder(rows, specs).starters(starters).targetNanos(TARGET_NANOS).build();
  }

  @Test
  void whoHasLightLaunchesTakesAFewRowsOfOthers() {
    Dealer dealer = new FillUpDealer(mixed(1_000_000, 4));
    assertEquals(0, dealer.queuedRows(0) + dealer.queuedRows(1));
    assertEquals(500_000, dealer.queuedRows(2));
    assertEquals(500_000, dealer.queuedRows(3));
    long now = 0;
    for (int block = 0; block < 100; block++) {
      // Nobody waits for the devices: they may never answer.
      Claim claim = claim(dealer, 0, now);
      assertTrue(claim.foreign(), "its own rows");
      assertTrue(claim.rows() <= 60, "block " + block + " has " + claim.rows() + " rows");
      now += 1000 * claim.rows();
      dealer.commit(0, claim, claim.until(), 1000 * claim.rows(), now);
      assertTrue(dealer.queuedRows(0) <= 60, "it keeps " + dealer.queuedRows(0) + " rows");
    }
    // What is left is in two pieces still, each with the device that it was dealt to.
    assertEquals(
        dealer.rowsLeft(), dealer.queuedRows(0) + dealer.queuedRows(2) + dealer.queuedRows(3));
    assertEquals(0, claim(dealer, 2, now).from());
    assertEquals(500_000, claim(dealer, 3, now).from());
  }

  @Test
  void whoHasLightLaunchesTakesRowsOfDevicesThatNeverAsk() {
    Dealer dealer = new FillUpDealer(mixed(2, 4));
    for (int row = 0; row < 2; row++) {
      Claim claim = claim(dealer, 0, row);
      assertEquals(1, claim.rows());
      dealer.commit(0, claim, claim.until(), 1, row + 1);
    }
    assertEquals(2, dealer.rowsCommitted());
  }

  /**
   * With a thread's few rows measured, a device that wants 10,000 at once knows how many to take.
   */
  @Test
  void whoWantsManyRowsWaitsForWhatThreadsMeasureFirst() {
    Dealer dealer = new FillUpDealer(wantsManyRows().build());
    Claim measured = claim(dealer, 0, 0);
    Claim device = new Claim();
    assertFalse(dealer.claim(1, 0, device));
    assertTrue(device.retryNanos() <= 50_000, "asks again after " + device.retryNanos() + " ns");
    dealer.commit(0, measured, measured.until(), 10_000, 10_000);
    assertTrue(claim(dealer, 1, 10_000).rows() >= 10_000);
  }

  @Test
  void butNotLongerThanALaunch() {
    Dealer dealer = new FillUpDealer(wantsManyRows().build());
    claim(dealer, 0, 0);
    assertFalse(dealer.claim(1, 0, new Claim()));
    claim(dealer, 1, 50_000);
  }

  @Test
  void norWhereItIsKnownWhatRowsTake() {
    claim(new FillUpDealer(wantsManyRows().costError(0.1).pace(new Pace(0, 1000)).build()), 1, 0);
  }

  /** A thread, and a device of 32 times its speed. */
  private static Deal.Builder wantsManyRows() {
    WorkerSpec device = new WorkerSpec(32, 50_000, 0, 1, true, 10_000, 0);
    return Deal.builder(1_000_000, List.of(WorkerSpec.host(), device)).targetNanos(TARGET_NANOS);
  }

  @Test
  void allRowsAreDealtWhereOnlyLightDevicesBegin() {
    Dealer dealer = new FillUpDealer(mixed(1_000_000, 2));
    assertEquals(500_000, dealer.queuedRows(0));
    assertEquals(500_000, dealer.queuedRows(1));
  }

  @Test
  void whoLeavesLeavesAllItsRowsToOthers() {
    Dealer dealer = new FillUpDealer(deal(1_000_000, 2, 50_000, false));
    long now = 0;
    for (int block = 0; block < 4; block++) {
      Claim claim = claim(dealer, 0, now);
      now += 50_000 + 1000 * claim.rows();
      dealer.commit(0, claim, claim.until(), 1000 * claim.rows(), now);
    }
    dealer.leave(0);
    assertEquals(0, dealer.queuedRows(0));
    while (dealer.rowsLeft() > 0) {
      Claim claim = claim(dealer, 1, now);
      now += 50_000 + 1000 * claim.rows();
      dealer.commit(1, claim, claim.until(), 1000 * claim.rows(), now);
    }
    assertEquals(1_000_000, dealer.rowsCommitted());
  }

  /** A thief may cut the far part off while a block that was taken there is in flight. */
  @Test
  void aBlockTellsOfTheEndThatItWasTakenFrom() {
    Border right = Border.unknown(false);
    Segment segment = new Segment(0, 80, 80, Border.unknown(false), right, 0, null);
    FillUpDevice device = new FillUpDevice(0, WorkerSpec.staged(1, 50_000, 0, 2), 50_000);
    Flight rear = new Flight(device, 80, 100, 20, 0, segment, false);
    segment.right = Border.unknown(false);
    new Densities(new FillUpDevice[] {device}, 1).learn(rear, 20, 40);
    assertEquals(2, right.nanosPerCost);
    assertFalse(segment.right.isMeasured());
  }

  /** Some devices stop for good with blocks in flight; what they had is done by others, once. */
  @Test
  void rowsOfDevicesThatHangAreDoneByOthersAndPublishedOnce() {
    for (int seed = 0; seed < 200; seed++) {
      try {
        runWithHangs(new Random(seed), 1 + ROWS[seed % ROWS.length]);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private record Running(int worker, Claim claim, long endNanos) {}

  private static void runWithHangs(Random random, int rows) {
    int workers = 2 + random.nextInt(5);
    Dealer dealer = new FillUpDealer(deal(rows, workers, 50_000, true));
    boolean[] hangs = new boolean[workers];
    for (int i = 1; i < workers; i++) {
      hangs[i] = random.nextBoolean();
    }
    RowSet published = new RowSet();
    List<Running> running = new ArrayList<>();
    long now = 0;
    for (int step = 0; dealer.rowsCommitted() < rows; step++) {
      assertTrue(step < 100_000, "does not end");
      for (int worker = 0; worker < workers; worker++) {
        Claim claim = new Claim();
        if (dealer.claim(worker, now, claim)) {
          boolean stops = hangs[worker] && random.nextInt(3) == 0;
          long nanos = 50_000 + 200 * claim.rows() + random.nextInt(10_000);
          running.add(new Running(worker, claim, stops ? Long.MAX_VALUE : now + nanos));
        }
      }
      now += 5_000 + random.nextInt(20_000);
      for (Running block : List.copyOf(running)) {
        if (block.endNanos() <= now) {
          running.remove(block);
          Claim claim = block.claim();
          dealer.commit(block.worker(), claim, claim.until(), 200 * claim.rows(), now);
          for (int i = 0; i < claim.wonRanges(); i++) {
            published.add(claim.wonFrom(i), claim.wonUntil(i));
          }
        }
      }
    }
    assertEquals(rows, published.size());
  }

  @Test
  void theSecondToCommitRowsIsToldThatItLost() {
    Dealer dealer = new FillUpDealer(deal(2, 2, 50_000, true));
    Claim slow = claim(dealer, 0, 0);
    Claim fast = claim(dealer, 1, 0);
    dealer.commit(1, fast, fast.until(), 100, 60_000);
    Claim again = claim(dealer, 1, 900_000);
    assertEquals(Claim.Source.REOPENED, again.source());
    assertEquals(slow.from(), again.from());
    dealer.commit(1, again, again.until(), 100, 1_000_000);
    assertEquals(1, again.wonRows());
    dealer.commit(0, slow, slow.until(), 900_000, 1_000_001);
    assertEquals(0, slow.wonRows());
    assertEquals(2, dealer.rowsCommitted());
  }

  @Test
  void nothingRunsTwiceUnlessItMay() {
    Dealer dealer = new FillUpDealer(deal(2, 2, 50_000, false));
    Claim slow = claim(dealer, 0, 0);
    Claim fast = claim(dealer, 1, 0);
    dealer.commit(1, fast, fast.until(), 100, 60_000);
    Claim again = new Claim();
    assertFalse(dealer.claim(1, 900_000, again));
    assertEquals(Claim.NEVER, again.retryNanos());
    dealer.handBack(0, slow, 1_000_000);
    assertEquals(slow.from(), claim(dealer, 1, 1_000_001).from());
  }

  /** Late on the clock, the work of a row that costs next to nothing is lost in rounding. */
  @Test
  void rowsThatCountAsNoWorkAreClaimed() {
    List<WorkerSpec> worker = List.of(WorkerSpec.staged(1, 50_000, 0, 1));
    RangeCosts costs = new PrefixCosts(1, 0);
    Dealer dealer =
        new FillUpDealer(
            Deal.builder(2, worker).starters(1).costs(costs).targetNanos(TARGET_NANOS).build());
    long now = 1L << 60;
    Claim first = claim(dealer, 0, now);
    dealer.commit(0, first, 1, 100, now + 100);
    assertEquals(1, claim(dealer, 0, now + 200).from());
  }

  @Test
  void aBlockThatWasHandedBackIsRefused() {
    Dealer dealer = new FillUpDealer(deal(1, 2, 50_000, false));
    Claim lost = claim(dealer, 0, 0);
    dealer.handBack(0, lost, 100);
    Claim second = claim(dealer, 1, 200);
    dealer.commit(1, second, second.until(), 100, 60_000);
    dealer.commit(0, lost, lost.until(), 100, 70_000);
    assertEquals(0, lost.wonRows());
    assertEquals(1, dealer.rowsCommitted());
  }

  @Test
  void aDeviceThatIsFourTimesFasterDoesMostOfTheWork() {
    long[] rows = rows(new FillUpDealer(deal(100_000, 2, 10_000, false)), 25, 100);
    double ratio = (double) rows[0] / rows[1];
    assertTrue(ratio > 3.5 && ratio < 4.5, "ratio " + ratio);
  }

  private static double errorAfterOneMore(Pace pace, int... rowNanos) {
    Deal before = deal(100_000, 2, 10_000, false);
    Deal deal =
        Deal.builder(before.rows(), before.workers())
            .starters(2)
            .targetNanos(TARGET_NANOS)
            .costError(pace.error())
            .pace(pace)
            .build();
    rows(new FillUpDealer(deal), rowNanos);
    return pace.error();
  }

  @Test
  void jobsThatGoAsExpectedMakeCostsKnown() {
    Pace pace = new Pace();
    assertEquals(1, pace.error());
    assertEquals(1, errorAfterOneMore(pace, 100, 100));
    assertEquals(100, pace.nanosPerCost(), 1);
    assertTrue(errorAfterOneMore(pace, 100, 100) >= 0.5, "one is no proof: " + pace);
    errorAfterOneMore(pace, 101, 101);
    assertTrue(errorAfterOneMore(pace, 99, 99) < 0.2, pace.toString());
    assertEquals(1, errorAfterOneMore(pace, 300, 300), "rows that turn dear are unknown again");
    assertEquals(300, pace.nanosPerCost(), 3);
  }

  /** They are declared anew for each job, and costs are times on a device as declared. */
  @Test
  void costsStayUnknownWhereSpeedsAreNotAsDeclared() {
    Pace pace = new Pace();
    for (int job = 0; job < 6; job++) {
      assertTrue(errorAfterOneMore(pace, 25, 100) >= 0.5, pace.toString());
    }
  }

  /** All rows of a job by two devices; how many each of them did. */
  private static long[] rows(Dealer dealer, int... rowNanos) {
    long[] rows = new long[2];
    long[] free = new long[2];
    Claim[] claims = {new Claim(), new Claim()};
    boolean[] busy = new boolean[2];
    while (dealer.rowsCommitted() < 100_000) {
      int worker = free[0] <= free[1] ? 0 : 1;
      long now = free[worker];
      if (busy[worker]) {
        Claim done = claims[worker];
        long nanos = done.rows() * rowNanos[worker];
        dealer.commit(worker, done, done.until(), nanos, now);
        rows[worker] += done.rows();
        busy[worker] = false;
      }
      Claim next = claims[worker];
      if (dealer.claim(worker, now, next)) {
        free[worker] = now + 10_000 + next.rows() * rowNanos[worker];
        busy[worker] = true;
      } else {
        free[worker] = now + 2_000;
      }
    }
    return rows;
  }

  /**
   * A thread writes results as it computes them: it takes rows that are in flight on a device only
   * once that device has handed them back.
   */
  @Test
  void aThreadDoesNotComputeWhatIsInFlightElsewhere() {
    WorkerSpec device = WorkerSpec.staged(1, 50_000, 0, 1);
    List<WorkerSpec> workers = new ArrayList<>(List.of(device, device));
    // So many threads that they would be done with it sooner than a launch.
    workers.addAll(Collections.nCopies(30, WorkerSpec.host()));
    Deal deal =
        Deal.builder(2, workers).starters(2).targetNanos(TARGET_NANOS).mayRunTwice(true).build();
    Dealer dealer = new FillUpDealer(deal);
    Claim hung = claim(dealer, 0, 0);
    Claim fast = claim(dealer, 1, 0);
    dealer.commit(1, fast, fast.until(), 100, 60_000);
    for (int thread = 2; thread < workers.size(); thread++) {
      dealer.join(thread);
    }
    assertFalse(dealer.claim(2, 900_000, new Claim()), "in flight on device 0");
    Claim again = claim(dealer, 1, 900_001);
    assertEquals(Claim.Source.REOPENED, again.source());
    dealer.handBack(1, again, 900_002);
    dealer.leave(1);
    assertFalse(dealer.claim(2, 900_003, new Claim()), "still in flight on device 0");
    dealer.handBack(0, hung, 900_004);
    dealer.leave(0);
    Claim mine = claim(dealer, 2, 2_000_000);
    assertEquals(hung.from(), mine.from());
    dealer.commit(2, mine, mine.until(), 100, 2_000_100);
    assertEquals(1, mine.wonRows());
    assertEquals(2, dealer.rowsCommitted());
  }

  /**
   * Of rows that were opened again, a thread computes those that nobody has committed, and no
   * others: it cannot take its results back.
   */
  @Test
  void whatIsCommittedOfABlockThatWasOpenedAgainIsNotThereToBeClaimed() {
    Reopened twice = new Reopened();
    twice.dealer.handBack(1, twice.again, 900_002);
    twice.dealer.leave(1);
    twice.commitSlowTo(60);
    twice.dealer.leave(0);
    twice.othersAreComputed(2, 40);
  }

  /** The same, where the second to claim the rows ends last. */
  @Test
  void whatAnotherHasCommittedIsNotHandedBack() {
    Reopened twice = new Reopened();
    twice.commitSlowTo(10);
    twice.dealer.leave(0);
    twice.dealer.handBack(1, twice.again, 900_003);
    twice.dealer.leave(1);
    twice.othersAreComputed(2, 90);
  }

  @Test
  void whatAnotherHasCommittedIsNotLeftByWhoGetsLessFar() {
    Reopened twice = new Reopened();
    twice.commitSlowTo(10);
    twice.dealer.leave(0);
    twice.dealer.commit(1, twice.again, 5, 100, 900_003);
    assertEquals(0, twice.again.wonRows());
    twice.dealer.leave(1);
    twice.othersAreComputed(2, 90);
  }

  @Test
  void whatAnotherHasCommittedIsNotOpenedOnceMore() {
    Reopened twice = new Reopened();
    twice.commitSlowTo(10);
    for (long now = 2_000_000; twice.dealer.rowsCommitted() < 200; now += 1_000_000) {
      Claim mine = claim(twice.dealer, 0, now);
      twice.dealer.commit(0, mine, mine.until(), 100, now + 100);
      assertEquals(mine.rows(), mine.wonRows(), mine::toString);
    }
  }

  /** A device still computes rows that others have published: what it does is late for nobody. */
  @Test
  void aBlockThatOthersHaveCommittedIsNotOpenedInPlaceOfALateOne() {
    WorkerSpec device = new WorkerSpec(1, 50_000, 0, 1, true, 100, 0);
    Deal deal =
        Deal.builder(300, List.of(device, device, device))
            .starters(3)
            .targetNanos(TARGET_NANOS)
            .mayRunTwice(true)
            .build();
    Dealer dealer = new FillUpDealer(deal);
    Claim slow = claim(dealer, 0, 0);
    Claim fast = claim(dealer, 1, 0);
    Claim late = claim(dealer, 2, 0);
    dealer.commit(1, fast, fast.until(), 100, 60_000);
    Claim again = claim(dealer, 1, 900_001);
    assertEquals(slow.from(), again.from());
    dealer.commit(0, slow, slow.until(), 100, 900_002);
    dealer.leave(0);
    dealer.handBack(2, late, 900_003);
    claim(dealer, 2, 900_004);
    dealer.join(0);
    for (long now = 2_000_000; dealer.rowsCommitted() < 300; now += 1_000_000) {
      Claim mine = claim(dealer, 0, now);
      dealer.commit(0, mine, mine.until(), 100, now + 100);
      assertEquals(mine.rows(), mine.wonRows());
    }
  }

  /** Of 200 rows a device has 100 in flight, the first of which another has claimed, too. */
  private static final class Reopened {
    final Dealer dealer;
    final Claim slow;
    final Claim again;

    Reopened() {
      WorkerSpec device = new WorkerSpec(1, 50_000, 0, 1, true, 100, 0);
      Deal deal =
          Deal.builder(200, List.of(device, device, WorkerSpec.host()))
              .starters(2)
              .targetNanos(TARGET_NANOS)
              .mayRunTwice(true)
              .build();
      dealer = new FillUpDealer(deal);
      slow = claim(dealer, 0, 0);
      Claim fast = claim(dealer, 1, 0);
      assertEquals(0, slow.from());
      assertEquals(100, slow.until());
      dealer.commit(1, fast, fast.until(), 100, 60_000);
      dealer.join(2);
      again = claim(dealer, 1, 900_001);
      assertEquals(Claim.Source.REOPENED, again.source());
      assertEquals(0, again.from());
      assertTrue(again.rows() > 10, again::toString);
    }

    /** The others did not fit. */
    void commitSlowTo(long reached) {
      dealer.commit(0, slow, reached, 900_002, 900_002);
    }

    /** A worker claims these rows, and none that are published. */
    void othersAreComputed(int worker, long left) {
      assertEquals(left, dealer.rowsLeft());
      long committed = 200 - left;
      for (long now = 2_000_000; committed < 200; now += 1_000_000) {
        Claim mine = claim(dealer, worker, now);
        dealer.commit(worker, mine, mine.until(), 100, now + 100);
        assertEquals(mine.rows(), mine.wonRows());
        committed += mine.rows();
      }
      assertEquals(200, committed);
      assertEquals(200, dealer.rowsCommitted());
    }
  }

  /**
   * A device whose block takes as long with one row as with a hundred gets no blocks of one row.
   */
  @Test
  void blocksAreAsLargeAsADeviceComputesAtOnce() {
    WorkerSpec wide = new WorkerSpec(1, 10_000, 0, 1, true, 100, 0);
    Deal deal = Deal.builder(1050, List.of(wide)).starters(1).targetNanos(TARGET_NANOS).build();
    Dealer dealer = new FillUpDealer(deal);
    long now = 0;
    int small = 0;
    while (dealer.rowsCommitted() < 1050) {
      Claim claim = new Claim();
      if (dealer.claim(0, now, claim)) {
        small += claim.rows() < 100 ? 1 : 0;
        now += 500_000;
        dealer.commit(0, claim, claim.until(), 490_000, now);
      } else {
        now = Math.max(now + 1, claim.retryNanos());
      }
    }
    assertTrue(small <= 1, small + " blocks are smaller, of which only the last may be");
  }

  /** Others are done with all rows before it could be with one: it claims none. */
  @Test
  void aDeviceHasNoPartInWhatIsDoneWithinItsLatency() {
    WorkerSpec wide = new WorkerSpec(100, 10_000, 0, 1, true, 1000, 10_000_000);
    WorkerSpec quick = WorkerSpec.staged(1, 0, 0, 1);
    Deal deal = Deal.builder(2000, List.of(wide, quick)).targetNanos(TARGET_NANOS).build();
    Dealer dealer = new FillUpDealer(deal);
    long now = 0;
    while (dealer.rowsCommitted() < 2000) {
      assertFalse(dealer.claim(0, now, new Claim()), "it has a latency of 10 ms");
      Claim claim = claim(dealer, 1, now);
      now += 1000 * claim.rows();
      dealer.commit(1, claim, claim.until(), 1000 * claim.rows(), now);
    }
  }

  /** Its first block takes its latency, whatever it finds; but it does not wait for ever. */
  @Test
  void aDeviceWaitsForWhatOthersMeasureWithFewRows() {
    WorkerSpec wide = new WorkerSpec(100, 1_000_000, 0, 1, true, 1000, 0);
    WorkerSpec quick = WorkerSpec.staged(1, 0, 0, 1);
    Deal deal = Deal.builder(1_000_000, List.of(wide, quick)).targetNanos(TARGET_NANOS).build();
    Claim none = new Claim();
    Dealer measured = new FillUpDealer(deal);
    assertFalse(measured.claim(0, 0, none));
    assertTrue(none.retryNanos() < 1_000_000, "asks again at " + none.retryNanos());
    Claim few = claim(measured, 1, 0);
    measured.commit(1, few, few.until(), 1000 * few.rows(), none.retryNanos());
    claim(measured, 0, none.retryNanos());
    Dealer silent = new FillUpDealer(deal);
    claim(silent, 1, 0);
    assertFalse(silent.claim(0, 999_999, new Claim()));
    claim(silent, 0, 1_000_000);
  }

  /** A hundred rows took as long as a thousand would have: they are not ten times as dear. */
  @Test
  void aBlockOfFewRowsDoesNotMakeThemLookDear() {
    WorkerSpec wide = new WorkerSpec(1, 10_000, 0, 1, true, 1000, 0);
    FillUpDevice device = new FillUpDevice(0, wide, 10_000);
    device.fullCost = 1000;
    assertEquals(1_000, device.nanosOfRows(100, 10_000, 0), "nothing is known");
    device.learnLatency(10);
    assertEquals(10_000, device.latencyNanos);
    assertEquals(1_000, device.nanosOfRows(100, 10_000, 10), "as expected");
    assertEquals(10_000, device.nanosOfRows(500, 10_000, 50), "not more than that");
    assertEquals(20_000, device.nanosOfRows(100, 20_000, 10), "more work than fills it");
    device.took(5_000);
    device.learnLatency(10);
    assertEquals(5_000, device.latencyNanos, "no block is shorter than its latency");
  }

  /** Rows that cost next to nothing where they were measured may be heavy a few rows on. */
  @Test
  void cheapRowsAreClaimedAPartAtATime() {
    Dealer dealer = new FillUpDealer(deal(2_000_000, 2, 1_000_000, false));
    Claim cheap = claim(dealer, 0, 0);
    Claim heavy = claim(dealer, 1, 0);
    dealer.commit(0, cheap, cheap.until(), 10 * cheap.rows(), 2_000_000);
    dealer.commit(1, heavy, heavy.until(), 1000 * heavy.rows(), 2_000_000);
    long now = 2_000_000;
    for (int block = 0; block < 12; block++) {
      long left = dealer.rowsLeft();
      Claim next = claim(dealer, 0, now);
      assertTrue(23 * next.rows() <= left, next.rows() + " of " + left + " rows");
      now += 1_000_000 + 10 * next.rows();
      dealer.commit(0, next, next.until(), 10 * next.rows(), now);
    }
  }

  /**
   * A few rows more cost little, and a row or two of a small segment tell nothing of the others.
   */
  @Test
  void manyDevicesMeasureMoreThanARowOrTwo() {
    assertEquals(122, claim(new FillUpDealer(deal(1_000_000, 8, 10_000, false)), 0, 0).rows());
    assertEquals(15, claim(new FillUpDealer(deal(1_000_000, 512, 10_000, false)), 0, 0).rows());
    assertEquals(1, claim(new FillUpDealer(deal(1_000_000, 8192, 10_000, false)), 0, 0).rows());
  }

  /** Devices that are not there, as cores that others may lend, make nobody's segment smaller. */
  @Test
  void devicesThatMayComeMakeNoProbeLarger() {
    List<WorkerSpec> specs = new ArrayList<>();
    for (int i = 0; i < 136; i++) {
      specs.add(WorkerSpec.staged(1, 10_000, 0, 2));
    }
    Deal deal = Deal.builder(1_000_000, specs).starters(8).targetNanos(TARGET_NANOS).build();
    assertEquals(122, claim(new FillUpDealer(deal), 0, 0).rows());
  }

  /** Little is left, and a launch is hidden behind a block that takes as long as one, or longer. */
  @Test
  void rowsAtHalfTheMeanHideALaunch() {
    FillUpDevice device = new FillUpDevice(0, WorkerSpec.staged(1, 10_000, 0, 2), 10_000);
    double most = new BlockSizes(1e6, false, 10_000).nearMean(device, 1e6, 12, 100, 100);
    assertEquals(10_000, 50 * most);
  }

  /** Beside a launch that is hidden a block of two is long enough, and later ones mend more. */
  @Test
  void blocksBesideHiddenLaunchesMayBeShort() {
    BlockSizes sizes = new BlockSizes(1e6, false, 10_000);
    WorkerSpec one = WorkerSpec.staged(1, 10_000, 0, 1);
    WorkerSpec two = WorkerSpec.staged(1, 10_000, 0, 2);
    assertEquals(20_000, sizes.blockNanos(new FillUpDevice(0, two, 10_000), 100_000, 1));
    assertEquals(40_000, sizes.blockNanos(new FillUpDevice(0, one, 10_000), 100_000, 1));
  }

  /** What is left of a job is little, and a launch dear: nobody pays one for a single row. */
  @Test
  void aBlockLastsHalfALaunchAtLeast() {
    Deal deal = deal(2000, 4, 10_000, true);
    Dealer dealer = new FillUpDealer(deal);
    List<Long> blocks = new ArrayList<>();
    long now = 0;
    while (dealer.rowsCommitted() < 2000) {
      for (int worker = 0; worker < 4; worker++) {
        Claim claim = new Claim();
        if (dealer.claim(worker, now, claim)) {
          blocks.add(claim.rows());
          dealer.commit(worker, claim, claim.until(), 1000 * claim.rows(), now + 10_000);
        }
      }
      now += 20_000;
    }
    // A row takes 1000 ns: probes and what is left of a segment are smaller, and nothing else.
    long small = blocks.stream().filter(rows -> rows < 5).count();
    assertTrue(small <= 16, blocks.toString());
  }

  /** A block of two was thought to take a microsecond, and has taken ten milliseconds. */
  @Test
  void whatIsLateIsOpenedAgainInSmallPieces() {
    Dealer dealer = new FillUpDealer(deal(4000, 2, 10_000, true));
    Claim first = claim(dealer, 0, 0);
    Claim hangs = claim(dealer, 1, 0);
    dealer.commit(1, hangs, hangs.until(), 10 * hangs.rows(), 10_010);
    dealer.commit(0, first, first.until(), 10 * first.rows(), 10_010);
    hangs = claim(dealer, 1, 10_010);
    long now = 20_020;
    Claim claim = new Claim();
    while (dealer.rowsLeft() > 0 && now < 50_000_000) {
      if (dealer.claim(0, now, claim)) {
        now += 10_000 + 10 * claim.rows();
        dealer.commit(0, claim, claim.until(), 10 * claim.rows(), now);
        claim = new Claim();
      } else {
        now += 10_000;
      }
    }
    now += 10_000_000;
    Claim again = claim(dealer, 0, now);
    assertEquals(Claim.Source.REOPENED, again.source());
    assertTrue(4 * again.rows() < hangs.rows(), again.rows() + " of " + hangs.rows());
  }

  /** It would ask again and again, as if it could run once more what the device has in flight. */
  @Test
  void aCoreWaitsWhileAllRowsAreInFlightThoughTheyMayRunTwice() {
    List<WorkerSpec> workers = List.of(WorkerSpec.staged(1, 10_000, 0, 2), WorkerSpec.host());
    FillUpDealer dealer =
        new FillUpDealer(
            Deal.builder(2, workers).targetNanos(TARGET_NANOS).mayRunTwice(true).build());
    dealer.join(0);
    dealer.join(1);
    Claim slow = claim(dealer, 0, 0);
    Claim core = new Claim();
    long now = 1;
    while (dealer.claim(1, now, core)) {
      now += 100;
      dealer.commit(1, core, core.until(), 100, now);
      core = new Claim();
    }
    assertEquals(0, dealer.rowsLeft());
    assertEquals(Claim.NEVER, core.retryNanos());
    dealer.handBack(0, slow, now);
    assertTrue(dealer.rowsLeft() > 0);
  }

  /** Until all is done, one device of two claims and computes; nanoseconds that it took. */
  private static long aloneNanos(long begin, long rows, WorkerSpec absent, WorkerSpec there) {
    FillUpDealer dealer =
        new FillUpDealer(
            Deal.builder(rows, List.of(absent, there))
                .targetNanos(100_000)
                .mayRunTwice(true)
                .build());
    long now = begin;
    while (dealer.rowsCommitted() < rows) {
      Claim claim = new Claim();
      if (dealer.claim(1, now, claim)) {
        long nanos = Math.max(Math.max(there.latencyNanos(), 34_560), 10 * claim.rows());
        now += there.launchNanos() + nanos;
        dealer.commit(1, claim, claim.until(), nanos, now);
      } else {
        assertTrue(claim.retryNanos() != Claim.NEVER, () -> dealer.rowsLeft() + " rows left");
        now = Math.max(now + 1, claim.retryNanos());
        long at = now - begin;
        assertTrue(at < 1_000_000_000, () -> dealer.rowsLeft() + " rows left after " + at);
      }
    }
    return now - begin;
  }

  /** It is busy with another job, or in trouble, though it would have been done sooner. */
  @Test
  void aDeviceThatDoesNotAskIsNotWaitedForByOneWithALatency() {
    for (long latency : new long[] {0, 40_000}) {
      for (long rows : new long[] {20_000, 200_000}) {
        long nanos =
            aloneNanos(
                1_234_567,
                rows,
                new WorkerSpec(108, 10_000, 0, 2, true, 3456, latency),
                new WorkerSpec(108, 10_100, 0, 2, true, 3456, latency * 41 / 40));
        assertTrue(nanos < 4 * 10 * rows + 1_000_000, () -> nanos + " ns for " + rows);
      }
    }
  }

  /** After 231 days a double has no nanoseconds any more, but four of them. */
  @Test
  void aClockOfManyDaysIsNoReasonToDecline() {
    for (int i = 0; i < 200; i++) {
      FillUpDealer dealer =
          new FillUpDealer(
              Deal.builder(
                      20_000, List.of(wide(10_000 + i, 300_000 + i), wide(10_100 + i, 300_000 + i)))
                  .targetNanos(100_000)
                  .costError(0.1)
                  .pace(new Pace(0, 1000))
                  .build());
      long now = 20_000_000_000_000_000L + 7L * i;
      Claim first = new Claim();
      Claim second = new Claim();
      boolean one = dealer.claim(0, now, first);
      boolean other = dealer.claim(1, now, second);
      assertTrue(one || other, "both decline, " + i);
    }
  }

  private static WorkerSpec wide(long launchNanos, long latencyNanos) {
    return new WorkerSpec(100, launchNanos, 0, 1, true, 1000, latencyNanos);
  }

  @Test
  void aKnownLatencyCountsFromTheFirstBlockOn() {
    WorkerSpec slow = new WorkerSpec(100, 10_000, 0, 1, true, 1000, 10_000_000);
    WorkerSpec other = new WorkerSpec(50, 10_000, 0, 1, true, 1, 0);
    Deal deal =
        Deal.builder(4000, List.of(slow, other))
            .targetNanos(100_000)
            .costError(0.1)
            .pace(new Pace(0, 1000))
            .build();
    FillUpDealer dealer = new FillUpDealer(deal);
    Claim claim = new Claim();
    assertFalse(dealer.claim(0, 0, claim), () -> claim + ", and the other is done in 0.1 ms");
    assertTrue(dealer.claim(1, 0, claim));
  }
}
