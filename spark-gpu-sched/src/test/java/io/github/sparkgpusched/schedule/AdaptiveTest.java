package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import io.github.sparkgpusched.schedule.strategy.fill.FillUpDealer;
import io.github.sparkgpusched.schedule.strategy.tree.TreeDealer;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdaptiveTest {
  private static Deal deal(long launchNanos) {
    List<WorkerSpec> specs = Collections.nCopies(2, WorkerSpec.staged(1, launchNanos, 0, 2));
    return Deal.builder(10, specs).starters(2).targetNanos(100_000).build();
  }

  @Test
  void aDearLaunchDecidesWhichFormIsTaken() {
    assertInstanceOf(TreeDealer.class, new Adaptive().deal(deal(5_000)));
    assertInstanceOf(FillUpDealer.class, new Adaptive().deal(deal(5_001)));
  }

  /** Threads come only in its need, and then take what it hands back. */
  @Test
  void aDeviceThatHasAJobToItselfGetsItAsOneBlock() {
    WorkerSpec gpu = new WorkerSpec(132, 50_000, 0, 2, true, 4224, 0);
    Dealer dealer = new Adaptive().deal(of(List.of(gpu, WorkerSpec.host(), WorkerSpec.host()), 1));
    dealer.join(0);
    Claim claim = new Claim();
    assertTrue(dealer.claim(0, 0, claim));
    assertEquals(0, claim.from());
    assertEquals(100_000, claim.until());
    dealer.handBack(0, claim, 1);
    Claim ofAThread = new Claim();
    assertTrue(dealer.claim(1, 2, ofAThread));
    assertEquals(0, ofAThread.from());
    Claim ofAnother = new Claim();
    assertTrue(dealer.claim(2, 2, ofAnother), "one thread has all rows of a device that failed");
    assertEquals(ofAThread.until(), ofAnother.from());
  }

  @Test
  void rowsThatOthersCouldTakeAreNotOneBlock() {
    WorkerSpec gpu = new WorkerSpec(132, 50_000, 0, 2, true, 4224, 0);
    assertInstanceOf(FillUpDealer.class, new Adaptive().deal(of(List.of(gpu, gpu), 1)));
    List<WorkerSpec> withACore = List.of(WorkerSpec.host(), gpu);
    assertInstanceOf(FillUpDealer.class, new Adaptive().deal(of(withACore, 2)));
    assertInstanceOf(TreeDealer.class, new Adaptive().deal(of(List.of(WorkerSpec.host()), 1)));
    WorkerSpec rowByRow = WorkerSpec.staged(1, 50_000, 0, 2);
    assertInstanceOf(FillUpDealer.class, new Adaptive().deal(of(List.of(rowByRow), 1)));
  }

  private static Deal of(List<WorkerSpec> specs, int starters) {
    return Deal.builder(100_000, specs).starters(starters).targetNanos(100_000).build();
  }
}
