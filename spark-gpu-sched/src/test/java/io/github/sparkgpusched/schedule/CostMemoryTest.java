package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.FakeDevice.Mishap;
import io.github.sparkgpusched.schedule.strategy.CostProfile;
import io.github.sparkgpusched.schedule.strategy.MeasuredCosts;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What jobs took is known when they come again. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CostMemoryTest {
  @Test
  void aBlocksTimeIsSharedOutAmongItsRanges() {
    CostProfile profile = new CostProfile(1024, RangeCosts.UNIFORM);
    profile.add(0, 512, 512, 1, 1);
    profile.add(512, 513, 100, 1, 1);
    profile.add(513, 1024, 5110, 1, 1);
    RangeCosts costs = profile.costs();
    assertEquals(512, costs.between(0, 512), 1e-6);
    assertEquals(4, costs.between(100, 104), 1e-6);
    assertEquals(130, costs.between(512, 516), 1e-6);
    assertEquals(5722, costs.between(0, 1024), 1e-6);
  }

  /** What an earlier run has found within a block is not forgotten by a large block. */
  @Test
  void aLargeBlockKeepsTheShapeThatWasKnown() {
    RangeCosts prior = new MeasuredCosts(100, new double[] {1, 9});
    CostProfile profile = new CostProfile(100, prior);
    profile.add(0, 100, 200, 1, 1);
    assertEquals(20, profile.costs().between(0, 50), 1e-6);
    assertEquals(180, profile.costs().between(50, 100), 1e-6);
  }

  @Test
  void costsAreTrustedLessIfSpeedsWereNotAsDeclared() {
    CostProfile profile = new CostProfile(100, RangeCosts.UNIFORM);
    profile.add(0, 50, 100, 2.2, 2);
    assertEquals(220, profile.costs().between(0, 50), 1e-6);
    assertEquals(0.1, profile.error());
    profile.add(50, 100, 100, 1, 2);
    assertEquals(100, profile.costs().between(50, 100), 1e-6);
    assertEquals(0.5, profile.error());
  }

  @Test
  void anotherNumberOfRowsIsAnotherJob() {
    CostMemory memory = new CostMemory();
    memory.keep("job", new CostMemory.Kept(10, RangeCosts.UNIFORM, 0.1));
    assertNotNull(memory.recall("job", 10));
    assertNull(memory.recall("job", 11));
    assertNull(memory.recall("other", 10));
  }

  @Test
  void whatWasNotUsedForLongIsForgotten() {
    CostMemory memory = new CostMemory();
    for (int job = 0; job <= 256; job++) {
      memory.keep(job, new CostMemory.Kept(10, RangeCosts.UNIFORM, 0.1));
      memory.recall(0, 10);
    }
    assertNotNull(memory.recall(0, 10));
    assertNull(memory.recall(1, 10));
    assertNotNull(memory.recall(2, 10));
  }

  @Test
  void aJobThatComesAgainNeedsNoProbes() throws Exception {
    AtomicLong firstRows = new AtomicLong();
    FakeDevice device =
        new FakeDevice(
            "fake:0",
            2,
            20_000,
            50,
            (launch, from, until) -> {
              firstRows.compareAndSet(0, until - from);
              return Mishap.NONE;
            });
    LaunchPolicy policy =
        new LaunchPolicy(new RoundRobin(), false, true, TimeUnit.SECONDS.toNanos(30));
    try (Rig rig = new Rig(1, List.of(device), 100_000, Rig.DEFAULT, policy)) {
      long probe = firstBlock(rig, firstRows, "query");
      assertTrue(probe <= 200_000 / 1024, "a probe of " + probe + " rows");
      assertEquals(probe, firstBlock(rig, firstRows, "another query"));
      assertEquals(probe, firstBlock(rig, firstRows, null));
      long known = firstBlock(rig, firstRows, "query");
      assertTrue(known > 4 * probe, "a first block of " + known + " rows of known costs");
    }
  }

  private static long firstBlock(Rig rig, AtomicLong firstRows, String repeats) throws Exception {
    firstRows.set(0);
    LaunchDevicesTest.Counted body = new LaunchDevicesTest.Counted(200_000, 50);
    JobSpec spec = JobSpec.of(200_000, body).repeats(repeats).build();
    rig.job(spec).get();
    body.over.set(true);
    body.check();
    return firstRows.get();
  }
}
