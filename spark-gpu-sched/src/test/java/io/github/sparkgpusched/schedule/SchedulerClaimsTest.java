package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.testing.Patience;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moments too short to be met by chance, held open by claims that wait at the right place. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchedulerClaimsTest {
  /** A dealer that does as that of a real job, but for what a test overrides. */
  private static class Wrapped implements Dealer {
    final Dealer real;

    Wrapped(Deal deal) {
      real = Strategies.byName(Strategies.DEFAULT, Strategies.Options.DEFAULT).deal(deal);
    }

    @Override
    public void join(int worker) {
      real.join(worker);
    }

    @Override
    public void leave(int worker) {
      real.leave(worker);
    }

    @Override
    public boolean claim(int worker, long nowNanos, Claim claim) {
      return real.claim(worker, nowNanos, claim);
    }

    @Override
    public void commit(int worker, Claim claim, long reached, long nanos, long nowNanos) {
      real.commit(worker, claim, reached, nanos, nowNanos);
    }

    @Override
    public void handBack(int worker, Claim claim, long nowNanos) {
      real.handBack(worker, claim, nowNanos);
    }

    @Override
    public long queuedRows(int worker) {
      return real.queuedRows(worker);
    }

    @Override
    public long rowsLeft() {
      return real.rowsLeft();
    }

    @Override
    public double costLeft() {
      return real.costLeft();
    }

    @Override
    public long rowsCommitted() {
      return real.rowsCommitted();
    }
  }

  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  private static void unchecked(Step step) {
    try {
      step.run();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The submitter has found nothing to claim, closes the gate and waits; and then the helper must
   * go before it has done all of its rows.
   */
  @Test
  void rowsLeftAfterTheSubmitterFoundNoneAreDone() throws Exception {
    CountDownLatch stolen = new CountDownLatch(1);
    CountDownLatch mustGo = new CountDownLatch(1);
    AtomicReference<Scheduler> scheduler = new AtomicReference<>();
    Strategy strategy =
        deal ->
            new Wrapped(deal) {
              private int ownClaims;

              @Override
              public boolean claim(int worker, long nowNanos, Claim claim) {
                if (worker == 0) {
                  // Rows 0 and 1; the helper has the others.
                  boolean sees = ++ownClaims <= 2 || mustGo.getCount() == 0;
                  return sees && real.claim(worker, nowNanos, claim);
                }
                boolean claimed = real.claim(worker, nowNanos, claim);
                if (stolen.getCount() == 1) {
                  stolen.countDown();
                  unchecked(
                      () ->
                          Patience.await(
                              "the submitter waits",
                              () -> scheduler.get().helpers().budget().busy() == 1));
                  scheduler.get().taskStarted(2);
                  mustGo.countDown();
                }
                return claimed;
              }
            };
    try (Rig rig = new Rig(2, 1, strategy)) {
      scheduler.set(rig.scheduler);
      RangeBody body =
          Rig.body(
              (from, until) -> {
                if (from == 0) {
                  Patience.await(stolen);
                }
              });
      JobStats stats = rig.job(Rig.slow(4, body)).get();
      assertEquals(4, stats.rows());
      assertEquals(1, stats.rows(1), "the helper went after its first block");
      assertTrue(stats.waitNanos() > 0);
      rig.scheduler.taskEnded(2);
      rig.assertIdle();
    }
  }

  /** A helper holds a core while it finds out that no job needs it; just then one does. */
  @Test
  void aCoreHeldInVainIsOfferedAgain() throws Exception {
    CountDownLatch holds = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    Strategy strategy =
        deal ->
            new Wrapped(deal) {
              @Override
              public double costLeft() {
                if (deal.rows() == 2 || !Rig.onHelper()) {
                  return real.costLeft();
                }
                holds.countDown();
                unchecked(() -> Patience.await(letGo));
                return 0;
              }
            };
    try (Rig rig = new Rig(3, 1, strategy)) {
      CountDownLatch firstMayEnd = new CountDownLatch(1);
      Rig.Task<JobStats> first =
          rig.job(Rig.slow(3, Rig.body((from, until) -> Patience.await(firstMayEnd))));
      Patience.await(holds);
      CountDownLatch inBlock = new CountDownLatch(1);
      CountDownLatch helped = new CountDownLatch(1);
      RangeBody needy =
          Rig.body(
              (from, until) -> {
                if (Rig.onHelper()) {
                  helped.countDown();
                } else {
                  inBlock.countDown();
                  Patience.await(helped);
                }
              });
      Rig.Task<JobStats> second = rig.job(Rig.slow(2, needy));
      Patience.await(inBlock); // it has looked for an idle core, and there was none
      letGo.countDown();
      assertTrue(second.get().stolenBlocks() > 0);
      firstMayEnd.countDown();
      assertEquals(3, first.get().rows());
      rig.assertIdle();
    }
  }

  /** It never waits, and yet sees that the device's thread is stuck in a call. */
  @Test
  void whoAsksAgainAtOnceWatchesTheDevices() throws Exception {
    FakeDevice stuck = LaunchDevicesTest.broken("fake:0", FakeDevice.Mishap.STUCK, 0);
    Strategy atOnce =
        deal ->
            new Wrapped(deal) {
              @Override
              public boolean claim(int worker, long nowNanos, Claim claim) {
                return super.claim(worker, nowNanos, claim) || claim.none(nowNanos);
              }
            };
    LaunchPolicy policy = new LaunchPolicy(new RoundRobin(), true, true, LaunchDevicesTest.SOON);
    try (Rig rig = new Rig(1, List.of(stuck), 100_000, atOnce, policy)) {
      while (stuck.launches.get() == 0) {
        LaunchDevicesTest.Counted body = new LaunchDevicesTest.Counted(40_000, 200);
        rig.job(LaunchDevicesTest.spec(40_000, body, false, new Pace())).get();
        body.check();
      }
      assertEquals(DeviceState.QUARANTINED, rig.table.snapshot().get(1).state());
      stuck.release.countDown();
      rig.assertIdle();
    }
  }

  /** Rows are left, but for a worker that does not come: a core does not ask all the time. */
  @Test
  void rowsThatAreKeptForOthersAreAskedForAfterAPause() throws Exception {
    int refusals = 200;
    AtomicLong shortestNanos = new AtomicLong(Long.MAX_VALUE);
    Strategy keeps =
        deal ->
            new Wrapped(deal) {
              private int asked;
              private long lastNanos;

              @Override
              public boolean claim(int worker, long nowNanos, Claim claim) {
                long now = System.nanoTime();
                if (asked > 0 && asked <= refusals) {
                  // Of all pauses the shortest: a busy machine makes some of them longer, not all.
                  shortestNanos.accumulateAndGet(now - lastNanos, Math::min);
                }
                lastNanos = now;
                boolean kept = asked++ < refusals;
                return kept ? claim.none(Claim.NEVER) : super.claim(worker, nowNanos, claim);
              }
            };
    try (Rig rig = new Rig(1, 100_000, keeps)) {
      assertEquals(
          100, rig.job(JobSpec.of(100, Rig.body((from, until) -> {})).build()).get().rows());
      assertTrue(shortestNanos.get() >= Participant.KEPT_NANOS, "after " + shortestNanos + " ns");
      rig.assertIdle();
    }
  }

  /** The job fails, and nothing of the executor's is kept: no core, no seat, no part in the job. */
  @Test
  void aHelperThatCannotSayGoodbyeLeaves() throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    Strategy strategy =
        deal ->
            new Wrapped(deal) {
              @Override
              public void leave(int worker) {
                if (fails.getAndSet(false)) {
                  throw new OutOfMemoryError("for show");
                }
                super.leave(worker);
              }
            };
    try (Rig rig = new Rig(2, 100_000, strategy)) {
      while (fails.get()) {
        RangeBody slow = Rig.body((from, until) -> Rig.spin(100_000 * (until - from)));
        try {
          rig.job(JobSpec.of(1000, slow).pace(Rig.slowRows()).build()).get();
        } catch (ExecutionException e) {
          assertTrue(e.getCause() instanceof OutOfMemoryError, e.toString());
        }
      }
      rig.assertIdle();
      assertEquals(
          100, rig.job(JobSpec.of(100, Rig.body((from, until) -> {})).build()).get().rows());
      rig.assertIdle();
    }
  }

  /** What is known of an earlier job: calls take longer than a block should. */
  @Test
  void whereCallsTakeLongABlockIsOne() throws Exception {
    Rig rig = new Rig(1);
    Pace pace = Rig.pacer(100, 1);
    pace.learnCall(1e6);
    AtomicLong rows = new AtomicLong();
    RangeBody body =
        new RangeBody() {
          @Override
          public boolean computesTogether() {
            return true;
          }

          @Override
          public Worker open(Device device) {
            return new Worker() {
              @Override
              public void run(long from, long until) {
                rows.addAndGet(until - from);
              }

              @Override
              public long runOrHandBack(long from, long until) {
                throw new IllegalStateException("rows " + from + " to " + until);
              }
            };
          }
        };
    // All in the first blocks: once it is seen that calls are quick, rows are handed back again.
    rig.job(JobSpec.of(100, body).pace(pace).build()).result.get();
    assertEquals(100, rows.get());
    rig.scheduler.stopAll();
  }
}
