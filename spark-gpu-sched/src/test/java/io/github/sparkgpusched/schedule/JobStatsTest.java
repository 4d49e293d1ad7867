package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.load.Work;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class JobStatsTest {
  private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static Tally tally(long rows, long busyNanos, long coreNanos) {
    Tally tally = new Tally();
    tally.addBlock(rows, false, busyNanos);
    tally.coreNanos = coreNanos;
    return tally;
  }

  @Test
  void rowsOfHostsAloneTookWhatTheClockSays() {
    Tally[] two = {tally(3, 1000, 600), tally(2, 500, 100)};
    assertEquals(new Work(5, 2, 0, 1500), new JobStats(two, 0).byHosts(2));
  }

  @Test
  void whereOthersTookPartTheTimeWithACoreCounts() {
    Tally[] three = {tally(3, 1000, 600), tally(2, 500, 900), tally(1, 5000, 0)};
    assertEquals(
        new Work(5, 2, 0, 600 + 500),
        new JobStats(three, 0).byHosts(2),
        "no more than it was busy");
  }

  @Test
  void aThreadThatWaitsHasNoCore() throws Exception {
    try (Rig rig = new Rig(1)) {
      JobStats stats =
          rig.job(
                  Rig.slow(
                      1,
                      Rig.body(
                          (from, until) -> {
                            long end = System.nanoTime() + WAIT_NANOS;
                            while (System.nanoTime() - end < 0) {
                              LockSupport.parkNanos(end - System.nanoTime());
                            }
                          })))
              .get();
      assertTrue(stats.busyNanos() >= WAIT_NANOS);
      assertTrue(stats.coreNanos(0) > 0);
      assertTrue(stats.coreNanos(0) < WAIT_NANOS / 2, "busy: " + stats.coreNanos(0) + " ns");
    }
  }
}
