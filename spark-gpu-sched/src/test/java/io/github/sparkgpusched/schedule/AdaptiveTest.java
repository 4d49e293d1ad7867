package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.github.sparkgpusched.schedule.strategy.Deal;
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
}
