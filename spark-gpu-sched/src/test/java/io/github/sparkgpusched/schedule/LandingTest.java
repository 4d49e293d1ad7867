package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LandingTest {
  private static final long NANOS = 1_000_000;

  /** A launch that says it took so long. */
  private record Done(long nanos, Runnable atClose) implements Launch {
    Done(long nanos) {
      this(nanos, () -> {});
    }

    @Override
    public void start() {}

    @Override
    public boolean isDone() {
      return true;
    }

    @Override
    public long computeNanos() {
      return nanos;
    }

    @Override
    public Transfers transfers() {
      return Transfers.NONE;
    }

    @Override
    public void publish(long from, long until, RowsLeft left) {}

    @Override
    public void close() {
      atClose.run();
    }
  }

  private static LaunchCost declared(long nanos) {
    LaunchCost cost = new LaunchCost();
    cost.declare(nanos);
    return cost;
  }

  /** A job of all launch devices, and of no core. */
  private static Job job(Rig rig, JobSpec spec, Strategy strategy, CostMemory memory) {
    JobWorkers workers =
        new JobWorkers(new Placement.Placed(rig.scheduler.owners(), 1), false, 1, 0, new Pace());
    return new Job(spec, strategy, workers, memory, rig.scheduler.cores());
  }

  /** A device at the job, apart from the owner that the rig has for it. */
  private record Side(Flights flights, Landing landing, DevicePart part, LaunchCost cost) {
    static Side of(Rig rig, Job job, int worker) {
      return of(rig, job, worker, declared(1));
    }

    static Side of(Rig rig, Job job, int worker, LaunchCost cost) {
      LoadEntry load = new LoadEntry("side", 1);
      Flights flights = new Flights(load);
      DeviceOwner owner = rig.scheduler.owners().get(worker);
      Landing landing =
          new Landing(rig.scheduler.helpers(), owner.device(), 1 + worker, load, flights, cost);
      return new Side(flights, landing, new DevicePart(job, job.dealer, worker, worker == 0), cost);
    }

    Flights.Block claim(long now) {
      return claim(now, NANOS);
    }

    /**
     * Claims and launches.
     *
     * @param computeNanos what the launch will say
     */
    Flights.Block claim(long now, long computeNanos) {
      return claim(null, now, computeNanos);
    }

    /** As well, for the launch of another block, which is not launched yet, unless that is null. */
    Flights.Block claim(Flights.Block beside, long now, long computeNanos) {
      Flights.Block block = flights.claim(part, new Claim(), beside, now);
      if (block != null) {
        flights.launched(block, new Done(computeNanos), block.claim.until(), now);
      }
      return block;
    }
  }

  @Test
  void aRowThatWasComputedTwiceIsRememberedAtTheTimeOfOne() throws Exception {
    List<FakeDevice> devices = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      devices.add(new FakeDevice("fake:" + i, 1));
    }
    try (Rig rig = new Rig(1, devices, 100_000, Rig.DEFAULT, LaunchPolicy.DEFAULT)) {
      JobSpec spec =
          JobSpec.of(1, Rig.body((from, until) -> {})).mayRunTwice(true).repeats("again").build();
      CostMemory memory = new CostMemory();
      Job job = job(rig, spec, Rig.DEFAULT, memory);
      Side loser = Side.of(rig, job, 0);
      Side winner = Side.of(rig, job, 1);
      long now = System.nanoTime();
      Flights.Block first = loser.claim(now);
      for (int idle = 1; idle < devices.size(); idle++) {
        assertNull(Side.of(rig, job, idle).claim(now + 1), "the row is in flight");
      }
      Flights.Block second = null;
      for (int after = 1; second == null && after < 10; after++) {
        second = winner.claim(now + TimeUnit.SECONDS.toNanos(after));
      }
      assertNotNull(second, "it takes so long that the row is opened again");
      winner.landing.land(second);
      loser.landing.land(first);
      assertNull(job.failure());
      job.keepCosts(memory);
      assertEquals(1.0 * NANOS, memory.recall("again", 1).costs().between(0, 1), 0.1 * NANOS);
      assertEquals(1, job.stats(0).rows());
    }
  }

  /** Only of a block that was alone, and whose time is known, can what a launch adds be told. */
  @Test
  void whatALaunchAddsIsLearnedFromBlocksThatWereAlone() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    Strategy fixed = Strategies.byName("fixed", new Strategies.Options(10));
    try (Rig rig = new Rig(1, List.of(device), 100_000, fixed, LaunchPolicy.DEFAULT)) {
      Job job =
          job(rig, JobSpec.of(100, Rig.body((from, until) -> {})).build(), fixed, new CostMemory());
      Side side = Side.of(rig, job, 0, declared(NANOS));
      long longAgo = System.nanoTime() - 10 * NANOS;
      Flights.Block one = side.claim(longAgo);
      Flights.Block other = side.claim(longAgo);
      side.landing.land(one);
      side.landing.land(other);
      side.landing.land(side.claim(longAgo, -1));
      assertEquals(NANOS, side.cost.nanos());
      side.landing.land(side.claim(longAgo));
      // An eighth of the way to eight times what the device said: it took more than that.
      assertEquals(NANOS + 7 * NANOS / 8, side.cost.nanos());
    }
  }

  /** With more rows than it computes at once, it is their number that the time tells of. */
  @Test
  void whatABlockOfFewRowsTakesIsLearnedOfTheFunction() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    Strategy any = Strategies.byName("fixed", new Strategies.Options(10));
    try (Rig rig = new Rig(1, List.of(device), 100_000, any, LaunchPolicy.DEFAULT)) {
      Pace pace = new Pace();
      for (int rows : new int[] {10, 1}) {
        assertEquals(0, pace.latencyNanos(device), "of blocks of 10 rows, where 1 is few");
        Strategy fixed = Strategies.byName("fixed", new Strategies.Options(rows));
        JobWorkers workers =
            new JobWorkers(new Placement.Placed(rig.scheduler.owners(), 1), false, 1, 0, pace);
        JobSpec spec = JobSpec.of(100, Rig.body((from, until) -> {})).pace(pace).build();
        Job job = new Job(spec, fixed, workers, new CostMemory(), rig.scheduler.cores());
        Side side = Side.of(rig, job, 0);
        side.landing.land(side.claim(System.nanoTime(), -1));
        side.landing.land(side.claim(System.nanoTime(), NANOS));
      }
      assertEquals(NANOS, pace.latencyNanos(device));
      pace.learnLatency(device, 9 * NANOS);
      JobWorkers next =
          new JobWorkers(new Placement.Placed(rig.scheduler.owners(), 1), false, 1, 0, pace);
      assertEquals(2 * NANOS, next.specs.get(0).latencyNanos());
    }
  }

  /** Its share of the launch's time is not what it would take alone. */
  @Test
  void whatABlockOfALaunchOfSeveralTakesSaysNothingOfFewRows() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    Strategy fixed = Strategies.byName("fixed", new Strategies.Options(1));
    try (Rig rig = new Rig(1, List.of(device), 100_000, fixed, LaunchPolicy.DEFAULT)) {
      Pace pace = new Pace();
      JobWorkers workers =
          new JobWorkers(new Placement.Placed(rig.scheduler.owners(), 1), false, 1, 0, pace);
      JobSpec spec = JobSpec.of(100, Rig.body((from, until) -> {})).pace(pace).build();
      Side side =
          Side.of(rig, new Job(spec, fixed, workers, new CostMemory(), rig.scheduler.cores()), 0);
      Flights.Block first = side.flights.claim(side.part, new Claim(), null, System.nanoTime());
      Flights.Block other = side.claim(first, System.nanoTime(), NANOS);
      side.flights.launched(first, new Done(NANOS), first.claim.until(), System.nanoTime());
      side.landing.land(first);
      side.landing.land(other);
      assertEquals(0, pace.latencyNanos(device));
      side.landing.land(side.claim(System.nanoTime(), NANOS));
      assertEquals(NANOS, pace.latencyNanos(device));
    }
  }

  @Test
  void whatWasLearnedHoldsUntilTheDeviceSaysSomethingElse() {
    LaunchCost cost = declared(NANOS);
    cost.learn(2 * NANOS);
    long learned = cost.nanos();
    cost.declare(NANOS);
    assertEquals(learned, cost.nanos());
    cost.declare(3 * NANOS);
    assertEquals(3 * NANOS, cost.nanos());
  }

  /** Strategies count them by the bytes of a job's rows, and would count them twice. */
  @Test
  void copiesAreNoPartOfWhatALaunchAdds() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 2);
    long seconds = TimeUnit.SECONDS.toNanos(1);
    device.transferNanosPerByte = seconds;
    Strategy fixed = Strategies.byName("fixed", new Strategies.Options(10));
    try (Rig rig = new Rig(1, List.of(device), 100_000, fixed, LaunchPolicy.DEFAULT)) {
      Job job =
          new Job(
              JobSpec.of(100, Rig.body((from, until) -> {})).build(),
              fixed,
              new JobWorkers(
                  new Placement.Placed(rig.scheduler.owners(), 1), false, 1, 8, new Pace()),
              new CostMemory(),
              rig.scheduler.cores());
      Side side = Side.of(rig, job, 0, declared(NANOS));
      // Ten rows of eight bytes: 80 seconds of copies, which it seems to have had no time for.
      side.landing.land(side.claim(System.nanoTime() - 10 * seconds));
      assertEquals(NANOS - Math.round(NANOS * 7.0 / 64), side.cost.nanos());
    }
  }

  /** Who waits for the job would wait for ever if the block were never said to have landed. */
  @Test
  void aBlockThatCannotBeGivenBackHasLanded() throws Exception {
    FakeDevice device = new FakeDevice("fake:0", 1);
    Strategy fixed = Strategies.byName("fixed", new Strategies.Options(10));
    try (Rig rig = new Rig(1, List.of(device), 100_000, fixed, LaunchPolicy.DEFAULT)) {
      Job job =
          job(rig, JobSpec.of(10, Rig.body((from, until) -> {})).build(), fixed, new CostMemory());
      Side side = Side.of(rig, job, 0);
      Flights.Block block = side.flights.claim(side.part, new Claim(), null, 0);
      Runnable noMemory =
          () -> {
            throw new OutOfMemoryError("for show");
          };
      side.flights.launched(block, new Done(NANOS, noMemory), block.claim.until(), 0);
      assertThrows(OutOfMemoryError.class, () -> side.landing.land(block));
      job.gate.close();
      assertTrue(job.gate.end(), "somebody is inside");
    }
  }
}
