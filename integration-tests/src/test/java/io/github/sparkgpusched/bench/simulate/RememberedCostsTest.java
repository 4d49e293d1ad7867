package io.github.sparkgpusched.bench.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Remembered costs agree with the workload where ranges meet, and with themselves anywhere. */
@Tag("simulate")
class RememberedCostsTest {
  private static final int ROWS = 1000;
  private final Workload work = Workload.of(Workload.shape("pareto"), ROWS, 1);
  private final RangeCosts costs = work.remembered(64);

  @Test
  void rangesCostWhatTheirRowsCost() {
    assertEquals(work.total(), costs.between(0, ROWS), 1e-9);
    assertEquals(work.between(0, ROWS / 2), costs.between(0, ROWS / 2), 1e-9);
    assertEquals(0, costs.between(7, 7), 0);
  }

  @Test
  void moreRangesThanRowsAreTheRows() {
    RangeCosts exact = work.remembered(4096);
    assertEquals(work.between(17, 18), exact.between(17, 18), 1e-9);
  }

  @Test
  void reachIsTheLeastEndThatCostsEnough() {
    for (int from = 0; from < ROWS - 1; from += 13) {
      double cost = 0.3 + from % 50;
      long end = costs.reach(from, ROWS, cost);
      assertTrue(end > from && end <= ROWS, "from " + from + " reaches " + end);
      if (end < ROWS) {
        assertTrue(costs.between(from, end) >= cost - 1e-9, "from " + from);
      }
      if (end > from + 1) {
        assertTrue(costs.between(from, end - 1) < cost + 1e-9, "from " + from);
      }
    }
  }
}
