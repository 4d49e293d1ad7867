package io.github.sparkgpusched.schedule.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MeasuredCostsTest {
  @Test
  void rowsOfARangeShareItsCost() {
    RangeCosts costs = new MeasuredCosts(10, new double[] {5, 0, 10, 1, 4});
    assertEquals(20, costs.between(0, 10), 1e-6);
    assertEquals(2.5, costs.between(0, 1), 1e-6);
    assertEquals(5, costs.between(3, 5), 1e-6);
    assertEquals(5, costs.reach(0, 10, 10));
    assertEquals(10, costs.reach(0, 10, 100));
    assertEquals(1, costs.reach(0, 10, 1e-12));
  }

  /** As the interface says, for any ranges: against sums row by row. */
  @Test
  void reachIsTheLeastEnd() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int ranges = 1 + random.nextInt(20);
      int rows = ranges + random.nextInt(200);
      double[] measured = new double[ranges];
      for (int i = 0; i < ranges; i++) {
        measured[i] = random.nextInt(3) == 0 ? 0 : Math.pow(random.nextDouble(), -2);
      }
      RangeCosts costs = new MeasuredCosts(rows, measured);
      long from = random.nextInt(rows);
      long until = from + 1 + random.nextInt((int) (rows - from));
      double cost = random.nextDouble() * 1.2 * costs.between(from, until);
      long end = costs.reach(from, until, cost);
      String what = "seed " + seed + ": rows " + from + " to " + until + ", end " + end;
      assertTrue(end > from && end <= until, what);
      double slack = 1e-9 * costs.between(0, rows);
      assertTrue(end == until || costs.between(from, end) >= cost - slack, what);
      assertTrue(end == from + 1 || costs.between(from, end - 1) <= cost + slack, what);
    }
  }

  @Test
  void rangesOfBillionsOfRowsBeginInOrder() {
    long rows = Long.MAX_VALUE / 2;
    long before = -1;
    for (int range = 0; range <= 256; range++) {
      long start = MeasuredCosts.start(rows, 256, range);
      assertTrue(start > before && start <= rows, "range " + range + " begins with row " + start);
      before = start;
    }
    assertThrows(IllegalArgumentException.class, () -> new MeasuredCosts(1, new double[2]));
  }
}
