package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LastMedianTest {
  private final LastMedian median = new LastMedian();

  @Test
  void isOfTheLastFive() {
    assertEquals(0, median.median());
    median.add(7);
    median.add(3);
    assertEquals(3, median.median());
    for (double value : new double[] {100, 5, 1, 2, 4}) {
      median.add(value);
    }
    assertEquals(4, median.median());
    median.clear();
    median.add(9);
    assertEquals(9, median.median());
    assertEquals(1, median.count());
  }

  /** A task may be at it for days. */
  @Test
  void countsNoFurther() {
    for (int i = 0; i < 1000; i++) {
      median.add(i);
    }
    assertEquals(5, median.count());
    assertEquals(997, median.median());
  }
}
