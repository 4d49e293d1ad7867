package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moments too short to be met by chance, held open by claims that wait at the right place. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchedulerClaimsTest {
  /** Claims that do as those of a real job, but for what a test overrides. */
  private static class Wrapped implements RowClaims {
    final SegmentClaims real;

    Wrapped(int rows, int slots, RangeCosts costs) {
      real = new SegmentClaims(rows, slots, costs);
    }

    @Override
    public int enter() {
      return real.enter();
    }

    @Override
    public void leave(int slot) {
      real.leave(slot);
    }

    @Override
    public long claim(int slot, double cost) {
      return real.claim(slot, cost);
    }

    @Override
    public void handBack(int slot, int from, int until) {
      real.handBack(slot, from, until);
    }

    @Override
    public boolean steal(int slot) {
      return real.steal(slot);
    }

    @Override
    public boolean isStolen(int slot, long block) {
      return real.isStolen(slot, block);
    }

    @Override
    public int rowsIn(int slot) {
      return real.rowsIn(slot);
    }

    @Override
    public double costLeft() {
      return real.costLeft();
    }

    @Override
    public boolean isExhausted() {
      return real.isExhausted();
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
   * A thief has rows that are in no slot yet; the submitter sees none, closes the gate and waits;
   * and then the thief must go before it has done them all.
   */
  @Test
  void rowsLeftAfterTheSubmitterFoundNoneAreDone() throws Exception {
    CountDownLatch inTransit = new CountDownLatch(1);
    CountDownLatch landed = new CountDownLatch(1);
    AtomicReference<Scheduler> scheduler = new AtomicReference<>();
    RowClaims.Factory factory =
        (rows, slots, costs) ->
            new Wrapped(rows, slots, costs) {
              @Override
              public boolean steal(int slot) {
                if (slot == SUBMITTER) {
                  return landed.getCount() == 0 && real.steal(slot);
                }
                boolean stolen = real.steal(slot);
                inTransit.countDown();
                unchecked(
                    () ->
                        Rig.await(
                            "the submitter waits", () -> scheduler.get().budget().busy() == 1));
                scheduler.get().taskStarted(2);
                landed.countDown();
                return stolen;
              }
            };
    try (Rig rig = new Rig(2, 1, factory)) {
      scheduler.set(rig.scheduler);
      RangeBody body =
          Rig.body(
              (from, until) -> {
                if (from == 0) {
                  Rig.await(inTransit);
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
    RowClaims.Factory factory =
        (rows, slots, costs) ->
            new Wrapped(rows, slots, costs) {
              @Override
              public double costLeft() {
                if (rows == 2 || !Rig.onHelper()) {
                  return real.costLeft();
                }
                holds.countDown();
                unchecked(() -> Rig.await(letGo));
                return 0;
              }
            };
    try (Rig rig = new Rig(3, 1, factory)) {
      CountDownLatch firstMayEnd = new CountDownLatch(1);
      Rig.Task<JobStats> first =
          rig.job(Rig.slow(3, Rig.body((from, until) -> Rig.await(firstMayEnd))));
      Rig.await(holds);
      CountDownLatch inBlock = new CountDownLatch(1);
      CountDownLatch helped = new CountDownLatch(1);
      RangeBody needy =
          Rig.body(
              (from, until) -> {
                if (Rig.onHelper()) {
                  helped.countDown();
                } else {
                  inBlock.countDown();
                  Rig.await(helped);
                }
              });
      Rig.Task<JobStats> second = rig.job(Rig.slow(2, needy));
      Rig.await(inBlock); // it has looked for an idle core, and there was none
      letGo.countDown();
      assertTrue(second.get().stolenBlocks() > 0);
      firstMayEnd.countDown();
      assertEquals(3, first.get().rows());
      rig.assertIdle();
    }
  }
}
