package io.github.sparkgpusched.bench.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The simulator against schedules that can be computed by hand, and dealers that are wrong. */
@Tag("simulate")
class SimulationTest {
  private static final Workload UNIFORM = Workload.of(Workload.shape("uniform"), 1000, 1);

  private static Machine equal(int devices, double launch, int depth) {
    return Machine.of(devices, Machine.Profile.EQUAL, launch, 0, depth, 1000, 7);
  }

  private static Simulation.Outcome run(Strategy strategy, Machine machine) {
    return Simulation.run(
        strategy,
        UNIFORM,
        machine,
        Simulation.ClaimCosts.NONE,
        SimulationOptions.DEFAULT.withWatchdog());
  }

  @Test
  void oneBlockForEachTakesALaunchAndItsRows() {
    Simulation.Outcome outcome = run(Contender.of("static").get(0).strategy(), equal(4, 10, 1));
    assertEquals(260, outcome.makespan(), 1e-6);
    assertEquals(1, outcome.ratio(), 1e-6);
    assertEquals(4, outcome.claims());
    assertEquals(10 / 260.0, outcome.idleShare(), 1e-6);
    assertEquals(0, outcome.duplicatedShare(), 1e-6);
  }

  @Test
  void withOneInFlightEveryLaunchIsWaitedFor() {
    Strategy fixed = Contender.fixed("fixed", 125).strategy();
    assertEquals(4 * (10 + 125), run(fixed, equal(2, 10, 1)).makespan(), 1e-6);
  }

  @Test
  void withTwoInFlightOnlyTheFirstLaunchIsWaitedFor() {
    Strategy fixed = Contender.fixed("fixed", 125).strategy();
    assertEquals(10 + 4 * 125, run(fixed, equal(2, 10, 2)).makespan(), 1e-6);
  }

  @Test
  void transfersLengthenTheLaunchByTheRow() {
    Machine machine = Machine.of(4, Machine.Profile.EQUAL, 10, 0.5, 1, 1000, 7);
    assertEquals(
        10 + 125 + 250, run(Contender.of("static").get(0).strategy(), machine).makespan(), 1e-6);
  }

  @Test
  void sharedClaimsAreMadeOneAfterTheOther() {
    Simulation.Outcome outcome =
        Simulation.run(
            Contender.fixed("fixed", 1).strategy(),
            UNIFORM,
            equal(100, 0, 1),
            Simulation.ClaimCosts.HOST,
            SimulationOptions.DEFAULT);
    // 100 devices could take one each 0.01; the shared place gives one each 0.3.
    assertEquals(1000 * 0.3 + 1, outcome.makespan(), 1e-6);
  }

  @Test
  void aDeviceThatStallsGoesOn() {
    Machine machine = Machine.of(2, Machine.Profile.STALL, 0, 0, 1, 1000, 7);
    // The block of 500 begins at 0, stops from 0.3 to 0.63 of the 500, and has 350 to go.
    assertEquals(
        500 * 1.33, run(Contender.of("static").get(0).strategy(), machine).makespan(), 1e-6);
  }

  @Test
  void aDeviceThatHangsIsFoundByTheWatchdog() {
    Machine machine = Machine.of(2, Machine.Profile.HANG, 0, 0, 1, 1000, 7);
    Simulation.Outcome outcome = run(Contender.of("static").get(0).strategy(), machine);
    // The block of 500 is given up after four times 500, and the other device computes it.
    assertEquals(2000 + 500, outcome.makespan(), 1e-6);
  }

  @Test
  void withoutAWatchdogARivalDoesNotEndWhenADeviceHangs() {
    Machine machine = Machine.of(2, Machine.Profile.HANG, 0, 0, 1, 1000, 7);
    Strategy strategy = Contender.of("static").get(0).strategy();
    assertThrows(
        IllegalStateException.class,
        () ->
            Simulation.run(
                strategy, UNIFORM, machine, Simulation.ClaimCosts.NONE, SimulationOptions.DEFAULT));
  }

  @Test
  void rowsThatArePublishedTwiceAreNoticed() {
    Strategy fixed = Contender.fixed("fixed", 600).strategy();
    Strategy twice = deal -> new Both(fixed.deal(deal), fixed.deal(deal));
    assertTrue(failure(twice).contains("row 0 was published twice"), failure(twice));
  }

  @Test
  void rowsThatNobodyComputesAreNoticed() {
    Strategy fixed = Contender.fixed("fixed", 600).strategy();
    Strategy short100 =
        deal ->
            fixed.deal(
                Deal.builder(900, deal.workers())
                    .starters(deal.starters())
                    .costs(deal.costs())
                    .costError(deal.costError())
                    .targetNanos(deal.targetNanos())
                    .mayRunTwice(deal.mayRunTwice())
                    .pace(deal.pace())
                    .build());
    assertTrue(failure(short100).contains("100 rows are not done"), failure(short100));
  }

  @Test
  void aDealerThatDealsTheSameRowsForEverIsNoticed() {
    Strategy fixed = Contender.fixed("fixed", 1).strategy();
    Strategy forEver = deal -> new NeverCommits(fixed.deal(deal));
    assertTrue(failure(forEver).contains("does not end"), failure(forEver));
  }

  private static String failure(Strategy strategy) {
    return assertThrows(IllegalStateException.class, () -> run(strategy, equal(2, 0, 1)))
        .getMessage();
  }

  /** A dealer for each of two workers, neither of which knows of the other. */
  private record Both(Dealer first, Dealer second) implements Dealer {
    private Dealer of(int worker) {
      return worker == 0 ? first : second;
    }

    @Override
    public boolean claim(int worker, long nowNanos, Claim claim) {
      return of(worker).claim(worker, nowNanos, claim);
    }

    @Override
    public void commit(int worker, Claim claim, long reached, long nanos, long nowNanos) {
      of(worker).commit(worker, claim, reached, nanos, nowNanos);
    }

    @Override
    public void handBack(int worker, Claim claim, long nowNanos) {
      of(worker).handBack(worker, claim, nowNanos);
    }

    @Override
    public long queuedRows(int worker) {
      return first.queuedRows(worker);
    }

    @Override
    public long rowsLeft() {
      return first.rowsLeft() + second.rowsLeft();
    }

    @Override
    public double costLeft() {
      return first.costLeft() + second.costLeft();
    }

    @Override
    public long rowsCommitted() {
      return Math.max(first.rowsCommitted(), second.rowsCommitted());
    }
  }

  /** Takes all that was computed for lost. */
  private static final class NeverCommits extends ForwardingDealer {
    NeverCommits(Dealer dealer) {
      super(dealer);
    }

    @Override
    public void commit(int worker, Claim claim, long reached, long nanos, long nowNanos) {
      dealer.handBack(worker, claim, nowNanos);
    }

    @Override
    public long rowsCommitted() {
      return 0;
    }
  }
}
