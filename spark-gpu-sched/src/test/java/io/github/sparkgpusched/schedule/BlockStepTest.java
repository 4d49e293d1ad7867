package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BlockStepTest {
  private static final long TARGET = 1000;

  private static BlockStep fresh() {
    return new BlockStep(new BlockPacer(), 2, 2000, TARGET);
  }

  @Test
  void startsWithOneRowThenSixteenAverageOnes() {
    BlockStep step = fresh();
    assertEquals(0, step.cost());
    assertEquals(0, step.nanosPerCost());
    step.took(1, 3, 600);
    assertEquals(32, step.cost());
    assertEquals(200, step.nanosPerCost());
  }

  @Test
  void staysAtOneRowThatTookLong() {
    BlockStep step = fresh();
    step.took(1, 3, 5000);
    assertEquals(3, step.cost());
  }

  @Test
  void doublesWhileShortHalvesWhenLong() {
    BlockStep step = fresh();
    step.took(1, 2, 10);
    step.took(16, 32, 499);
    assertEquals(64, step.cost());
    step.took(32, 64, 500);
    step.took(32, 64, 2000);
    assertEquals(64, step.cost());
    step.took(32, 64, 2001);
    assertEquals(32, step.cost());
  }

  @Test
  void aShortRestSaysNothing() {
    BlockStep step = fresh();
    step.took(1, 2, 10);
    step.took(2, 4, 10);
    assertEquals(32, step.cost());
  }

  @Test
  void oneLongRowDoesNotHalve() {
    BlockStep step = fresh();
    step.took(1, 2, 10);
    step.took(1, 50, 1_000_000);
    assertEquals(32, step.cost());
  }

  @Test
  void neverExceedsTheJob() {
    BlockStep step = fresh();
    step.took(1, 2, 1);
    for (int i = 0; i < 100; i++) {
      step.took(10, step.cost(), 1);
    }
    assertEquals(2000, step.cost());
  }

  @Test
  void freeRowsGiveNoPace() {
    BlockStep step = fresh();
    step.took(1, 0, 100);
    assertEquals(Double.POSITIVE_INFINITY, step.nanosPerCost());
    assertEquals(32, step.cost());
    step.took(4, 10, 100);
    assertEquals(10, step.nanosPerCost());
  }

  @Test
  void startsFromThePacer() {
    BlockStep step = new BlockStep(Rig.pacer(77, 5), 1, 100, TARGET);
    assertEquals(77, step.cost());
    assertEquals(5, step.nanosPerCost());
  }

  @Test
  void isAtTheTargetSoon() {
    BlockStep step = new BlockStep(new BlockPacer(), 1, 1e6, 50_000);
    for (int i = 0; i < 20; i++) {
      double cost = Math.max(1, step.cost());
      step.took((long) cost, cost, (long) (cost * 30)); // 30 ns a row
    }
    double nanos = step.cost() * 30;
    assertTrue(nanos >= 25_000 && nanos <= 100_000, nanos + " ns");
  }
}
